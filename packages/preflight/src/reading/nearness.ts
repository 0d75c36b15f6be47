/** How near objects are to lines at which paper is cut or folded. */
import type { Severity } from '@pdf2press/contract';
import { isEmptyRect, overlap, type Rect } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

/** Whether an object prints nothing on unprinted paper. */
export const isWhite = ({ fill, stroke }: PageObject): boolean =>
  (fill !== null || stroke !== null) && fill?.isWhite !== false && stroke?.isWhite !== false;

/** The box of an object; of text one box per visible glyph, because the box of a text can be larger than its glyphs. */
export function boxesOf(object: PageObject): readonly Rect[] {
  if (object.type !== 'text') return [object.box];
  const clip = object.event.state.clip.bbox;
  return object.event
    .glyphs()
    .filter((glyph) => glyph.unicode === '' || glyph.unicode.trim() !== '')
    .map((glyph) => overlap(glyph.bbox, clip))
    .filter((box) => !isEmptyRect(box));
}

/** Points; allows for rounding. */
const rounding = 0.01;

/** The worst limit that a distance is below; null when it keeps both. */
export function severityAt(distance: number, warn: number, fail: number): Severity | null {
  return distance < fail - rounding ? 'Fail' : distance < warn - rounding ? 'Warn' : null;
}
