/** Finds text and barcodes, which must not be mirrored into the bleed because they would be readable twice. */
import {
  interpretPage,
  intersect,
  type PathEvent,
  type PdfFile,
  type Rect,
  type TextEvent,
  union,
} from '@pdf2press/pdf';

const millimetre = 72 / 25.4;
/**
 * Points. The widest bar of a retail barcode: EAN at 200 % has modules of 0.66 mm, up to four per bar (GS1 General
 * Specifications 5.12).
 */
const widestBar = 4 * millimetre;
/** The shortest retail barcode, EAN-8, has 22 bars; fewer bars are an ornament. */
const fewestBars = 15;
/** The smallest 2D barcodes have over a hundred modules, some of which may be drawn as one; fewer are a pattern. */
const fewestModules = 60;
/** Points. Modules are larger than raster dots and smaller than table cells. */
const largestModule = 2.5 * millimetre;

/**
 * Boxes of visible glyphs and of barcodes drawn as shapes, those of annotations and of every use of a form included.
 * Default user space, before Rotate.
 */
export function readableBoxes(file: PdfFile, page: number): Rect[] {
  const boxes: Rect[] = [];
  const bars: Rect[] = [];
  const isSeen = ({ layers, state }: TextEvent | PathEvent): boolean =>
    !state.clip.isEmpty && (layers.isVisible || layers.isPrinted);
  interpretPage(
    file,
    page,
    [
      {
        text(event) {
          if (event.paints === 'none' || !isSeen(event)) return;
          // A glyph whose character is unknown may be a letter.
          for (const glyph of event.glyphs())
            if (glyph.unicode === '' || glyph.unicode.trim() !== '')
              boxes.push(intersect(glyph.bbox, event.state.clip.bbox));
        },
        path: (event) => void (isSeen(event) && bars.push(...barsOf(event))),
      },
    ],
    { annotations: true, everyUse: true },
  );
  return [...boxes, ...barcodes(bars)];
}

/** Rectangles of a path, one per subpath; a straight stroke counts as a rectangle as wide as its line. */
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

/** Box of a line or rectangle parallel to the axes; null for other shapes. */
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

/** Boxes of groups with many bars of equal length side by side, or many modules of equal size. */
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
