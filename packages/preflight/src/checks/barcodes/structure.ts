/**
 * Tells codes that cannot be read from what only looks like one, by what all symbologies have in common: edges stand on a
 * lattice of whole modules, the widths between them are mixed, and the symbol ends on all sides. No data is decoded here:
 * that is the reader's.
 */
import type { PixelRect } from '@pdf2press/pdf';
import type { Light } from './reflectance.ts';
import { areEven, eachSlope, type Stripes, samples, uprightOf } from './stripes.ts';

/** In pixels of the raster. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a code lies: its corners in pixels of the raster. */
export interface Corners {
  readonly topLeft: Point;
  readonly topRight: Point;
  readonly bottomLeft: Point;
  readonly bottomRight: Point;
}

/** Half a degree: so exactly the direction of edges must be known for those of 60 modules to lie over each other. */
const turn = Math.PI / 360;
/** Steps in which it is looked for around a first guess: the edges of coarse pictures are steps that lie upright. */
const steps = { bars: 3, matrix: 6 };

/** Middle between the dark and the bright pixels of a raster. */
function thresholdOf({ pixels }: Light): { middle: number; range: number } {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value] = (counts[value] as number) + 1;
  const at = (share: number): number => {
    let left = share * pixels.length;
    for (let value = 0; value < 256; value += 1) {
      left -= counts[value] as number;
      if (left <= 0) return value;
    }
    return 255;
  };
  const [dark, bright] = [at(0.05), at(0.95)];
  return { middle: (dark + bright) / 2, range: bright - dark };
}

interface Run {
  isDark: boolean;
  from: number;
  to: number;
}

/** Runs of dark and bright in a line of samples. */
function runsOf(length: number, isDarkAt: (at: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < length; at += 1) {
    const isDark = isDarkAt(at);
    const last = runs.at(-1);
    if (last?.isDark === isDark) last.to = at + 1;
    else runs.push({ isDark, from: at, to: at + 1 });
  }
  return runs;
}

/** How well edges stand on a lattice of this step: 1 for all, near 0 for places at random. */
function fitOf(edges: ReadonlyMap<number, number>, step: number): number {
  let [x, y, count] = [0, 0, 0];
  for (const [at, times] of edges) {
    const turn = (2 * Math.PI * at) / step;
    x += times * Math.cos(turn);
    y += times * Math.sin(turn);
    count += times;
  }
  return count === 0 ? 0 : Math.hypot(x, y) / count;
}

/** Pixels of the smallest and the largest module that is looked for. */
const [leastModule, mostModule] = [1.8, 48];

/**
 * The largest step on whose lattice the edges stand; null when there is none. Any part of a step fits as well as the step,
 * so that the largest of those that fit nearly best is taken.
 */
function stepOf(edges: ReadonlyMap<number, number>, length: number, least: number): number | null {
  const fits: { step: number; fit: number }[] = [];
  // So finely that the last edge moves by a quarter of a step from one to the next.
  for (
    let step = leastModule * samples;
    step <= Math.min(mostModule * samples, length / 8);
    step *= 1 + step / length / 4
  )
    fits.push({ step, fit: fitOf(edges, step) });
  const best = fits.reduce((most, { fit }) => Math.max(most, fit), 0);
  if (best < least) return null;
  let found: { step: number; fit: number } | null = null;
  for (const each of fits) if (each.fit >= Math.max(least, best * 0.8) && each.step > (found?.step ?? 0)) found = each;
  // The top of the hill on whose far side this one is.
  const near = fits.filter(({ step }) => found && Math.abs(step - found.step) < found.step * 0.03);
  return (
    near.reduce<{ step: number; fit: number } | null>((top, each) => (each.fit > (top?.fit ?? 0) ? each : top), null)
      ?.step ?? null
  );
}

