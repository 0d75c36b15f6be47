/** Reads and sets page boxes and logs the change. */
import { type BoxName, isDict, type PageFacts, type PdfFile, type PdfValue, type Rect, tidyBox } from '@pdf2press/pdf';
import type { FixContext } from '../kind/runner.ts';

export const boxKeys = {
  media: 'MediaBox',
  crop: 'CropBox',
  bleed: 'BleedBox',
  trim: 'TrimBox',
  art: 'ArtBox',
} as const;

export const boxText = (box: readonly number[] | null): string | null =>
  box?.map((edge) => String(Math.round(edge * 1000) / 1000)).join(' ') ?? null;

/** Points. Smaller differences come from rounding when a file is written. */
const sameEdge = 0.005;
export const isSameBox = (a: readonly number[] | null, b: readonly number[] | null): boolean =>
  a === b || (a !== null && b !== null && a.every((edge, index) => Math.abs(edge - (b[index] ?? 0)) < sameEdge));

type BoxContext = Pick<FixContext, 'edit' | 'log'>;

/**
 * Sets a page box (default user space) and logs it; `null` removes it. Does nothing when the box is already the same.
 */
export function setBox(
  { edit, log }: BoxContext,
  page: PageFacts,
  name: BoxName,
  box: Rect | null,
  parameter?: string,
): boolean {
  const before = page.boxes[name];
  const after = box && tidyBox(box);
  if (isSameBox(before, after)) return false;
  edit.putPage(page, boxKeys[name], after ? [...after] : undefined);
  log({
    what: 'box',
    page: page.number,
    before: boxText(before),
    after: boxText(after),
    params: { box: boxKeys[name] },
    ...(parameter !== undefined && { parameter }),
  });
  return true;
}

export const widthOf = (box: readonly number[]): number => (box[2] ?? 0) - (box[0] ?? 0);
export const heightOf = (box: readonly number[]): number => (box[3] ?? 0) - (box[1] ?? 0);

/** Converts sides of the page as displayed to sides of default user space, before Rotate is applied. */
export function unrotatedSides<T>(
  sides: { left: T; right: T; top: T; bottom: T },
  rotate: PageFacts['rotate'],
): { left: T; right: T; top: T; bottom: T } {
  const { left, right, top, bottom } = sides;
  const turned = {
    0: { left, right, top, bottom },
    90: { left: top, right: bottom, bottom: left, top: right },
    180: { left: right, right: left, top: bottom, bottom: top },
    270: { left: bottom, right: top, bottom: right, top: left },
  };
  return turned[rotate];
}

/** Pages that are indirect objects; other pages cannot be edited one by one. */
export const changeable = (pages: readonly PageFacts[]): PageFacts[] => pages.filter((page) => page.object !== 0);

/** Resources of the page, its own or inherited. */
export function ownResourcesOf(file: PdfFile, page: PageFacts): PdfValue {
  const own = page.dict.map.get('Resources');
  return isDict(file.resolve(own)) && own !== undefined
    ? own
    : (page.resources ?? { kind: 'dict', map: new Map(), stream: 0 });
}
