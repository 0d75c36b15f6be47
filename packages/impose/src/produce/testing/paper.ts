/*
 * Paper, and what a bindery does with it: turn, cut, stack, fold, nest. It knows printed sheets only: nothing of how they
 * were planned, so that the planner and this file are unlikely to have the same error.
 */

export interface Vector {
  x: number;
  y: number;
}

/** A printed page: three corners of its trim, where they lie on the paper. */
export interface Print {
  page: number;
  /** The corner at the beginning of the page's foot, and the vectors along its foot and up its side. */
  corner: Vector;
  along: Vector;
  up: Vector;
}

/** One side of a sheet as it lies there face up. */
export interface Side {
  prints: Print[];
  /** Dashed lines: where to fold. */
  folds: Line[];
  /** Solid lines: where to cut. */
  cuts: Line[];
}

/** An upright line at an x, or a level one at a y. */
export interface Line {
  axis: 'x' | 'y';
  at: number;
}

export interface Sheet {
  width: number;
  height: number;
  /** How the press turns the sheet for its back: about its upright axis or about its level axis. */
  turning: 'Turn' | 'Tumble';
  front: Side;
  /** As it lies there face up, after turning. */
  back: Side | null;
}

export const tolerance = 0.05;

export class PaperFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PaperFault';
  }
}

export const spoiled = (message: string): never => {
  throw new PaperFault(message);
};

export const plus = (a: Vector, b: Vector): Vector => ({ x: a.x + b.x, y: a.y + b.y });
const times = ({ x, y }: Vector, factor: number): Vector => ({ x: x * factor, y: y * factor });
export const centreOf = ({ corner, along, up }: Print): Vector => plus(corner, times(plus(along, up), 0.5));
export const isNear = (a: number, b: number, within = tolerance) => Math.abs(a - b) <= within;
const isSame = (a: Vector, b: Vector, within = tolerance) => isNear(a.x, b.x, within) && isNear(a.y, b.y, within);
const length = ({ x, y }: Vector) => Math.hypot(x, y);

/** A print through the paper: where it lies when the sheet is seen from the front. */
function through(print: Print, { turning, width, height }: Sheet): Print {
  const point = ({ x, y }: Vector): Vector => (turning === 'Turn' ? { x: width - x, y } : { x, y: height - y });
  const vector = ({ x, y }: Vector): Vector => (turning === 'Turn' ? { x: -x, y } : { x, y: -y });
  return { ...print, corner: point(print.corner), along: vector(print.along), up: vector(print.up) };
}

export const backThrough = (sheet: Sheet): Print[] => (sheet.back?.prints ?? []).map((print) => through(print, sheet));

/** A piece of paper with at most one page on each side; both as seen from the front, the back through the paper. */
export interface Leaf {
  front: Print | null;
  back: Print | null;
}

/** Both pages of a leaf are read by turning it like the leaf of a book about its upright axis. */
export function checkLeaf({ front, back }: Leaf): void {
  if (front && !isFacing(front)) spoiled(`page ${front.page} is mirrored`);
  if (back && isFacing(back)) spoiled(`page ${back.page} is mirrored`);
  if (!front || !back) return;
  if (!isSame(times(front.up, 1 / length(front.up)), times(back.up, 1 / length(back.up)), 0.001))
    spoiled(`page ${back.page} stands on its head behind page ${front.page}`);
}

/** Whether a print can be read from here; otherwise it is on the other side of the paper. */
const isFacing = ({ along, up }: Print) => along.x * up.y - along.y * up.x > 0;

/* Cutting */

/** Places of pieces in rows from the top, each from the left: where anything is printed on any sheet of the pile. */
export function placesOf(sheets: readonly Sheet[]): Vector[][] {
  const places: Vector[] = [];
  for (const sheet of sheets) {
    for (const print of [...sheet.front.prints, ...backThrough(sheet)]) {
      const centre = centreOf(print);
      if (!places.some((place) => isSame(place, centre))) places.push(centre);
    }
  }
  const rows: Vector[][] = [];
  for (const place of places.sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row?.[0] && isNear(row[0].y, place.y)) row.push(place);
    else rows.push([place]);
  }
  return rows.map((row) => row.sort((a, b) => a.x - b.x));
}