/** Runs measured in modules. */
interface Widths {
  /** Share of them within a third of a module of a whole number from 1 on. */
  whole: number;
  /** Shares of one module and of two. */
  ones: number;
  twos: number;
  /** Share of more than four. */
  long: number;
}
function widthsOf(runs: readonly Run[], step: number): Widths {
  const modules = runs.map(({ from, to }) => (to - from) / step);
  const share = (is: (width: number) => boolean) => modules.filter(is).length / Math.max(1, modules.length);
  return {
    whole: share((width) => width > 0.6 && Math.abs(width - Math.round(width)) < 0.34),
    ones: share((width) => width > 0.5 && width < 1.5),
    twos: share((width) => width >= 1.5 && width < 2.5),
    long: share((width) => width > 4.5),
  };
}

/** The bars of a code, how many they and the spaces between them are, and the widest of both in modules. */
export interface Bars extends Corners {
  readonly elements: number;
  readonly longest: number;
}

/** Bars: a third of the lines of a damaged code may be lost, but the others are alike. */
const bars = {
  edges: 22,
  alike: 0.72,
  fit: 0.5,
  whole: 0.7,
  ones: [0.25, 0.85],
  long: 0.2,
  dark: [0.25, 0.75],
  tall: 8,
} as const;

/** Straightened stripes that are the bars of a code: mixed widths of whole modules that are alike from top to bottom. */
export function barsIn(light: Light, stripes: Stripes): Bars | null {
  const { light: each, back } = uprightOf(light, stripes, 0);
  const { dark } = columnsOf(each);
  const runs = runsOf(each.width, (at) => (dark[at] as number) * 2 > each.height);
  const inner = runs.slice(runs[0]?.isDark ? 0 : 1, runs.at(-1)?.isDark ? undefined : -1);
  if (inner.length + 1 < bars.edges) return null;
  const [from, to] = [inner[0]?.from ?? 0, inner.at(-1)?.to ?? 0];
  const wide = (isDark: boolean) => inner.flatMap((run) => (run.isDark === isDark ? [run.to - run.from] : []));
  if (areEven(wide(true)) && areEven(wide(false))) return null;
  const share = wide(true).reduce((sum, each) => sum + each, 0) / (to - from);
  if (!isIn(share, bars.dark) || alikeIn(each.height, dark, from, to) < bars.alike) return null;
  const edges = new Map(inner.flatMap((run) => [[run.from, 1] as const, [run.to, 1] as const]));
  const step = stepOf(edges, to - from, bars.fit);
  if (step === null || each.height < (bars.tall * step) / samples) return null;
  const widths = widthsOf(inner, step);
  const isCode = widths.whole >= bars.whole && isIn(widths.ones, bars.ones) && widths.long <= bars.long;
  if (!isCode) return null;
  const corners = cornersOf({ left: from, right: to, top: 0, bottom: each.height }, back);
  const longest = inner.reduce((most, run) => Math.max(most, run.to - run.from), 0) / step;
  return { ...corners, elements: inner.length, longest };
}

function cornersOf(
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  back: (at: Point) => Point,
): Corners {
  return {
    topLeft: back({ x: left, y: top }),
    topRight: back({ x: right, y: top }),
    bottomLeft: back({ x: left, y: bottom }),
    bottomRight: back({ x: right, y: bottom }),
  };
}

const isIn = (value: number, [least, most]: readonly [number, number]): boolean => value >= least && value <= most;

/** Rows that are enough to tell how sharply columns differ. */
const telling = 96;

/** The same stripes with their direction found more exactly: the one in which columns differ most sharply. */
export function straightened(light: Light, stripes: Stripes, most = steps.bars): Stripes {
  const every = Math.max(1, Math.floor(stripes.height / telling));
  return Array.from({ length: 2 * most + 1 }, (_, at) => ({ ...stripes, angle: stripes.angle + (at - most) * turn }))
    .map((turned) => ({ turned, sharp: columnsOf(uprightOf(light, turned, 0, every).light).sharp }))
    .reduce((best, each) => (each.sharp > best.sharp ? each : best)).turned;
}

