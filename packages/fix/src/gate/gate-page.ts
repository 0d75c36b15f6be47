/** Compares one page before and after an action: facts and an RGB picture. Runs on worker threads. */
import type { FixReason } from '@pdf2press/contract';
import {
  fittingDpi,
  openPdf,
  type PageFacts,
  type PageJob,
  type PdfFile,
  type PixelRect,
  pixelsOf,
  type Raster,
  type Rect,
  renderPreview,
} from '@pdf2press/pdf';
import type { FixContract, GuardedFact } from '../kind/define-fix.ts';
import type { DeclaredPlaces } from '../log/change-log.ts';
import { comparePictures, type PictureDifference } from './compare-pictures.ts';
import { type Facts, pageFacts } from './facts.ts';

/** Limits for the differences of a page's picture. */
export interface LookLimits {
  mayLookDifferent: FixContract['mayLookDifferent'];
  boxes: DeclaredPlaces;
  /** Shapes may be drawn by another routine, so that edges differ by less than a pixel. */
  isEdgeTolerant: boolean;
}

/** Facts that an action may change, and those to which it may only add. */
export type FactLimits = Pick<FixContract, 'mayChange' | 'mayAdd'>;

export interface GatePageParams extends LookLimits, FactLimits {
  /** A plain map, because it is sent to worker threads. */
  boxes: ReadonlyMap<number, readonly Rect[]>;
  after: { path: string };
  /** Numbers of the pages whose facts are compared; `looks`: those whose pictures are. */
  facts: ReadonlySet<number>;
  looks: ReadonlySet<number>;
  dpi: number;
}

export interface GatePageResult {
  broken: FixReason[];
  /** Null when no picture was asked for. `dpi` is the resolution used, lower than asked for very large pages. */
  look: (PictureDifference & { dpi: number }) | null;
}

/** Largest raster in pixels: an A2 page at 300 dpi has about 35 million. */
const maxPixels = 40_000_000;
/** A page with fewer pixels is small: a postcard at 150 dpi. */
const smallPixels = 500_000;
/** Anti-aliasing extends this far beyond a declared box. */
const marginPixels = 2;

/**
 * Job for `runPages` of the pdf room.
 * @param before the file before the action; the one after it is opened from `params.after`
 * @throws FileFaultError with the codes of `openPdf`
 */
export function gatePage(before: PdfFile, params: GatePageParams): PageJob<GatePageResult> {
  const after = openPdf({ path: params.after.path });
  return {
    page(number) {
      const [was, is] = [before.pages[number - 1], after.pages[number - 1]];
      if (!was || !is) return { broken: [], look: null };
      const broken = params.facts.has(number)
        ? compareFacts(pageFacts(before, was), pageFacts(after, is), params, number)
        : [];
      return {
        broken,
        look: params.looks.has(number) && broken.length === 0 ? lookAt(before, after, was, params) : null,
      };
    },
    close: () => after.close(),
  };
}

/** Facts that differ and that the action may not change, as codes `gate.<fact>`; `page` null: facts of the document. */
export function compareFacts(
  before: Facts,
  after: Facts,
  { mayChange, mayAdd }: FactLimits,
  page: number | null,
): FixReason[] {
  const isAllowed = (fact: GuardedFact): boolean =>
    mayChange.includes(fact) || (mayAdd.includes(fact) && isAdded(before[fact], after[fact]));
  return (Object.keys(before) as GuardedFact[])
    .filter((fact) => before[fact] !== after[fact] && !isAllowed(fact))
    .map((fact) => ({ code: `gate.${fact}`, params: { page } }));
}