/** Cuts one piece out of a sheet. */
export function cutOut(sheet: Sheet, place: Vector): Leaf {
  const pick = (prints: readonly Print[]): Print | null => {
    const here = prints.filter((print) => isSame(centreOf(print), place));
    if (here.length > 1) spoiled(`${here.length} pages lie on each other`);
    return here[0] ?? null;
  };
  const leaf = { front: pick(sheet.front.prints), back: pick(backThrough(sheet)) };
  checkLeaf(leaf);
  return leaf;
}

/** Every page lies on the sheet and not on another page. */
export function checkSheet(sheet: Sheet): void {
  for (const prints of [sheet.front.prints, backThrough(sheet)]) {
    const boxes = prints.map((print) => ({ page: print.page, ...boxOf(print) }));
    for (const [i, a] of boxes.entries()) {
      if (
        a.left < -tolerance ||
        a.bottom < -tolerance ||
        a.right > sheet.width + tolerance ||
        a.top > sheet.height + tolerance
      )
        spoiled(`page ${a.page} hangs over the sheet`);
      for (const b of boxes.slice(i + 1)) {
        const isOver =
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance &&
          Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom) > tolerance;
        if (isOver) spoiled(`page ${a.page} lies on page ${b.page}`);
      }
    }
  }
}

export function boxOf({ corner, along, up }: Print) {
  const far = plus(plus(corner, along), up);
  return {
    left: Math.min(corner.x, far.x),
    right: Math.max(corner.x, far.x),
    bottom: Math.min(corner.y, far.y),
    top: Math.max(corner.y, far.y),
  };
}

/* Folding */

/** A layer of a folded sheet: a part of it, and where it lies now. Its coordinates are `sign` × those of the sheet + `shift`. */
interface Layer {
  /** The part of the unfolded sheet. */
  part: { left: number; right: number; bottom: number; top: number };
  sign: Vector;
  shift: Vector;
  isFrontUp: boolean;
}

/** A fold: the part beyond the crease, on its `side`, goes under or over the rest. */
export interface PaperFold {
  side: 'L' | 'R' | 'T' | 'B';
  isOver: boolean;
  /** Which of the creases still to be made, counted from 0 on the fold's side. */
  crease: number;
}

const axisOf = (side: PaperFold['side']): 'x' | 'y' => (side === 'L' || side === 'R' ? 'x' : 'y');
const ends = { x: ['left', 'right'], y: ['bottom', 'top'] } as const;

/** Where the marks of an axis lie that cross the folded sheet now. Those that meet are one. */
function creasesNow(layers: readonly Layer[], sheet: Sheet, axis: 'x' | 'y'): number[] {
  const found: number[] = [];
  for (const { part, sign, shift } of layers) {
    for (const mark of sheet.front.folds) {
      const [low, high] = ends[axis];
      if (mark.axis !== axis || mark.at <= part[low] + tolerance || mark.at >= part[high] - tolerance) continue;
      const at = sign[axis] * mark.at + shift[axis];
      if (!found.some((other) => isNear(other, at))) found.push(at);
    }
  }
  return found.sort((a, b) => a - b);
}

function foldOnce(layers: readonly Layer[], sheet: Sheet, { side, isOver, crease }: PaperFold): Layer[] {
  const axis = axisOf(side);
  const marks = creasesNow(layers, sheet, axis);
  const isLow = side === 'L' || side === 'B';
  const at = marks[isLow ? crease : marks.length - 1 - crease] ?? spoiled(`the fold ${side} has ${marks.length} marks`);
  const [low, high] = ends[axis];
  const kept: Layer[] = [];
  const moved: Layer[] = [];
  for (const layer of layers) {
    const own = layer.sign[axis] * (at - layer.shift[axis]);
    // The side of the crease that moves, in the coordinates of the unfolded sheet.
    const isLowPart = isLow === layer.sign[axis] > 0;
    const { part } = layer;
    const lower = { ...part, [high]: Math.min(part[high], own) };
    const upper = { ...part, [low]: Math.max(part[low], own) };
    const [goes, stays] = isLowPart ? [lower, upper] : [upper, lower];
    if (stays[high] - stays[low] > tolerance) kept.push({ ...layer, part: stays });
    if (goes[high] - goes[low] > tolerance)
      moved.unshift({
        part: goes,
        sign: { ...layer.sign, [axis]: -layer.sign[axis] },
        shift: { ...layer.shift, [axis]: 2 * at - layer.shift[axis] },
        isFrontUp: !layer.isFrontUp,
      });
  }
  return isOver ? [...moved, ...kept] : [...kept, ...moved];
}