/** How many rows are dark in each column, and how sharply columns differ. */
function columnsOf(light: Light): { dark: Uint32Array; sharp: number } {
  const { pixels, width, height } = light;
  const { middle } = thresholdOf(light);
  const dark = new Uint32Array(width);
  for (let row = 0, at = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1, at += 1)
      if ((pixels[at] as number) <= middle) dark[column] = (dark[column] as number) + 1;
  let sharp = 0;
  for (let column = 1; column < width; column += 1)
    sharp += ((dark[column] as number) - (dark[column - 1] as number)) ** 2;
  return { dark, sharp };
}

/** Share of the pixels that are as most of their column. */
function alikeIn(height: number, dark: Uint32Array, from: number, to: number): number {
  let alike = 0;
  for (let column = from; column < to; column += 1)
    alike += Math.max(dark[column] as number, height - (dark[column] as number));
  return alike / Math.max(1, (to - from) * height);
}

/**
 * Modules of a matrix code: as many dark as bright, and half of all runs are of one module. Scratches have edges of their own,
 * most of them in one direction: less of the lattice may be left in it than in both together.
 */
const matrix = {
  fit: { each: 0.3, both: 0.4 },
  alikeSteps: 0.08,
  whole: { each: 0.4, both: 0.5 },
  ones: [0.3, 0.8],
  twos: [0.1, 0.45],
  long: 0.2,
  dark: [0.25, 0.75],
  sides: [10, 180],
  square: 0.12,
  twoTones: 0.8,
} as const;
/** Share of the largest count of edges of a row that a row of a code has at least. */
const busy = 0.2;

/** The matrix code in a part of a raster, whether it can be read or not; null when what is there is none. */
export function matrixIn(light: Light, part: PixelRect): Corners | null {
  const angle = latticeAngle(light, part);
  if (angle === null) return null;
  const half = Math.hypot(part.width, part.height) / 2;
  const stripes: Stripes = {
    x: part.left + part.width / 2,
    y: part.top + part.height / 2,
    angle,
    width: half * 2,
    height: half * 2,
  };
  const { light: upright, back } = uprightOf(light, straightened(light, stripes, steps.matrix), 0);
  const { middle, range } = thresholdOf(upright);
  const isDark = (column: number, row: number) => (upright.pixels[row * upright.width + column] as number) <= middle;
  const box = busyBox(upright, isDark);
  if (!box) return null;
  const across: Run[] = [];
  const down: Run[] = [];
  const [edgesAcross, edgesDown] = [new Map<number, number>(), new Map<number, number>()];
  for (let row = box.top; row < box.bottom; row += 1)
    collect(
      runsOf(box.right - box.left, (at) => isDark(box.left + at, row)),
      across,
      edgesAcross,
    );
  // Samples are twice as dense across as down.
  for (let column = box.left; column < box.right; column += samples)
    collect(
      runsOf((box.bottom - box.top) * samples, (at) => isDark(column, box.top + Math.floor(at / samples))),
      down,
      edgesDown,
    );
  const [width, height] = [box.right - box.left, (box.bottom - box.top) * samples];
  const dark =
    across.reduce((sum, run) => sum + (run.isDark ? run.to - run.from : 0), 0) / (width * (box.bottom - box.top));
  const isSquare = Math.abs(width / height - 1) <= matrix.square;
  if (!isSquare || !isIn(dark, matrix.dark) || twoTonesOf(upright, box, middle, range) < matrix.twoTones) return null;
  const stepX = stepOf(edgesAcross, width, matrix.fit.each);
  const stepY = stepOf(edgesDown, height, matrix.fit.each);
  if (stepX === null || stepY === null || Math.abs(stepX / stepY - 1) > matrix.alikeSteps) return null;
  const inBoth = [widthsOf(across, stepX), widthsOf(down, stepY)] as const;
  const fit = (fitOf(edgesAcross, stepX) + fitOf(edgesDown, stepY)) / 2;
  const whole = (inBoth[0].whole + inBoth[1].whole) / 2;
  if (fit < matrix.fit.both || whole < matrix.whole.both) return null;
  const isMixed = inBoth.every(
    (widths) =>
      widths.whole >= matrix.whole.each &&
      isIn(widths.ones, matrix.ones) &&
      isIn(widths.twos, matrix.twos) &&
      widths.long <= matrix.long,
  );
  if (!isMixed || !isIn(width / stepX, matrix.sides)) return null;
  return cornersOf(box, back);
}

