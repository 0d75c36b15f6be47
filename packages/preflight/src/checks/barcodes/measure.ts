/** Measures a code where it lies in the raster: its contrast, the width of a module and the space around it. */
import type { Code } from './code.ts';
import { brightnessAt, type Light } from './reflectance.ts';
import type { Point } from './structure.ts';
import type { Symbology } from './symbologies.ts';

export interface Measured {
  /** Symbol contrast: difference of the brightest and the darkest reflectance, 0 to 1 (ISO/IEC 15416 5.4.3). */
  contrast: number;
  /** Width of a module in pixels; null when the bars cannot be told apart. */
  module: number | null;
  /** Smallest quiet zone as a share of what the symbology asks for, 1 or more when it is kept; null when not measured. */
  quiet: { share: number; modules: number; needed: number } | null;
}

/** Whether a point of the raster is on the trimmed page: beyond it nothing is unprinted. */
export type OnPaper = (point: Point) => boolean;

/** Where the symbol is crossed: ISO/IEC 15416 asks for ten scans over the middle 80 % of the height. */
const crossings = [0.14, 0.22, 0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.86];
/** Distance of the samples along a line, in pixels. */
const step = 0.25;

const mix = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});
const distance = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

/** The brightest and the darkest of what was sampled, but for one in fifty. */
function rangeOf(values: readonly number[]): [dark: number, bright: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.02), at(0.98)];
}

/** Difference of bright and dark inside a code, 0 to 1. */
export function contrastOf(light: Light, code: Code): number {
  const values: number[] = [];
  for (const down of crossings) {
    const [from, to] = [mix(code.topLeft, code.bottomLeft, down), mix(code.topRight, code.bottomRight, down)];
    const samples = Math.ceil(distance(from, to) / step);
    for (let at = 0; at <= samples; at += 1) {
      const point = mix(from, to, at / samples);
      values.push(brightnessAt(light, point.x, point.y) ?? 255);
    }
  }
  const [dark, bright] = rangeOf(values);
  return (bright - dark) / 255;
}

/** Samples along a row of bars that are compared, and how many of them are as in the middle while it is the same code. */
const [compared, leastAlike] = [400, 0.85];

/** Share of a code in which its last bar may lie beyond the end that a reader tells: two modules of the 67 of an EAN-8. */
const nearEnd = 0.03;

/**
 * A linear code up to the ends of its bars: a reader tells the lines that it read, which may be few of them, and leaves out a
 * bar at the ends of some symbologies.
 */
export function toEnds(light: Light, code: Code): Code {
  const { topLeft, topRight, bottomLeft, bottomRight } = code;
  const along = { x: topRight.x - topLeft.x, y: topRight.y - topLeft.y };
  const length = Math.hypot(along.x, along.y);
  const height = distance(topLeft, bottomLeft);
  if (length === 0) return code;
  const side = height > 2 ? { x: bottomLeft.x - topLeft.x, y: bottomLeft.y - topLeft.y } : { x: -along.y, y: along.x };
  const by = Math.hypot(side.x, side.y);
  const down = { x: side.x / by, y: side.y / by };
  const rowAt = (from: Point, to: Point, out: number): number[] =>
    Array.from({ length: compared }, (_, at) => {
      const point = mix(from, to, (at + 0.5) / compared);
      return brightnessAt(light, point.x + down.x * out, point.y + down.y * out) ?? 255;
    });
  const middle = rowAt(mix(topLeft, bottomLeft, 0.5), mix(topRight, bottomRight, 0.5), 0);
  const [dark, bright] = rangeOf(middle);
  const threshold = (dark + bright) / 2;
  const isSame = (row: readonly number[]): boolean =>
    row.reduce((alike, value, at) => alike + Number(value > threshold === (middle[at] as number) > threshold), 0) >=
    leastAlike * compared;
  /** Pixels from an end on in a direction in which rows are the same. */
  const beyond = (from: Point, to: Point, sense: 1 | -1): number => {
    let out = 0;
    while (out < length && isSame(rowAt(from, to, sense * (out + 1)))) out += 1;
    return out * sense;
  };
  const [up, below] = [beyond(topLeft, topRight, -1), beyond(bottomLeft, bottomRight, 1)];
  const unit = { x: along.x / length, y: along.y / length };
  /** Pixels from an end of the middle row to the last bar near it. */
  const outTo = (end: Point, sense: 1 | -1): number => {
    let last = 0;
    for (let out = 0; out <= length * nearEnd; out += step) {
      const value = brightnessAt(light, end.x + sense * unit.x * out, end.y + sense * unit.y * out) ?? 255;
      if (value <= threshold !== code.isReversed) last = out;
    }
    return last * sense;
  };
  const before = outTo(mix(topLeft, bottomLeft, 0.5), -1);
  const after = outTo(mix(topRight, bottomRight, 0.5), 1);
  const moved = (point: Point, across: number, out: number): Point => ({
    x: point.x + unit.x * across + down.x * out,
    y: point.y + unit.y * across + down.y * out,
  });
  return {
    ...code,
    topLeft: moved(topLeft, before, up),
    topRight: moved(topRight, after, up),
    bottomLeft: moved(bottomLeft, before, below),
    bottomRight: moved(bottomRight, after, below),
  };
}

