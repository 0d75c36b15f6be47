/** Page boxes as actions handle them: read, set, told in the log. */
import { type BoxName, isDict, type PageFacts, type PdfFile, type PdfValue, type Rect, tidyBox } from '@pdf2press/pdf';
import type { FixContext } from '../runner.ts';

export const boxKeys = {
  media: 'MediaBox',
  crop: 'CropBox',
  bleed: 'BleedBox',
  trim: 'TrimBox',
  art: 'ArtBox',
} as const;

export const boxText = (box: readonly number[] | null): string | null =>
  box?.map((edge) => String(Math.round(edge * 1000) / 1000)).join(' ') ?? null;

/** Edges that differ by less are the same: writing rounds there. */
const sameEdge = 0.005;
export const isSameBox = (a: readonly number[] | null, b: readonly number[] | null): boolean =>
  a === b || (a !== null && b !== null && a.every((edge, index) => Math.abs(edge - (b[index] ?? 0)) < sameEdge));

type BoxContext = Pick<FixContext, 'edit' | 'log'>;

/** Sets a box and logs it; nothing happens where it is already so. `null` removes it. */
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

/** Sides as one sees the page, turned to sides of default user space (before Rotate). */
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

/** Pages that have an object of their own: the others cannot be changed one by one. */
export const changeable = (pages: readonly PageFacts[]): PageFacts[] => pages.filter((page) => page.object !== 0);

/** The resources a page draws with: its own, else inherited. */
export function ownResourcesOf(file: PdfFile, page: PageFacts): PdfValue {
  const own = page.dict.map.get('Resources');
  return isDict(file.resolve(own)) && own !== undefined
    ? own
    : (page.resources ?? { kind: 'dict', map: new Map(), stream: 0 });
}
