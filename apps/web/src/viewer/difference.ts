import type { SessionPage } from '@pdf2press/contract';
import { type Size, toArea } from './page-geometry.ts';

/** From the upper left. */
export interface Rectangle extends Size {
  x: number;
  y: number;
}

type Placed = Pick<SessionPage, 'boxes' | 'rotate' | 'widthPt' | 'heightPt'>;

/** Positions of two versions of a page on a common area with their TrimBoxes aligned: points from the upper left. */
export interface Alignment {
  size: Size;
  original: { x: number; y: number };
  production: { x: number; y: number };
}

const trimCorner = (page: Placed) => {
  const area = toArea(page, page.boxes.trim);
  return { x: area.x * page.widthPt, y: area.y * page.heightPt };
};

/** Aligns the upper left corners of the TrimBoxes, because a fix may add bleed and marks around the trim. */
export function alignPages(original: Placed, production: Placed): Alignment {
  const [a, b] = [trimCorner(original), trimCorner(production)];
  const corner = { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) };
  const places = {
    original: { x: corner.x - a.x, y: corner.y - a.y },
    production: { x: corner.x - b.x, y: corner.y - b.y },
  };
  return {
    ...places,
    size: {
      width: Math.max(places.original.x + original.widthPt, places.production.x + production.widthPt),
      height: Math.max(places.original.y + original.heightPt, places.production.y + production.heightPt),
    },
  };
}

/** Differences below this channel value come from image compression. */
const tolerance = 12;
const mark = [214, 0, 110] as const;
/** Opacity of the page behind the marked differences. */
const ghost = 0.28;

/**
 * Compares two RGBA rasters of a size and draws the answer: the page pale and grey, what differs in magenta. Returns the
 * number of pixels that differ. With `slack`, a pixel that lies between its neighbours in the other raster is equal: the
 * two do not share their pixel grid then, so that edges are smoothed differently.
 */
export function markDifferences(
  { width, height }: Size,
  one: Uint8ClampedArray,
  other: Uint8ClampedArray,
  out: Uint8ClampedArray,
  slack = false,
): number {
  let changed = 0;
  for (let at = 0; at < width * height; at += 1) {
    const p = at * 4;
    let differs = false;
    for (let channel = 0; channel < 3 && !differs; channel += 1)
      differs = Math.abs((one[p + channel] ?? 0) - (other[p + channel] ?? 0)) > tolerance;
    if (differs && slack)
      differs = !isBetween({ width, height }, one, other, at) || !isBetween({ width, height }, other, one, at);
    if (differs) changed += 1;
    const luma = 0.299 * (other[p] ?? 255) + 0.587 * (other[p + 1] ?? 255) + 0.114 * (other[p + 2] ?? 255);
    const pale = 255 - (255 - luma) * ghost;
    for (let channel = 0; channel < 3; channel += 1) out[p + channel] = differs ? (mark[channel] ?? 0) : pale;
    out[p + 3] = 255;
  }
  return changed;
}

/** Whether a pixel of one raster lies, channel by channel, within what the other has around the place. */
function isBetween({ width, height }: Size, one: Uint8ClampedArray, other: Uint8ClampedArray, at: number): boolean {
  const [x, y] = [at % width, Math.floor(at / width)];
  for (let channel = 0; channel < 3; channel += 1) {
    let [low, high] = [255, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
        const value = other[(row * width + column) * 4 + channel] ?? 0;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const value = one[at * 4 + channel] ?? 0;
    if (value < low - tolerance || value > high + tolerance) return false;
  }
  return true;
}

/** Changes closer than this belong together, pixels. */
const cell = 24;

/**
 * The areas that differ in a picture by `markDifferences`, in its pixels, from the top down. Its page is grey, so any
 * other colour is a mark.
 */
export function changedAreas({ width, height }: Size, picture: Uint8ClampedArray): Rectangle[] {
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const cells = new Uint8Array(columns * rows);
  for (let at = 0; at < width * height; at += 1)
    if (picture[at * 4] !== picture[at * 4 + 1])
      cells[Math.floor(Math.floor(at / width) / cell) * columns + Math.floor((at % width) / cell)] = 1;
  const areas: Rectangle[] = [];
  for (let first = 0; first < cells.length; first += 1) {
    if (cells[first] === 0) continue;
    cells[first] = 0;
    let [left, top, right, bottom] = [first % columns, Math.floor(first / columns), 0, 0];
    for (const waiting = [first]; waiting.length > 0; ) {
      const at = waiting.pop() ?? first;
      const [x, y] = [at % columns, Math.floor(at / columns)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row += 1)
        for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column += 1) {
          const next = row * columns + column;
          if (cells[next] === 1) waiting.push(next);
          cells[next] = 0;
        }
    }
    areas.push({
      x: left * cell,
      y: top * cell,
      width: Math.min(width, (right + 1) * cell) - left * cell,
      height: Math.min(height, (bottom + 1) * cell) - top * cell,
    });
  }
  return areas;
}