/** Module and quiet zones of a code, in the light in which it was found. */
export function sizesOf(
  light: Light,
  code: Code,
  symbology: Symbology,
  onPaper: OnPaper,
): Pick<Measured, 'module' | 'quiet'> {
  return symbology.kind === 'matrix'
    ? matrixSizes(light, code, symbology, onPaper)
    : linearSizes(light, code, symbology, onPaper);
}

/** One crossing of a linear code: widths of bars and spaces in pixels, and the space before and after. */
interface Crossing {
  elements: readonly number[];
  before: number;
  after: number;
}

function linearSizes(
  light: Light,
  code: Code,
  symbology: Symbology,
  onPaper: OnPaper,
): Pick<Measured, 'module' | 'quiet'> {
  const crossed = mostAlike(crossings.flatMap((down) => crossingAt(light, code, down, onPaper) ?? []));
  const modules = crossed.flatMap(({ elements }) => moduleOf(elements, code.format, symbology) ?? []);
  const module = modules.toSorted((a, b) => a - b)[Math.floor(modules.length / 2)];
  if (module === undefined) return { module: null, quiet: null };
  const [needBefore, needAfter] = symbology.quiet;
  const zones = crossed.flatMap(({ before, after }) => [
    { modules: (before + 1) / module, needed: needBefore },
    { modules: (after + 1) / module, needed: needAfter },
  ]);
  return { module: module * slantOf(code), quiet: leastOf(zones) };
}

/** Those crossings that have as many elements as most have: the others lead through damage, or miss a bar at an end. */
function mostAlike(crossed: readonly Crossing[]): Crossing[] {
  const counts = crossed.map(({ elements }) => elements.length);
  const times = (count: number) => counts.filter((other) => other === count).length;
  const usual = counts.toSorted((a, b) => times(b) - times(a) || b - a)[0];
  return crossed.filter(({ elements }) => elements.length === usual);
}

/** The zone that lacks most of what it needs. */
function leastOf(zones: readonly { modules: number; needed: number }[]): Measured['quiet'] {
  const shares = zones.map((zone) => ({ ...zone, share: zone.modules / zone.needed }));
  return shares.toSorted((a, b) => a.share - b.share)[0] ?? null;
}

/** Rows cross slanted bars at an angle, where they are wider: the share of it that they are upright. */
function slantOf({ topLeft, topRight, bottomLeft }: Code): number {
  const [row, bar] = [distance(topLeft, topRight), distance(topLeft, bottomLeft)];
  if (row === 0 || bar === 0) return 1;
  const cross =
    (topRight.x - topLeft.x) * (bottomLeft.y - topLeft.y) - (topRight.y - topLeft.y) * (bottomLeft.x - topLeft.x);
  return Math.abs(cross) / (row * bar) || 1;
}

/** Space that is looked at on each side, in widths of a symbol with the fewest modules: 12 modules of a UPC-E. */
const beyond = 0.3;

function crossingAt(light: Light, code: Code, down: number, onPaper: OnPaper): Crossing | null {
  const [from, to] = [mix(code.topLeft, code.bottomLeft, down), mix(code.topRight, code.bottomRight, down)];
  const length = distance(from, to);
  const out = Math.max(length * beyond, 24);
  const at = (along: number): Point => mix(from, to, along / length);
  const values: number[] = [];
  for (let along = -out; along <= length + out; along += step) {
    const point = at(along);
    // What is cut off is dark: the quiet zone ends there.
    values.push((onPaper(point) ? brightnessAt(light, point.x, point.y) : null) ?? 0);
  }
  const first = Math.round(out / step);
  const last = Math.round((out + length) / step);
  const [dark, bright] = rangeOf(values.slice(first, last));
  return elementsOf(values, first, last, (dark + bright) / 2);
}

/** Where a profile crosses its threshold, in samples. */
interface Edge {
  at: number;
  /** Into a bar. */
  darkens: boolean;
}

