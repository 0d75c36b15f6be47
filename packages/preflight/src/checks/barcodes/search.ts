/**
 * Looks for what may be a code on plates that are too coarse to read it: cells with many edges between two tones. Where the
 * modules of a code are two pixels wide or less, it is looked for on the plates themselves; larger ones stand out on smaller
 * pictures of them.
 */
import { type PagePlates, type PixelRect, transformPoint } from '@pdf2press/pdf';
import { type Light, type Lights, reduced, seen } from './reflectance.ts';
import { areaOf, areRegular, type Block, directionOf, groupsOf, side } from './stripes.ts';
import { mayBeAt, type Where } from './where.ts';

/** An area of the plates that may hold a code. */
export interface Region extends PixelRect {
  /** Whether modules are so large that it can be read on these plates. */
  readonly isCoarse: boolean;
  /** Whether parts of it show in other than red light only. */
  readonly inOther: boolean;
  /** Whether its edges run in several directions, as those of matrix codes do. */
  readonly isSpread: boolean;
}

/** By how much the plates are made smaller; from `coarse` on, modules are 1 mm and more. */
const reductions = [1, 2, 4, 8] as const;
const coarse = 4;
/** Edges in a cell: of its 512 pairs of neighbours those that differ. A quarter of the smallest Data Matrix has 30, a line 16. */
const fewestEdges = 24;
/** Square millimetres of a linear code of modules of half a millimetre; larger stripes are patterns. */
const largestBars = 8000;
/** A pattern that covers more of the page is none, however large its modules. */
const mostOfPage = 0.5;
/** Edges in all cells of a region; a Data Matrix of 10 modules of 1.5 pixels has 110. */
const fewestInRegion = 80;
/**
 * Share of the pixels of a cell that are nearly as dark or as bright as they can be there, and of its edges that go at least
 * half the way between its tones at once; of many cells of photographs they are less. Bars that stand aslant have more
 * pixels in between, and few other things have edges in one direction.
 */
const clear = { pure: 0.55, sharp: 0.3 };
const clearBars = { pure: 0.35, sharp: 0.15 };
/** Small codes are readable only where nearly all edges are sharp; of photographs only few cells beside each other are. */
const smallGroup = { cells: 6, leastSharp: 0.6 };
/** Codes fill the box around them, but for turned ones half. */
const leastFilled = 0.35;

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
    const add = (group: readonly Cell[], isSpread: boolean): void => {
      const { left, top, width, height, inOther } = boundsOf(group);
      const pixels = { left: left * by, top: top * by, width: width * by, height: height * by };
      found.push({ ...pixels, inOther, isCoarse: by >= coarse, isSpread });
    };
    for (const group of spread(cells)) add(group, true);
    for (const group of bars(cells, red, other, most / pixel ** 2)) add(group, false);
  }
  return found;
}

interface Cell {
  column: number;
  row: number;
  edges: number;
  /** How many of them are sharp. */
  sharp: number;
  /** Direction of its edges; null when they have several. */
  angle: number | null;
  inOther: boolean;
}

/** The cells in which a code may be. */
function cellsOf(plates: PagePlates, red: Light, other: Light | null, where: Where, by: number): Cell[] {
  const cells: Cell[] = [];
  const { toPoint } = plates.frame;
  const find = (light: Light, column: number, row: number, inOther: boolean): boolean => {
    const angle = directionOf(light, column * side, row * side);
    const found = edgesIn(light, column * side, row * side, angle === null ? clear : clearBars);
    if (found) cells.push({ column, row, ...found, angle, inOther });
    return found !== null;
  };
  for (let row = 0; (row + 1) * side < red.height; row += 1)
    for (let column = 0; (column + 1) * side < red.width; column += 1) {
      const middle = transformPoint(toPoint, (column + 0.5) * side * by, (row + 0.5) * side * by);
      if (!mayBeAt(where, middle)) continue;
      if (!find(red, column, row, false) && other) find(other, column, row, true);
    }
  return cells;
}

/** Neighbouring pixels of a cell that differ; null where they are fewer than in a code, soft, or of more than two tones. */
function edgesIn(
  { pixels, width }: Light,
  left: number,
  top: number,
  least: typeof clear,
): { edges: number; sharp: number } | null {
  let edges = 0;
  let [dark, bright] = [255, 0];
  for (let y = top; y < top + side; y += 1)
    for (let at = y * width + left, end = at + side; at < end; at += 1) {
      const value = pixels[at] as number;
      if (value < dark) dark = value;
      if (value > bright) bright = value;
      const across = value - (pixels[at + 1] as number);
      const down = value - (pixels[at + width] as number);
      if (across > seen || across < -seen) edges += 1;
      if (down > seen || down < -seen) edges += 1;
    }
  if (edges < fewestEdges) return null;
  const [half, quarter] = [(bright - dark) / 2, (bright - dark) / 4];
  let [pure, sharp] = [0, 0];
  for (let y = top; y < top + side; y += 1)
    for (let at = y * width + left, end = at + side; at < end; at += 1) {
      const value = pixels[at] as number;
      if (value - dark < quarter || bright - value < quarter) pure += 1;
      if (Math.abs(value - (pixels[at + 1] as number)) > half) sharp += 1;
      if (Math.abs(value - (pixels[at + width] as number)) > half) sharp += 1;
    }
  return pure < least.pure * side * side || sharp < least.sharp * edges ? null : { edges, sharp };
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
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const near = keyOf({ column: column + dx, row: row + dy });
          const next = waiting.get(near);
          if (!next) continue;
          waiting.delete(near);
          group.push(next);
        }
    }
    if (isCompact(group)) groups.push(group);
  }
  return groups;
}

function isCompact(group: readonly Cell[]): boolean {
  const edges = group.reduce((sum, cell) => sum + cell.edges, 0);
  if (edges < fewestInRegion) return false;
  if (group.length <= smallGroup.cells) {
    const sharp = group.reduce((sum, cell) => sum + cell.sharp, 0);
    return sharp >= smallGroup.leastSharp * edges;
  }
  const { width, height } = boundsOf(group);
  return group.length >= leastFilled * (width / side) * (height / side);
}

const keyOf = ({ column, row }: { column: number; row: number }): string => `${column} ${row}`;

/** Cells with edges in one direction that lie together and cover no more pixels than bars do. */
function bars(cells: readonly Cell[], red: Light, other: Light | null, mostPixels: number): Cell[][] {
  const columns = Math.ceil(red.width / side);
  const blocks = new Map(
    cells.flatMap((cell) =>
      cell.angle === null ? [] : [[cell.row * columns + cell.column, { ...cell, angle: cell.angle }] as const],
    ),
  );
  return groupsOf<Cell & Block>(blocks, columns).filter((group) => {
    const area = areaOf(group);
    if (group.length < 2 || area.width * area.height > mostPixels) return false;
    return !areRegular(other && group.some(({ inOther }) => inOther) ? other : red, area);
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
