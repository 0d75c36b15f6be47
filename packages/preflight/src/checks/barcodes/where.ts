/** Where codes may be on a page, by what paints it: pictures, shapes, and glyphs that are bars. */
import { isEmptyRect, overlap, type Rect } from '@pdf2press/pdf';
import type { PageArea } from '../../reading/page-area.ts';
import type { PageObject } from '../../reading/scene.ts';

/** A bit for each cell of a grid over the page: whether a code may be there. Plain data: it passes between threads. */
export interface Where {
  readonly x: number;
  readonly y: number;
  /** Side of a cell in default user space. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  readonly bits: Uint8Array;
}

/** Fewer shapes are no code: UPC-E has 17 bars. */
const fewestShapes = 15;
/** The smallest code is a Data Matrix of 10 modules of 0.25 mm. */
const smallest = 7;
/** Pictures of codes are not larger; what is written over a larger one is no part of a code in it. */
const largestOfItsOwn = 340;
/** Cells are not smaller than the smallest code, and no more than these. */
const mostCells = 40_000;
/** Type that is larger may surround a code; what is smaller cannot lie where one is. */
const largestType = 40;
/** Of the size of type: half of what is between its lines at most. */
const betweenLines = 0.3;
/** So many shapes touch a cell where a small code is; captions and tables have fewer. */
const dense = 6;
/** Fonts whose glyphs are bars, by their names (those of Type 3 also by their glyphs); their codes are text for everybody else. */
const barFont =
  /bar ?code|idautomation|2 ?of ?5|3 ?of ?9|data ?matrix|code[-_ ]?(?:128|39|93|25)|(?:^|[^a-z])(?:c(?:128|39)|ean|upc|itf|gs1|qr)(?![a-z])/i;

/** Bits of a cell; the rest of it counts shapes. */
const [picture, type, own, drawnType] = [1, 2, 4, 8];
const oneShape = 16;

/** Collects the objects of a page; `end` is null where nothing on it looks like a code. */
export function createWhere({ media, scale }: PageArea): {
  add: (object: PageObject) => void;
  end: () => Where | null;
} {
  const [width, height] = [media[2] - media[0], media[3] - media[1]];
  const cell = Math.max(smallest / scale, Math.sqrt((width * height) / mostCells));
  const [columns, rows] = [Math.max(1, Math.ceil(width / cell)), Math.max(1, Math.ceil(height / cell))];
  const cells = new Uint8Array(columns * rows);
  let shapes = 0;
  let hasOthers = false;
  let hasBarGlyphs = false;
  /** The longest side of a glyph that is a bar: how far one may reach beyond the box of its text, which is that of its width. */
  let longestBar = 0;

  /** Changes each cell whose middle lies in a box with so much around it. */
  function each(box: Rect, by: number, change: (value: number) => number): void {
    const from = (at: number) => Math.max(0, Math.ceil((at - by) / cell - 0.5));
    const to = (at: number) => Math.floor((at + by) / cell - 0.5);
    const [left, right] = [from(box[0] - media[0]), Math.min(columns - 1, to(box[2] - media[0]))];
    const [bottom, top] = [from(box[1] - media[1]), Math.min(rows - 1, to(box[3] - media[1]))];
    for (let row = bottom; row <= top; row += 1)
      for (let column = left; column <= right; column += 1) {
        const at = row * columns + column;
        cells[at] = change(cells[at] as number);
      }
  }

  const addPicture = (box: Rect): void => {
    const sides = [(box[2] - box[0]) * scale, (box[3] - box[1]) * scale];
    if (Math.min(...sides) < smallest) return;
    hasOthers = true;
    const bits = Math.max(...sides) <= largestOfItsOwn ? picture | own : picture;
    each(box, cell, (value) => value | bits);
  };
  const addShapes = (box: Rect, count: number): void => {
    shapes = Math.min(fewestShapes, shapes + count);
    // The parts of one path lie close together.
    const step = oneShape * Math.min(count, dense);
    each(box, cell, (value) => Math.min(value + step, 255 - ((255 - value) % oneShape)));
  };

  return {
    add(object) {
      if (object.hidden !== null) return;
      const box = overlap(object.box, media);
      if (isEmptyRect(box)) return;
      if (object.type === 'text' && object.event.kind === 'text') {
        if (barFont.test(object.event.font?.name ?? '')) {
          hasOthers = true;
          each(box, cell, (value) => value | picture | own);
        } else if (object.event.font?.type === 'Type3') {
          each(box, cell + longestBar, (value) => value | drawnType);
          // The space between lines belongs to them.
        } else if (isLine(object, box)) each(box, object.event.effectiveSize * betweenLines, (value) => value | type);
      } else if (object.inGlyph && isBar(object)) {
        hasBarGlyphs = true;
        longestBar = Math.max(longestBar, box[2] - box[0], box[3] - box[1]);
        each(box, cell, (value) => value | drawnType);
      } else if (isPicture(object)) addPicture(box);
      else {
        const count = shapesIn(object, fewestShapes);
        if (count > 0) addShapes(box, count);
      }
    },
    end() {
      const countsShapes = shapes >= fewestShapes;
      if (!hasOthers && !hasBarGlyphs && !countsShapes) return null;
      const bits = new Uint8Array(Math.ceil(cells.length / 8));
      for (let at = 0; at < cells.length; at += 1) {
        const value = cells[at] as number;
        const count = countsShapes ? Math.floor(value / oneShape) : 0;
        const isOwn = value & own || (hasBarGlyphs && value & drawnType);
        if (isOwn || count >= dense || ((value & picture || count > 0) && !(value & type)))
          bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
      }
      return { x: media[0], y: media[1], cell, columns, rows, bits };
    },
  };

  /** Upright or lying text of a usual size: the box around it is filled with it. */
  function isLine({ event }: PageObject & { type: 'text' }, box: Rect): boolean {
    const size = event.effectiveSize;
    return size * scale <= largestType && Math.min(box[2] - box[0], box[3] - box[1]) <= size * 1.6;
  }
}

/** Whether a code may be at a point. */
export function mayBeAt({ x, y, cell, columns, rows, bits }: Where, [px, py]: readonly [number, number]): boolean {
  const [column, row] = [Math.floor((px - x) / cell), Math.floor((py - y) / cell)];
  if (column < 0 || row < 0 || column >= columns || row >= rows) return false;
  const at = row * columns + column;
  return ((bits[at >> 3] as number) & (1 << (at & 7))) !== 0;
}

/** Glyphs of Type 3 fonts that are bars or dots: those of letters have more corners, or are pictures. */
const isBar = ({ type: kind, event }: PageObject): boolean => kind === 'vector' && event.segmentCount < 7;

const isPicture = ({ type: kind, event }: PageObject): boolean =>
  kind === 'image' && Math.min(event.image.width, event.image.height) > 1;

/** Parts of a path that may be bars or dots; no more are counted than are asked for. */
function shapesIn(object: PageObject, most: number): number {
  if (object.type === 'shading' || object.type === 'text') return 0;
  if (object.type === 'image') return object.event.image.width * object.event.image.height === 1 ? 1 : 0;
  const { event } = object;
  if (event.isRect || event.segmentCount < 8) return 1;
  return Math.min(most, event.segments().filter(([letter]) => letter === 'M').length);
}
