/** How near objects are to lines at which paper is cut or folded. */
import type { Severity } from '@pdf2press/contract';
import {
  type Font,
  fontOutlines,
  isEmptyRect,
  type OutlineSegment,
  overlap,
  type PdfFile,
  type Rect,
  shownOnPage,
  type TextEvent,
  transformRect,
} from '@pdf2press/pdf';
import { boxAround, type PageObject } from './scene.ts';

/** Whether an object prints nothing on unprinted paper. */
export const isWhite = ({ fill, stroke }: PageObject): boolean =>
  (fill !== null || stroke !== null) && fill?.isWhite !== false && stroke?.isWhite !== false;

/**
 * The box of an object; of text one box per visible glyph, because the box of a text can be larger than its glyphs. Only
 * those that may matter: text has many glyphs, and few are near a line. Of these the outline counts: a letter without a
 * descender ends at its baseline, and a capital of 60 pt begins 10 pt below the ascent of its font.
 */
export function boxesOf(file: PdfFile, object: PageObject, mayMatter: (box: Rect) => boolean): readonly Rect[] {
  if (object.type !== 'text') return mayMatter(object.box) ? [object.box] : [];
  const { event } = object;
  const clip = event.state.clip.bbox;
  const shown = (box: Rect): Rect => shownOnPage(event.place.run, overlap(box, clip));
  const near: { at: number; box: Rect }[] = [];
  let at = -1;
  event.eachBox((code, x0, y0, x1, y1) => {
    at += 1;
    const unicode = event.unicodeOf(code);
    if (unicode !== '' && unicode.trim() === '') return;
    const box = shown([x0, y0, x1, y1]);
    if (!isEmptyRect(box) && mayMatter(box)) near.push({ at, box });
  });
  const font = near.length > 0 ? fontWithOutlines(event) : null;
  if (!font) return near.map(({ box }) => box);
  return outlineBoxes(file, font, event, near)
    .map((box, index) => (box ? shown(box) : (near[index]?.box as Rect)))
    .filter((box) => !isEmptyRect(box) && mayMatter(box));
}

/** Strokes go beyond the outline, raised text has another origin, and Type 3 glyphs are content of their own. */
const fontWithOutlines = ({ font, paints, state }: TextEvent): Font | null =>
  font && font.object !== 0 && font.type !== 'Type3' && !font.isVertical && paints === 'fill' && state.text.rise === 0
    ? font
    : null;

/** Boxes of outlines by code, for font size 1; null where there is none. */
const known = new WeakMap<Font, Map<string, Rect | null>>();

function outlineBoxes(file: PdfFile, font: Font, event: TextEvent, near: readonly { at: number }[]): (Rect | null)[] {
  const boxes = known.get(font) ?? new Map<string, Rect | null>();
  known.set(font, boxes);
  // Only those that are near: a text may have thousands of glyphs, and what lists them keeps them all.
  const letters: { key: string; x: number; y: number }[] = [];
  let at = -1;
  event.eachCode((code, codeBytes, x, y) => {
    at += 1;
    if (near[letters.length]?.at !== at) return;
    letters.push({ key: code.toString(16).padStart(codeBytes * 2, '0'), x, y });
  });
  const fresh = [...new Set(letters.map(({ key }) => key))].filter((key) => !boxes.has(key));
  const outlines = fresh.length > 0 ? fontOutlines(file, font.object, fresh) : new Map<string, OutlineSegment[]>();
  for (const key of fresh) {
    const points = (outlines.get(key) ?? []).flatMap(([, ...numbers]) => numbers);
    boxes.set(key, points.length > 0 ? boxAround(points) : null);
  }
  const [a, b, c, d] = event.matrix;
  return letters.map(({ key, x, y }) => {
    const box = boxes.get(key);
    return box ? transformRect([a, b, c, d, x, y], box) : null;
  });
}

/** Points; allows for rounding. */
const rounding = 0.01;

/** The worst limit that a distance is below; null when it keeps both. */
export function severityAt(distance: number, warn: number, fail: number): Severity | null {
  return distance < fail - rounding ? 'Fail' : distance < warn - rounding ? 'Warn' : null;
}