function collect(runs: readonly Run[], into: Run[], edges: Map<number, number>): void {
  // The first and the last run lead out of the symbol.
  const inner = runs.slice(1, -1);
  into.push(...inner);
  for (const { from, to } of inner) for (const at of [from, to]) edges.set(at, (edges.get(at) ?? 0) + 1);
}

/** Direction of the edges of a lattice, of which there are two at a right angle; null where edges run in all directions. */
function latticeAngle(light: Light, part: PixelRect): number | null {
  let [x, y, sum] = [0, 0, 0];
  eachSlope(light, part, (dx, dy) => {
    const slope = dx * dx + dy * dy;
    if (slope < 625) return;
    // Four times the angle: quarters of a turn are the same direction.
    const [cos2, sin2] = [(dx * dx - dy * dy) / slope, (2 * dx * dy) / slope];
    x += slope * (cos2 * cos2 - sin2 * sin2);
    y += slope * 2 * cos2 * sin2;
    sum += slope;
  });
  return sum > 0 && Math.hypot(x, y) > 0.3 * sum ? Math.atan2(y, x) / 4 : null;
}

/** The box of rows and columns that have many edges. */
function busyBox({ width, height }: Light, isDark: (column: number, row: number) => boolean) {
  const [rows, columns] = [new Uint32Array(height), new Uint32Array(width)];
  for (let row = 1; row < height; row += 1)
    for (let column = 1; column < width; column += 1) {
      const here = isDark(column, row);
      if (here !== isDark(column - 1, row)) rows[row] = (rows[row] as number) + 1;
      if (here !== isDark(column, row - 1)) columns[column] = (columns[column] as number) + 1;
    }
  const [top, bottom] = busyRange(rows);
  const [left, right] = busyRange(columns);
  return right - left < 16 || bottom - top < 8 ? null : { left, right, top, bottom };
}

function busyRange(counts: Uint32Array): [from: number, to: number] {
  const least = counts.reduce((most, each) => Math.max(most, each), 0) * busy;
  const from = counts.findIndex((each) => each >= least);
  return [from, counts.findLastIndex((each) => each >= least) + 1];
}

/** Share of the pixels that are nearly as dark or as bright as they can be; edges are in between. */
function twoTonesOf(
  { pixels, width }: Light,
  box: { left: number; right: number; top: number; bottom: number },
  middle: number,
  range: number,
): number {
  let [pure, all] = [0, 0];
  for (let row = box.top; row < box.bottom; row += 1)
    for (let at = row * width + box.left, end = row * width + box.right; at < end; at += 1) {
      all += 1;
      if (Math.abs((pixels[at] as number) - middle) > range * 0.3) pure += 1;
    }
  return pure / Math.max(1, all);
}

/** What lies between corners as an upright raster with so much bright space on both sides, and the way back. */
export function uprightAlone(
  light: Light,
  { topLeft, topRight, bottomLeft, bottomRight }: Corners,
  around: number,
): { light: Light; back: (at: Point) => Point } {
  const stripes: Stripes = {
    x: (topLeft.x + bottomRight.x) / 2,
    y: (topLeft.y + bottomRight.y) / 2,
    angle: Math.atan2(topRight.y - topLeft.y, topRight.x - topLeft.x),
    width: Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y),
    height: Math.hypot(bottomLeft.x - topLeft.x, bottomRight.y - topRight.y),
  };
  const { light: upright, back } = uprightOf(light, stripes, around);
  const edge = around * samples;
  for (let row = 0; row < upright.height; row += 1) {
    const at = row * upright.width;
    upright.pixels.fill(255, at, at + edge);
    upright.pixels.fill(255, at + upright.width - edge, at + upright.width);
  }
  return { light: upright, back };
}
