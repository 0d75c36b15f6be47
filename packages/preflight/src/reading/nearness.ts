/** How near objects are to lines at which paper is cut or folded. */
import type { Severity } from '@pdf2press/contract';
import { isEmptyRect, overlap, type Rect } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

/** Whether an object prints nothing on unprinted paper. */
export const isWhite = ({ fill, stroke }: PageObject): boolean =>
  (fill !== null || stroke !== null) && fill?.isWhite !== false && stroke?.isWhite !== false;

/**
 * The box of an object; of text one box per visible glyph, because the box of a text can be larger than its glyphs. Where
 * `within` is given, only those that touch it: text has many glyphs, and few are near a line.
 */
export function boxesOf(object: PageObject, within?: Rect): readonly Rect[] {
  if (object.type !== 'text') return [object.box];
  const { event } = object;
  const clip = event.state.clip.bbox;
  const boxes: Rect[] = [];
  event.eachBox((code, x0, y0, x1, y1) => {
    if (within && (x1 < within[0] || x0 > within[2] || y1 < within[1] || y0 > within[3])) return;
    const unicode = event.unicodeOf(code);
    if (unicode !== '' && unicode.trim() === '') return;
    const box = overlap([x0, y0, x1, y1], clip);
    if (!isEmptyRect(box)) boxes.push(box);
  });
  return boxes;
}

/** Points; allows for rounding. */
const rounding = 0.01;

/** The worst limit that a distance is below; null when it keeps both. */
export function severityAt(distance: number, warn: number, fail: number): Severity | null {
  return distance < fail - rounding ? 'Fail' : distance < warn - rounding ? 'Warn' : null;
}
