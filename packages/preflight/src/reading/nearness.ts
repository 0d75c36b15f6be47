/** How near objects are to lines at which paper is cut or folded. */
import type { Severity } from '@pdf2press/contract';
import {
  type Font,
  fontOutlines,
  isEmptyRect,
  overlap,
  type PdfFile,
  type Rect,
  shownOnPage,
  type TextEvent,
  transformRect,
  type VisitBox,
} from '@pdf2press/pdf';
import { boxAround, type PageObject } from './scene.ts';

/** Whether an object prints nothing on unprinted paper. */
export const isWhite = ({ fill, stroke }: PageObject): boolean =>
  (fill !== null || stroke !== null) && fill?.isWhite !== false && stroke?.isWhite !== false;

/**
 * The box of an object; of text one box per visible glyph, because the box of a text can be larger than its glyphs. Only
 * those that may matter: text has many glyphs, and few are near a line. Of these the outline counts: a letter without a
 * descender ends at its baseline, and a capital of 60 pt begins 10 pt below the ascent of its font.
 * @param mayMatter holds for a box that contains one for which it holds; it must not keep the box
 * @param within every box for which it holds touches this rectangle of the page
 */
export function boxesOf(
  file: PdfFile,
  object: PageObject,
  mayMatter: (box: Rect) => boolean,
  within?: Rect,
): readonly Rect[] {
  if (!mayMatter(object.box)) return [];
  if (object.type !== 'text') return [object.box];
  const { event } = object;
  const clip = event.state.clip.bbox;
  const { tiled } = event.place.run;
  const shown = (box: Rect): Rect => shownOnPage(event.place.run, overlap(box, clip));
  const near: { box: Rect; letter: Letter }[] = [];
  const painted: [number, number, number, number] = [0, 0, 0, 0];
  const look: VisitBox = (code, x0, y0, x1, y1, codeBytes, x, y) => {
    painted[0] = x0;
    painted[1] = y0;
    painted[2] = x1;
    painted[3] = y1;
    // What shows of a glyph lies in its box, but in a pattern, where it is somewhere else.
    if (!tiled && !mayMatter(painted)) return;
    const unicode = event.unicodeOf(code);
    if (unicode !== '' && unicode.trim() === '') return;
    const box = shown([x0, y0, x1, y1]);
    if (!isEmptyRect(box) && mayMatter(box)) near.push({ box, letter: { code, codeBytes, x, y } });
  };
  event.eachBox(look, tiled ? undefined : within);
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

/** A code shown, its length in bytes, and its origin on the page. */
interface Letter {
  code: number;
  codeBytes: number;
  x: number;
  y: number;
}

/** Codes of different lengths may be equal. */
const idOf = ({ code, codeBytes }: Letter): number => code * 8 + codeBytes;
const textOf = ({ code, codeBytes }: Letter): string => code.toString(16).padStart(codeBytes * 2, '0');

/** Boxes of outlines by `idOf`, for font size 1; null where there is none. */
const known = new WeakMap<Font, Map<number, Rect | null>>();

function outlineBoxes(
  file: PdfFile,
  font: Font,
  event: TextEvent,
  near: readonly { letter: Letter }[],
): (Rect | null)[] {
  const boxes = known.get(font) ?? new Map<number, Rect | null>();
  known.set(font, boxes);
  const fresh = new Map<number, string>();
  for (const { letter } of near) if (!boxes.has(idOf(letter))) fresh.set(idOf(letter), textOf(letter));
  if (fresh.size > 0) {
    const outlines = fontOutlines(file, font.object, [...fresh.values()]);
    for (const [id, text] of fresh) {
      const points = (outlines.get(text) ?? []).flatMap(([, ...numbers]) => numbers);
      boxes.set(id, points.length > 0 ? boxAround(points) : null);
    }
  }
  const [a, b, c, d] = event.matrix;
  return near.map(({ letter }) => {
    const box = boxes.get(idOf(letter));
    return box ? transformRect([a, b, c, d, letter.x, letter.y], box) : null;
  });
}

/** Points; allows for rounding. */
const rounding = 0.01;

/** The worst limit that a distance is below; null when it keeps both. */
export function severityAt(distance: number, warn: number, fail: number): Severity | null {
  return distance < fail - rounding ? 'Fail' : distance < warn - rounding ? 'Warn' : null;
}
