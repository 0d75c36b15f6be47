/** What a mirror image would show a second time where it can be read: letters and barcodes. */
import { interpretPage, type PathEvent, type PdfFile, type Rect, union } from '@pdf2press/pdf';

const millimetre = 72 / 25.4;
/** No bar of a code for trade is wider: EAN at 200 % has modules of 0.66 mm, four to a bar (GS1 General Specifications 5.12). */
const widestBar = 4 * millimetre;
/** Fewer bars are an ornament; the shortest code of trade, EAN-8, has 22. */
const fewestBars = 15;
/** Fewer modules are a pattern; the smallest 2D codes have over a hundred, several of which may be drawn as one. */
const fewestModules = 60;
/** Modules are larger than a raster's dots and smaller than squares of a table. */
const largestModule = 2.5 * millimetre;

/** Boxes of visible glyphs, and of barcodes drawn as shapes. Page units, before Rotate. */
export function readableBoxes(file: PdfFile, page: number): Rect[] {
  const boxes: Rect[] = [];
  const bars: Rect[] = [];
  interpretPage(file, page, [
    {
      text(event) {
        if (event.paints === 'none') return;
        for (const glyph of event.glyphs()) if (glyph.unicode.trim() !== '') boxes.push(glyph.bbox);
      },
      path: (event) => void bars.push(...barsOf(event)),
    },
  ]);
  return [...boxes, ...barcodes(bars)];
}

/** Rectangles of a path, each by itself; a straight stroke is one as wide as its line. */
function barsOf(event: PathEvent): Rect[] {
  const grow = event.paints === 'fill' ? 0 : event.lineWidth / 2;
  const found: Rect[] = [];
  let points: (readonly [number, number])[] = [];
  const end = (): void => {
    const box = boxOf(points, grow);
    if (box && Math.min(box[2] - box[0], box[3] - box[1]) <= widestBar) found.push(box);
    points = [];
  };
  for (const segment of event.segments()) {
    if (segment[0] === 'C') return [];
    if (segment[0] === 'M') end();
    if (segment[0] === 'M' || segment[0] === 'L') points.push([segment[1], segment[2]]);
  }
  end();
  return found;
}

/** The box of a line or rectangle along the axes; null for any other shape. */
function boxOf(points: readonly (readonly [number, number])[], grow: number): Rect | null {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const box: Rect = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const isOnEdge = ([x, y]: readonly [number, number]): boolean =>
    (near(x, box[0]) || near(x, box[2])) && (near(y, box[1]) || near(y, box[3]));
  if (points.length < 2 || points.length > 5 || !points.every(isOnEdge)) return null;
  const isUpright = box[2] - box[0] < box[3] - box[1];
  const [dx, dy] = isUpright ? [grow, 0] : [0, grow];
  return [box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy];
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.05;
const key = (...values: readonly number[]): string => values.map((value) => Math.round(value * 4)).join();

/** Many bars of one length side by side, or many modules of one size. */
function barcodes(bars: readonly Rect[]): Rect[] {
  const groups = new Map<string, Rect[]>();
  const add = (name: string, bar: Rect): void => {
    const group = groups.get(name) ?? [];
    group.push(bar);
    groups.set(name, group);
  };
  for (const bar of bars) {
    const [width, height] = [bar[2] - bar[0], bar[3] - bar[1]];
    if (height > 2 * width) add(`upright ${key(bar[1], bar[3])}`, bar);
    else if (width > 2 * height) add(`lying ${key(bar[0], bar[2])}`, bar);
    if (Math.max(width, height) <= largestModule) add(`module ${key(width, height)}`, bar);
  }
  return [...groups].flatMap(([name, group]) =>
    group.length >= (name.startsWith('module') ? fewestModules : fewestBars) ? [group.reduce(union)] : [],
  );
}
