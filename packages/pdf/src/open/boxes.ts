import { isArray, type PdfValue } from './values.ts';

/** A rectangle [x0 y0 x1 y1] in points, in default user space of the page. */
export type BoxArray = readonly [number, number, number, number];

/** The five page boundaries (ISO 32000-1, 14.11.2). */
export const boxNames = ['media', 'crop', 'bleed', 'trim', 'art'] as const;
export type BoxName = (typeof boxNames)[number];
/** Boxes as written in the file; null where a box is missing or not four numbers. Corners may be in any order. */
export type RawBoxes = Readonly<Record<BoxName, BoxArray | null>>;
/** The boxes after ordering, defaulting and clipping; see `effectiveBoxes`. */
export type EffectiveBoxes = Readonly<Record<BoxName, BoxArray>>;

/** MediaBox used when a page has none that is usable: US Letter, as other PDF readers assume. */
const letter: BoxArray = [0, 0, 612, 792];

/** Reads a box array; null when it does not consist of at least four finite numbers. The corners are not reordered. */
export function readBox(value: PdfValue, resolve: (value: PdfValue | undefined) => PdfValue): BoxArray | null {
  if (!isArray(value) || value.length < 4) return null;
  const [a, b, c, d] = value.slice(0, 4).map((entry) => resolve(entry));
  const isNumber = (entry: PdfValue | undefined): entry is number =>
    typeof entry === 'number' && Number.isFinite(entry);
  return isNumber(a) && isNumber(b) && isNumber(c) && isNumber(d) ? [a, b, c, d] : null;
}

/** The same box with its corners in order: lower left, then upper right. */
export function ordered([a, b, c, d]: BoxArray): BoxArray {
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function clipped(box: BoxArray, by: BoxArray): BoxArray | null {
  const [a, b, c, d] = ordered(box);
  const cut: BoxArray = [Math.max(a, by[0]), Math.max(b, by[1]), Math.min(c, by[2]), Math.min(d, by[3])];
  return cut[2] > cut[0] && cut[3] > cut[1] ? cut : null;
}

/**
 * The boxes that apply to a page: corners ordered, defaults filled in (Crop → Media; Bleed, Trim, Art → Crop) and
 * clipped to the MediaBox (ISO 32000-1, 14.11.2). A box that lies wholly outside the MediaBox is treated as absent.
 */
export function effectiveBoxes(raw: RawBoxes): EffectiveBoxes {
  const written = raw.media && ordered(raw.media);
  const media = written && written[2] > written[0] && written[3] > written[1] ? written : letter;
  const crop = (raw.crop && clipped(raw.crop, media)) ?? media;
  const inside = (box: BoxArray | null): BoxArray => (box && clipped(box, media)) ?? crop;
  return { media, crop, bleed: inside(raw.bleed), trim: inside(raw.trim), art: inside(raw.art) };
}
