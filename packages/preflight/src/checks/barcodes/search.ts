/**
 * Looks for what may be a code on plates that are too coarse to read it: cells with many edges between two tones. Where the
 * modules of a code are two pixels wide or less, it is looked for on the plates themselves; larger ones stand out on smaller
 * pictures of them.
 */
import { type PagePlates, type PixelRect, transformPoint } from '@pdf2press/pdf';
import { type Light, type Lights, reduced, seen } from './reflectance.ts';
import { areaOf, type Block, directionOf, groupsOf, side } from './stripes.ts';
import { mayBeAt, type Where } from './where.ts';

/** An area of the plates that may hold a code. */
export interface Region extends PixelRect {
  /** Whether modules are so large that it can be read on these plates. */
  readonly isCoarse: boolean;
  /** Whether parts of it show in other than red light only. */
  readonly inOther: boolean;
}

/** By how much the plates are made smaller; from `coarse` on, modules are 1 mm and more. */
const reductions = [1, 2, 4, 8] as const;
const coarse = 4;
/** Edges in a cell: of its 512 pairs of neighbours those that differ. Bars of three pixels have 50. */
const fewestEdges = 40;
/** Square millimetres of a linear code of modules of half a millimetre; larger stripes are patterns. */
const largestBars = 8000;
/** A pattern that covers more of the page is none, however large its modules. */
const mostOfPage = 0.5;
/** Edges in all cells of a region; a Data Matrix of 10 modules of 1.5 pixels has 130. */
const fewestInRegion = 90;
/** Share of the pixels of a cell that are nearly as dark or as bright as they can be there; of a photograph it is a third. */
const leastOfTwoTones = 0.4;

/** The areas of a page that may hold a code. */
export function regionsOf(plates: PagePlates, lights: Lights, where: Where): Region[] {
  let { red, other } = lights;
  const found: Region[] = [];
  for (const by of reductions) {
    if (by > 1) {
      red = reduced(red, 2);
      other = other && reduced(other, 2);
    }
    if (red.width < side || red.height < side) break;
    const cells = cellsOf(plates, red, other, where, by);
    const pixel = (25.4 / plates.dpi) * by;
    const most = Math.min(largestBars * by * by, plates.width * plates.height * (pixel / by) ** 2 * mostOfPage);
    for (const group of [...spread(cells), ...bars(cells, red.width, most / pixel ** 2)]) {
      const { left, top, width, height, inOther } = boundsOf(group);
      const pixels = { left: left * by, top: top * by, width: width * by, height: height * by };
      found.push({ ...pixels, inOther, isCoarse: by >= coarse });
    }
  }
  return found;
}

interface Cell {
  column: number;
  row: number;
  edges: number;
  /** Direction of its edges; null when they have several. */
  angle: number | null;
  inOther: boolean;
}

/** The cells in which a code may be. */
function cellsOf(plates: PagePlates, red: Light, other: Light | null, where: Where, by: number): Cell[] {
  const cells: Cell[] = [];
  const { toPoint } = plates.frame;
  const find = (light: Light, column: number, row: number, inOther: boolean): boolean => {
    const edges = edgesIn(light, column * side, row * side);
    if (edges > 0) cells.push({ column, row, edges, angle: directionOf(light, column * side, row * side), inOther });
    return edges > 0;
  };
  for (let row = 0; (row + 1) * side < red.height; row += 1)
    for (let column = 0; (column + 1) * side < red.width; column += 1) {
      const middle = transformPoint(toPoint, (column + 0.5) * side * by, (row + 0.5) * side * by);
      if (!mayBeAt(where, middle)) continue;
      if (!find(red, column, row, false) && other) find(other, column, row, true);
    }
  return cells;
}

/** Neighbouring pixels of a cell that differ; 0 where they are fewer than in a code, or have more than two tones. */
function edgesIn({ pixels, width }: Light, left: number, top: number): number {
  let edges = 0;
  let [least, most] = [255, 0];
  for (let y = top; y < top + side; y += 1)
    for (let at = y * width + left, end = at + side; at < end; at += 1) {
      const value = pixels[at] as number;
      if (value < least) least = value;
      if (value > most) most = value;
      const across = value - (pixels[at + 1] as number);
      const down = value - (pixels[at + width] as number);
      if (across > seen || across < -seen) edges += 1;
      if (down > seen || down < -seen) edges += 1;
    }
  if (edges < fewestEdges) return 0;
  const quarter = (most - least) / 4;
  let pure = 0;
  for (let y = top; y < top + side; y += 1)
    for (let at = y * width + left, end = at + side; at < end; at += 1) {
      const value = pixels[at] as number;
      if (value - least < quarter || most - value < quarter) pure += 1;
    }
  return pure < leastOfTwoTones * side * side ? 0 : edges;
}

/** Cells with edges in several directions that lie together, as those of matrix codes do. */
function spread(cells: readonly Cell[]): Cell[][] {
  const waiting = new Map(cells.flatMap((cell) => (cell.angle === null ? [[keyOf(cell), cell] as const] : [])));
  const groups: Cell[][] = [];
  for (const [key, first] of waiting) {
    waiting.delete(key);
    const group = [first];
    for (let at = 0; at < group.length; at += 1) {
      const { column, row } = group[at] as Cell;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) {
          const near = keyOf({ column: column + dx, row: row + dy });
          const next = waiting.get(near);
          if (!next) continue;
          waiting.delete(near);
          group.push(next);
        }
    }
    if (group.reduce((sum, { edges }) => sum + edges, 0) >= fewestInRegion) groups.push(group);
  }
  return groups;
}

const keyOf = ({ column, row }: { column: number; row: number }): string => `${column} ${row}`;

/** Cells with edges in one direction that lie together and cover no more pixels than bars do. */
function bars(cells: readonly Cell[], width: number, mostPixels: number): Cell[][] {
  const columns = Math.ceil(width / side);
  const blocks = new Map(
    cells.flatMap((cell) =>
      cell.angle === null ? [] : [[cell.row * columns + cell.column, { ...cell, angle: cell.angle }] as const],
    ),
  );
  return groupsOf<Cell & Block>(blocks, columns).filter((group) => {
    const area = areaOf(group);
    return group.length > 1 && area.width * area.height <= mostPixels;
  });
}

/** Pixels that cells cover. */
function boundsOf(group: readonly Cell[]): PixelRect & { inOther: boolean } {
  const [columns, rows] = [group.map(({ column }) => column), group.map(({ row }) => row)];
  const [left, top] = [leastOf(columns), leastOf(rows)];
  return {
    left: left * side,
    top: top * side,
    width: (mostOf(columns) + 1 - left) * side,
    height: (mostOf(rows) + 1 - top) * side,
    inOther: group.some(({ inOther }) => inOther),
  };
}

// Not spread: a group may have more cells than a call may have arguments.
const leastOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const mostOf = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