/** Whether a count is no smaller, or a list has all that it had. */
export function isAdded(before = 'null', after = 'null'): boolean {
  const [was, is] = [JSON.parse(before) as unknown, JSON.parse(after) as unknown];
  if (typeof was === 'number' && typeof is === 'number') return is >= was;
  if (!Array.isArray(was) || !Array.isArray(is)) return false;
  const left = is.map((entry) => JSON.stringify(entry));
  return was.every((entry) => {
    const at = left.indexOf(JSON.stringify(entry));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function lookAt(before: PdfFile, after: PdfFile, page: PageFacts, params: GatePageParams): GatePageResult['look'] {
  const { isEdgeTolerant } = params;
  // Redrawn edges are compared at a higher resolution and then averaged, so that shifts below a pixel count less.
  const halvings = !isEdgeTolerant ? 0 : isSmall(page, params.dpi) ? 2 : 1;
  const finer = 2 ** halvings;
  const dpi = fittingDpi(page, { dpi: params.dpi * finer, box: 'trim', pixels: maxPixels });
  const [one, two] = [before, after].map((file) =>
    averaged(renderPreview(file, page.number, { dpi, box: 'trim' }), halvings),
  ) as [Raster, Raster];
  return { ...comparePage(one, two, page, params), dpi: dpi / finer };
}

/** On a small page the edges of one word exceed the limits; it is compared at four times the resolution. */
function isSmall({ effective: { trim }, userUnit }: PageFacts, dpi: number): boolean {
  const scale = (dpi * userUnit) / 72;
  return (trim[2] - trim[0]) * (trim[3] - trim[1]) * scale ** 2 < smallPixels;
}

/** Compares two rasters of the trim area. Rasters of different size differ by 100. */
export function comparePage(before: Raster, after: Raster, page: PageFacts, limits: LookLimits): PictureDifference {
  if (before.width !== after.width || before.height !== after.height)
    return { mean: 100, p999: 100, worst: 100, count: 0 };
  const ignore = declaredPixels(before, page, limits);
  const { width, height } = before;
  // Pixels at the border of the trim are half outside of it.
  const area = width <= 2 || height <= 2 ? undefined : { left: 1, top: 1, width: width - 2, height: height - 2 };
  return comparePictures(before, after, { ignore, isEdgeTolerant: limits.isEdgeTolerant, ...(area && { area }) });
}

/** Pixels of a raster where the action has declared changes, with their anti-aliasing. */
export const declaredPixels = (
  { frame }: Raster,
  page: PageFacts,
  limits: Pick<LookLimits, 'mayLookDifferent' | 'boxes'>,
): PixelRect[] =>
  (limits.mayLookDifferent === 'whereLogged' ? (limits.boxes.get(page.number) ?? []) : [])
    .filter((box) => box[0] <= box[2] && box[1] <= box[3])
    .map((box) => grown(pixelsOf(frame, box)));

/** Halves the width and height of a raster a number of times. */
export function averaged(raster: Raster, halvings: number): Raster {
  let smaller = raster;
  for (let time = 0; time < halvings; time += 1) smaller = halved(smaller);
  return smaller;
}

/** Pixels of a half picture that are looked at together: most of a page is paper. */
const blockPixels = 64;
const paper = Buffer.alloc(blockPixels * 6, 255);
const isPaper = (pixels: Uint8Array, from: number, bytes: number): boolean =>
  paper.compare(pixels, from, from + bytes, 0, bytes) === 0;

/** The means of two rows. */
function halvePixels(upper: Uint8Array, lower: Uint8Array, half: Uint8Array): void {
  for (let from = 0, to = 0; to < half.length; from += 6, to += 3) {
    for (let channel = 0; channel < 3; channel += 1) {
      const at = from + channel;
      const sum = (upper[at] as number) + (upper[at + 3] as number) + (lower[at] as number) + (lower[at + 3] as number);
      half[to + channel] = (sum + 2) >> 2;
    }
  }
}

/** Half the width and height; each pixel is the mean of four. */
function halved(raster: Raster): Raster {
  const [width, height] = [Math.floor(raster.width / 2), Math.floor(raster.height / 2)];
  const row = raster.width * 3;
  const source = raster.pixels;
  const pixels = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += blockPixels) {
      const count = Math.min(blockPixels, width - x);
      const from = 2 * (y * row + x * 3);
      if (isPaper(source, from, count * 6) && isPaper(source, from + row, count * 6)) continue;
      const block = pixels.subarray((y * width + x) * 3, (y * width + x + count) * 3);
      halvePixels(source.subarray(from, from + count * 6), source.subarray(from + row, from + row + count * 6), block);
    }
  }
  const [a, b, c, d, e, f] = raster.frame.toPixel;
  return {
    ...raster,
    width,
    height,
    pixels,
    frame: { ...raster.frame, width, height, toPixel: [a / 2, b / 2, c / 2, d / 2, e / 2, f / 2] },
  };
}

const grown = ({ left, top, width, height }: PixelRect): PixelRect => ({
  left: left - marginPixels,
  top: top - marginPixels,
  width: width + 2 * marginPixels,
  height: height + 2 * marginPixels,
});
