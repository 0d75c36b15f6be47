/**
 * A coarse raster of the ink painted so far, so that a check can tell whether an object overlaps earlier ones. A white
 * rectangle clears the cells it covers; any other object marks the cells it touches.
 */
import type { PathSegment, Rect } from '@pdf2press/pdf';
import { isEmptyRect, isOnlyBlack, overlap } from '@pdf2press/pdf';
import { isTiledOnly, type PageObject } from './scene.ts';

export interface InkGrid {
  /** Whether there is ink under an object that is not in the grid yet. `colour` ignores ink that is only black. */
  isUnder: (object: PageObject, what?: 'any' | 'colour') => boolean;
  /** Kinds of the objects under it. */
  kindsUnder: (object: PageObject) => PageObject['type'][];
  paint: (object: PageObject) => void;
}

/** Bits of a cell: ink, ink that is not only black, and one for each kind of object. */
const [any, colour] = [1, 2];
const kinds = { text: 4, vector: 8, image: 16, shading: 32 } as const satisfies Record<PageObject['type'], number>;

/** Cells along the longer side. 256 give 3.3 pt on A4, less than the height of the smallest text. */
const cells = 256;

/**
 * First and last cell whose centre is inside an interval; boxes that only touch share no cell. An interval thinner than a
 * cell gets the cell it is in. With `covered`, only cells that are completely inside.
 */
function centres(from: number, to: number, covered: boolean): [number, number] {
  if (covered) return [Math.ceil(from - 1e-3), Math.floor(to + 1e-3) - 1];
  const [first, last] = [Math.ceil(from - 0.5), Math.floor(to - 0.5)];
  if (first <= last) return [first, last];
  const only = Math.floor((from + to) / 2);
  return [only, only];
}

/** An empty grid over an area in default user space. */
export function createInkGrid(area: Rect): InkGrid {
  const size = Math.max(area[2] - area[0], area[3] - area[1], 1) / cells;
  const columns = Math.max(1, Math.ceil((area[2] - area[0]) / size));
  const rows = Math.max(1, Math.ceil((area[3] - area[1]) / size));
  const ink = new Uint8Array(columns * rows);

  /** Calls `work` with the cells of each row that a box touches or, with `inside`, covers; stops when it returns true. */
  const eachRow = (box: Rect, inside: boolean, work: (from: number, to: number) => boolean): boolean => {
    const part = overlap(box, area);
    if (isEmptyRect(part)) return false;
    const [x0, y0, x1, y1] = part.map((value, i) => (value - (area[i % 2] ?? 0)) / size) as [
      number,
      number,
      number,
      number,
    ];
    const [left, right] = centres(x0, x1, inside);
    const [top, bottom] = centres(y0, y1, inside);
    for (let row = Math.max(0, top); row <= Math.min(rows - 1, bottom); row += 1) {
      const from = row * columns + Math.max(0, left);
      const to = row * columns + Math.min(columns - 1, right);
      if (to >= from && work(from, to + 1)) return true;
    }
    return false;
  };
  const wipe = (box: Rect) => {
    eachRow(box, true, (from, to) => {
      ink.fill(0, from, to);
      return false;
    });
  };
  const fill = (box: Rect, bits: number) => {
    eachRow(box, false, (from, to) => {
      for (let i = from; i < to; i += 1) ink[i] = (ink[i] ?? 0) | bits;
      return false;
    });
  };
  const hasInk = (box: Rect, bit: number): boolean =>
    eachRow(box, false, (from, to) => {
      for (let i = from; i < to; i += 1) if (((ink[i] ?? 0) & bit) !== 0) return true;
      return false;
    });

  return {
    isUnder: (object, what = 'any') => {
      const bit = what === 'any' ? any : colour;
      return partsOf(object, size).some((box) => hasInk(box, bit));
    },
    kindsUnder: (object) => {
      const parts = partsOf(object, size);
      const names = Object.keys(kinds) as PageObject['type'][];
      return names.filter((name) => parts.some((box) => hasInk(box, kinds[name])));
    },
    paint(object) {
      // What is painted with a tiling pattern are the objects of its cell.
      if (object.hidden !== null || isTiledOnly(object)) return;
      const inks = object.fill ?? object.stroke;
      if (inks?.isWhite) {
        if (wipes(object)) wipe(object.box);
        return;
      }
      const bits = (isBlackAlone(object) ? any : any | colour) | kinds[object.type];
      for (const part of partsOf(object, size)) fill(part, bits);
    },
  };
}

/** Only black ink, in any tint: text and paths in K, images in DeviceGray. */
function isBlackAlone({ type, fill, stroke, event }: PageObject): boolean {
  if (type === 'image' && !event.image.isStencil) return event.image.space?.family === 'DeviceGray';
  const inks = [fill, stroke].filter((each) => each !== null);
  return inks.length > 0 && inks.every((each) => each.isWhite || isOnlyBlack(each));
}

/**
 * Only white rectangles that knock out clear cells; of other white shapes, and of those in a pattern, the covered area is
 * not known.
 */
function wipes(object: PageObject): boolean {
  const { state } = object.event;
  return (
    object.type === 'vector' &&
    object.event.isRect &&
    object.event.place.run.tiled === null &&
    object.event.paints !== 'stroke' &&
    !state.fillOverprint &&
    state.fillAlpha > 0.999 &&
    state.blendMode === 'Normal'
  );
}

/** The boxes that an object marks: its box, or short pieces along a stroked path, so that a frame does not mark its inside. */
function partsOf(object: PageObject, size: number): readonly Rect[] {
  if (object.type !== 'vector' || object.event.paints !== 'stroke' || object.event.place.run.tiled) return [object.box];
  const half = object.event.lineWidth / 2;
  const parts: Rect[] = [];
  let x = 0;
  let y = 0;
  let start: [number, number] = [0, 0];
  const line = (toX: number, toY: number) => {
    const steps = Math.min(cells, Math.max(1, Math.ceil(Math.max(Math.abs(toX - x), Math.abs(toY - y)) / size)));
    const isStraight = toX === x || toY === y;
    const count = isStraight ? 1 : steps;
    for (let i = 0; i < count; i += 1) {
      const [ax, ay] = [x + ((toX - x) * i) / count, y + ((toY - y) * i) / count];
      const [bx, by] = [x + ((toX - x) * (i + 1)) / count, y + ((toY - y) * (i + 1)) / count];
      const box = overlap(
        [Math.min(ax, bx) - half, Math.min(ay, by) - half, Math.max(ax, bx) + half, Math.max(ay, by) + half],
        object.box,
      );
      if (!isEmptyRect(box)) parts.push(box);
    }
    [x, y] = [toX, toY];
  };
  for (const segment of object.event.segments()) {
    if (parts.length > 4 * cells) return [object.box];
    follow(segment);
  }
  return parts;

  function follow(segment: PathSegment): void {
    if (segment[0] === 'Z') line(start[0], start[1]);
    else if (segment[0] === 'M') {
      [x, y] = [segment[1], segment[2]];
      start = [x, y];
    } else if (segment[0] === 'L') line(segment[1], segment[2]);
    else {
      const [, x1, y1, x2, y2, x3, y3] = segment;
      const [x0, y0] = [x, y];
      for (let t = 0.125; t <= 1; t += 0.125) {
        const s = 1 - t;
        const at = (a: number, b: number, c: number, d: number) =>
          s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
        line(at(x0, x1, x2, x3), at(y0, y1, y2, y3));
      }
    }
  }
}