/** A sheet that is cut at its outermost marks, so that nothing sticks out when it is folded. */
function trimmed({ width, height, front }: Sheet): Layer[] {
  const marks = (axis: 'x' | 'y') => front.cuts.filter((line) => line.axis === axis).map(({ at }) => at);
  const [x, y] = [marks('x'), marks('y')];
  const part = {
    left: Math.min(width, ...x),
    right: Math.max(0, ...x),
    bottom: Math.min(height, ...y),
    top: Math.max(0, ...y),
  };
  return [{ part, sign: { x: 1, y: 1 }, shift: { x: 0, y: 0 }, isFrontUp: true }];
}

/** The leaves of a folded sheet from the top, as they lie now: `front` is what is seen from above. */
export function folded(sheet: Sheet, folds: readonly PaperFold[]): Leaf[] {
  let layers = trimmed(sheet);
  for (const fold of folds) layers = foldOnce(layers, sheet, fold);
  for (const axis of ['x', 'y'] as const)
    if (creasesNow(layers, sheet, axis).length > 0) spoiled('a fold mark is left where nothing is folded');
  const behind = backThrough(sheet);
  let used = 0;
  const leaves = layers.map(({ part, sign, shift, isFrontUp }): Leaf => {
    const pick = (prints: readonly Print[]): Print | null => {
      const here = prints.filter((print) => {
        const { x, y } = centreOf(print);
        return x > part.left && x < part.right && y > part.bottom && y < part.top;
      });
      if (here.length > 1) spoiled(`pages ${here.map(({ page }) => page).join(', ')} are on one leaf`);
      used += here.length;
      const [print] = here;
      if (!print) return null;
      const turn = (vector: Vector): Vector => ({ x: sign.x * vector.x, y: sign.y * vector.y });
      return { ...print, corner: plus(turn(print.corner), shift), along: turn(print.along), up: turn(print.up) };
    };
    const [front, back] = [pick(sheet.front.prints), pick(behind)];
    return isFrontUp ? { front, back } : { front: back, back: front };
  });
  if (used !== sheet.front.prints.length + behind.length) spoiled('a page lies on no leaf');
  return leaves;
}

/** Where the sheet is folded last: the spine. */
export function spineAt(sheet: Sheet, folds: readonly PaperFold[]): number {
  const last = folds.at(-1) ?? spoiled('nothing is folded');
  let layers = trimmed(sheet);
  for (const fold of folds.slice(0, -1)) layers = foldOnce(layers, sheet, fold);
  const marks = creasesNow(layers, sheet, axisOf(last.side));
  return marks[(marks.length - 1) / 2] ?? spoiled('the spine has no mark');
}

/** Puts folded sheets into each other, the first outermost. */
export const nested = (sheets: readonly Leaf[][]): Leaf[] => [
  ...sheets.flatMap((leaves) => leaves.slice(0, leaves.length / 2)),
  ...[...sheets].reverse().flatMap((leaves) => leaves.slice(leaves.length / 2)),
];

interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** Cuts a rectangle out of a sheet; it keeps the marks that point at it. */
export function cutSheet(sheet: Sheet, box: Box): Sheet {
  const { width, height, turning } = sheet;
  const [wide, high] = [box.right - box.left, box.top - box.bottom];
  const part = (side: Side, { x, y }: Vector): Side => {
    const lines = (all: Line[]) =>
      all
        .map(({ axis, at }): Line => ({ axis, at: at - (axis === 'x' ? x : y) }))
        .filter(({ axis, at }) => at > -tolerance && at < (axis === 'x' ? wide : high) + tolerance);
    const prints = side.prints
      .map((print) => ({ ...print, corner: { x: print.corner.x - x, y: print.corner.y - y } }))
      .filter((print) => {
        const centre = centreOf(print);
        return centre.x > 0 && centre.x < wide && centre.y > 0 && centre.y < high;
      });
    return { prints, folds: lines(side.folds), cuts: lines(side.cuts) };
  };
  const behind = {
    x: turning === 'Turn' ? width - box.right : box.left,
    y: turning === 'Turn' ? box.bottom : height - box.top,
  };
  return {
    ...sheet,
    width: wide,
    height: high,
    front: part(sheet.front, { x: box.left, y: box.bottom }),
    back: sheet.back && part(sheet.back, behind),
  };
}