/** Splits a profile at its global threshold (ISO/IEC 15416 5.3.3): the first and the last bar lie at `first` and `last`. */
function elementsOf(values: readonly number[], first: number, last: number, threshold: number): Crossing | null {
  const edges: Edge[] = [];
  for (let at = 1; at < values.length; at += 1) {
    const [a, b] = [values[at - 1] as number, values[at] as number];
    if (a > threshold !== b > threshold)
      edges.push({ at: at - 1 + (a - threshold) / (a - b), darkens: b <= threshold });
  }
  const start = nearestEdge(edges, first, true);
  const end = nearestEdge(edges, last, false);
  if (start === null || end === null || end <= start) return null;
  const inside = edges.slice(start, end + 1);
  const [from, to] = [inside[0]?.at ?? 0, inside.at(-1)?.at ?? 0];
  return {
    elements: inside.slice(1).map((edge, at) => (edge.at - (inside[at]?.at ?? 0)) * step),
    before: (from - (edges[start - 1]?.at ?? 0)) * step,
    after: ((edges[end + 1]?.at ?? values.length - 1) - to) * step,
  };
}

/** Index of the edge into a bar, or out of one, that is nearest to a place. */
function nearestEdge(edges: readonly Edge[], place: number, darkens: boolean): number | null {
  let best: { index: number; away: number } | null = null;
  for (const [index, edge] of edges.entries()) {
    const away = Math.abs(edge.at - place);
    if (edge.darkens === darkens && away < (best?.away ?? Infinity)) best = { index, away };
  }
  return best?.index ?? null;
}

/**
 * Width of a module. Code 128 has six elements and 11 modules for each character and a last one of seven elements and 13
 * modules (ISO/IEC 15417); in Code 39 and Interleaved 2 of 5 it is the mean narrow element (ISO/IEC 16388, 16390). Bars and
 * spaces count alike, because plates make bars wider by up to a pixel, and spaces narrower.
 */
function moduleOf(elements: readonly number[], format: Code['format'], { modules }: Symbology): number | null {
  const width = elements.reduce((sum, each) => sum + each, 0);
  if (modules !== null) return width / modules;
  if (format === 'Code128') {
    const characters = (elements.length - 7) / 6;
    return Number.isInteger(characters) && characters > 0 ? width / (characters * 11 + 13) : null;
  }
  const bars = narrowOf(elements.filter((_, at) => at % 2 === 0));
  const spaces = narrowOf(elements.filter((_, at) => at % 2 === 1));
  return bars === null || spaces === null ? null : (bars + spaces) / 2;
}

/** Mean of the narrow ones of bars or of spaces. */
function narrowOf(elements: readonly number[]): number | null {
  const middle = (Math.min(...elements) + Math.max(...elements)) / 2;
  const narrow = elements.filter((each) => each < middle);
  return narrow.length > 0 ? narrow.reduce((sum, each) => sum + each, 0) / narrow.length : null;
}

/** Places along a side where the space beside it is looked at. */
const besides = 24;

function matrixSizes(
  light: Light,
  code: Code,
  { quiet }: Symbology,
  onPaper: OnPaper,
): Pick<Measured, 'module' | 'quiet'> {
  if (code.side === null) return { module: null, quiet: null };
  const { topLeft, topRight, bottomRight, bottomLeft } = code;
  const sides = [
    [topLeft, topRight, bottomLeft],
    [topRight, bottomRight, topLeft],
    [bottomRight, bottomLeft, topRight],
    [bottomLeft, topLeft, bottomRight],
  ] as const;
  const around = sides.reduce((sum, [a, b]) => sum + distance(a, b), 0);
  // The corners are whole pixels, of which the last one is inside or outside.
  const module = (around / 4 + 1) / code.side;
  const threshold = thresholdOf(light, code);
  const [needed] = quiet;
  const zones = sides.flatMap(([a, b, inner]) =>
    Array.from({ length: besides }, (_, at) => {
      const from = mix(a, b, (at + 0.5) / besides);
      const away = distance(a, inner);
      const outward = { x: (a.x - inner.x) / away, y: (a.y - inner.y) / away };
      return { modules: freeFrom(from, outward, module, needed) / module, needed };
    }),
  );
  return { module, quiet: leastOf(zones) };

  /** Pixels from a point outwards that are like the ground. The edge is known to a pixel and a half, or nearly half a module, only. */
  function freeFrom(from: Point, outward: Point, size: number, modules: number): number {
    const unsure = Math.max(1.5, size * 0.45);
    for (let out = unsure; out < size * modules; out += step) {
      const point = { x: from.x + outward.x * out, y: from.y + outward.y * out };
      const value = onPaper(point) ? brightnessAt(light, point.x, point.y) : null;
      if (value === null || value < threshold !== code.isReversed) return out === unsure ? 0 : out + unsure;
    }
    return size * modules;
  }
}

function thresholdOf(light: Light, { topLeft, topRight, bottomLeft, bottomRight }: Code): number {
  const values: number[] = [];
  for (const down of crossings)
    for (const along of crossings) {
      const point = mix(mix(topLeft, topRight, along), mix(bottomLeft, bottomRight, along), down);
      values.push(brightnessAt(light, point.x, point.y) ?? 255);
    }
  const [dark, bright] = rangeOf(values);
  return (dark + bright) / 2;
}