/** Turns a sheet over: its back comes up. */
export const turnedOver = (sheet: Sheet): Sheet => ({
  ...sheet,
  front: sheet.back ?? { prints: [], folds: [], cuts: [] },
  back: sheet.front,
});

/** Turns a bound pile of leaves over, about its level axis or its upright one. */
export function pileTurnedOver(leaves: readonly Leaf[], axis: 'level' | 'upright'): Leaf[] {
  const vector = ({ x, y }: Vector): Vector => (axis === 'level' ? { x, y: -y } : { x: -x, y });
  const over = (print: Print | null): Print | null =>
    print && { ...print, corner: vector(print.corner), along: vector(print.along), up: vector(print.up) };
  return [...leaves].reverse().map(({ front, back }) => ({ front: over(back), back: over(front) }));
}

/** Cuts a sheet into strips across, each between two heights, the upper one first. */
export function strips(sheet: Sheet, heights: readonly number[]): Sheet[] {
  const edges = [sheet.height, ...heights, 0];
  return edges
    .slice(1)
    .map((bottom, index) => cutSheet(sheet, { left: 0, right: sheet.width, bottom, top: edges[index] ?? 0 }));
}

/** Cuts a sheet at all its cut marks; what has no page on it is waste. */
export function cutApart(sheet: Sheet): Sheet[] {
  const marks = (axis: 'x' | 'y') =>
    sheet.front.cuts
      .filter((line) => line.axis === axis)
      .map(({ at }) => at)
      .sort((a, b) => a - b)
      .filter((at, index, all) => index === 0 || !isNear(at, all[index - 1] ?? 0));
  const [xs, ys] = [marks('x'), marks('y')];
  return ys
    .slice(1)
    .flatMap((top, row) =>
      xs.slice(1).map((right, column) => cutSheet(sheet, { left: xs[column] ?? 0, right, bottom: ys[row] ?? 0, top })),
    )
    .filter(({ front, back }) => front.prints.length + (back?.prints.length ?? 0) > 0);
}

/**
 * Cuts a sheet by cuts that go through the whole part that lies on the guillotine, between the pages, until each part has
 * one piece.
 */
export function guillotined(sheet: Sheet): Sheet[] {
  const boxes = [...sheet.front.prints, ...backThrough(sheet)].map(boxOf);
  for (const [axis, low, high] of [
    ['x', 'left', 'right'],
    ['y', 'bottom', 'top'],
  ] as const) {
    const gaps = boxes
      .map((box) => box[high])
      .filter((at) => boxes.every((box) => box[high] <= at + tolerance || box[low] >= at - tolerance))
      .filter((at) => boxes.some((box) => box[low] >= at - tolerance));
    const [end] = gaps;
    if (end === undefined) continue;
    const next = Math.min(...boxes.map((box) => box[low]).filter((from) => from >= end - tolerance));
    const at = (end + next) / 2;
    const whole = { left: 0, right: sheet.width, bottom: 0, top: sheet.height };
    const [first, second] = axis === 'x' ? [{ right: at }, { left: at }] : [{ top: at }, { bottom: at }];
    return [first, second].flatMap((edge) => guillotined(cutSheet(sheet, { ...whole, ...edge })));
  }
  return boxes.length > 0 ? [sheet] : [];
}

/** Turns a sheet by half a turn on the table. */
export function turnedRound(sheet: Sheet): Sheet {
  const line = ({ axis, at }: Line): Line => ({ axis, at: (axis === 'x' ? sheet.width : sheet.height) - at });
  const around = (side: Side): Side => ({
    folds: side.folds.map(line),
    cuts: side.cuts.map(line),
    prints: side.prints.map((print) => ({
      ...print,
      corner: { x: sheet.width - print.corner.x, y: sheet.height - print.corner.y },
      along: times(print.along, -1),
      up: times(print.up, -1),
    })),
  });
  return { ...sheet, front: around(sheet.front), back: sheet.back && around(sheet.back) };
}
