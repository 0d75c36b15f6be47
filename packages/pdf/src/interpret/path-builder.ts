import { emptyRect, identity, keepsAxes } from './matrix.ts';
import type { Matrix, PathSegment, Rect } from './types.ts';

const move = 0;
const line = 1;
const curve = 2;
const close = 3;

/** The current path in default user space, in growing arrays that are reused for the next path. */
export interface PathBuilder {
  commands: Uint8Array;
  points: Float64Array;
  commandCount: number;
  pointCount: number;
  /** Current point in user space, before transformation. */
  x: number;
  y: number;
  startX: number;
  startY: number;
  hasPoint: boolean;
}

export function createPath(): PathBuilder {
  return {
    commands: new Uint8Array(256),
    points: new Float64Array(1024),
    commandCount: 0,
    pointCount: 0,
    x: 0,
    y: 0,
    startX: 0,
    startY: 0,
    hasPoint: false,
  };
}

export function resetPath(path: PathBuilder): void {
  path.commandCount = 0;
  path.pointCount = 0;
  path.hasPoint = false;
}

function command(path: PathBuilder, kind: number): void {
  if (path.commandCount === path.commands.length) {
    const larger = new Uint8Array(path.commands.length * 2);
    larger.set(path.commands);
    path.commands = larger;
  }
  path.commands[path.commandCount] = kind;
  path.commandCount += 1;
}

function point(path: PathBuilder, m: Matrix, x: number, y: number): void {
  if (path.pointCount + 2 > path.points.length) {
    const larger = new Float64Array(path.points.length * 2);
    larger.set(path.points);
    path.points = larger;
  }
  path.points[path.pointCount] = m[0] * x + m[2] * y + m[4];
  path.points[path.pointCount + 1] = m[1] * x + m[3] * y + m[5];
  path.pointCount += 2;
}

/** Path construction operators (ISO 32000-1, 8.5.2). `m` transforms the operands to default user space. */
export function moveTo(path: PathBuilder, m: Matrix, x: number, y: number): void {
  // Of several consecutive moves only the last one counts.
  if (path.commandCount > 0 && path.commands[path.commandCount - 1] === move) {
    path.commandCount -= 1;
    path.pointCount -= 2;
  }
  command(path, move);
  point(path, m, x, y);
  path.x = x;
  path.y = y;
  path.startX = x;
  path.startY = y;
  path.hasPoint = true;
}

export function lineTo(path: PathBuilder, m: Matrix, x: number, y: number): void {
  // A line without a current point: PDF readers use its end as the start.
  if (!path.hasPoint) {
    moveTo(path, m, x, y);
    return;
  }
  restart(path, m);
  command(path, line);
  point(path, m, x, y);
  path.x = x;
  path.y = y;
}

export function curveTo(
  path: PathBuilder,
  m: Matrix,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x: number,
  y: number,
): void {
  if (!path.hasPoint) moveTo(path, m, x1, y1);
  restart(path, m);
  command(path, curve);
  point(path, m, x1, y1);
  point(path, m, x2, y2);
  point(path, m, x, y);
  path.x = x;
  path.y = y;
}

/** A segment after a close starts where the closed subpath started. */
function restart(path: PathBuilder, m: Matrix): void {
  if (path.commands[path.commandCount - 1] !== close) return;
  command(path, move);
  point(path, m, path.startX, path.startY);
}

export function closePath(path: PathBuilder): void {
  if (!path.hasPoint || path.commands[path.commandCount - 1] === close) return;
  command(path, close);
  path.x = path.startX;
  path.y = path.startY;
}

export function rectangle(path: PathBuilder, m: Matrix, x: number, y: number, width: number, height: number): void {
  moveTo(path, m, x, y);
  lineTo(path, m, x + width, y);
  lineTo(path, m, x + width, y + height);
  lineTo(path, m, x, y + height);
  closePath(path);
}

export const isEmptyPath = (path: PathBuilder): boolean => path.commandCount === 0;

/**
 * Exact bounding box of the geometry, including the extremes of curves. A final move without a segment is ignored.
 * @param under a transformation of the geometry
 */
export function pathBounds(path: PathBuilder, under: Matrix = identity): Rect {
  const { commands } = path;
  const points = under === identity ? path.points : transformed(path, under);
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  const add = (x: number, y: number): void => {
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  };
  for (let i = 0, at = 0; i < path.commandCount; i += 1) {
    const kind = commands[i];
    if (kind === close) continue;
    if (kind === curve) {
      const from = at - 2;
      const inside =
        within(points[at] as number, x0, x1) &&
        within(points[at + 2] as number, x0, x1) &&
        within(points[at + 1] as number, y0, y1) &&
        within(points[at + 3] as number, y0, y1);
      add(points[at + 4] as number, points[at + 5] as number);
      if (!inside) addExtremes(points, from, add);
      at += 6;
      continue;
    }
    if (kind !== move || i < path.commandCount - 1) add(points[at] as number, points[at + 1] as number);
    at += 2;
  }
  return x0 <= x1 ? [x0, y0, x1, y1] : emptyRect;
}

function transformed({ points, pointCount }: PathBuilder, m: Matrix): Float64Array {
  const moved = new Float64Array(pointCount);
  for (let i = 0; i < pointCount; i += 2) {
    const [x, y] = [points[i] as number, points[i + 1] as number];
    moved[i] = m[0] * x + m[2] * y + m[4];
    moved[i + 1] = m[1] * x + m[3] * y + m[5];
  }
  return moved;
}

type Direction = readonly [x: number, y: number];

/**
 * Visits the points where segments meet, with the directions into and out of each, and the ends of open subpaths, which
 * have one of them. A subpath without length has neither.
 */
export function visitCorners(
  { commands, points, commandCount }: PathBuilder,
  visit: (x: number, y: number, into: Direction | null, out: Direction | null) => void,
): void {
  let [startX, startY, x, y] = [0, 0, 0, 0];
  let [first, last]: [Direction | null, Direction | null] = [null, null];
  let isOpen = false;
  // The segment passes through points at `from` to `to`; its directions are those to and from the nearest other points.
  const segment = (from: number, to: number): void => {
    isOpen = true;
    const [endX, endY] = [points[to] as number, points[to + 1] as number];
    let [out, into]: [Direction | null, Direction | null] = [null, null];
    for (let at = from; at <= to && !out; at += 2)
      out = direction(x, y, points[at] as number, points[at + 1] as number);
    for (let at = to - 2; at >= from && !into; at -= 2)
      into = direction(points[at] as number, points[at + 1] as number, endX, endY);
    follow(out, into ?? direction(x, y, endX, endY) ?? out, endX, endY);
  };
  const follow = (out: Direction | null, into: Direction | null, endX: number, endY: number): void => {
    if (!out) return;
    if (first) visit(x, y, last, out);
    first ??= out;
    last = into;
    [x, y] = [endX, endY];
  };
  const end = (): void => {
    if (isOpen && first) visit(startX, startY, null, first);
    if (isOpen) visit(x, y, last, null);
  };
  const restartAt = (nextX: number, nextY: number): void => {
    [startX, startY, x, y] = [nextX, nextY, nextX, nextY];
    [first, last, isOpen] = [null, null, false];
  };
  for (let i = 0, at = 0; i < commandCount; i += 1) {
    const kind = commands[i];
    if (kind === close) {
      const back = direction(x, y, startX, startY);
      follow(back, back, startX, startY);
      visit(startX, startY, last, first);
      restartAt(startX, startY);
      continue;
    }
    if (kind === move) {
      end();
      restartAt(points[at] as number, points[at + 1] as number);
    } else segment(at, kind === curve ? at + 4 : at);
    at += kind === curve ? 6 : 2;
  }
  end();
}

const direction = (x: number, y: number, toX: number, toY: number): Direction | null =>
  x === toX && y === toY ? null : [toX - x, toY - y];

const within = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Adds the points of a cubic curve where x or y has an extremum. */
function addExtremes(points: Float64Array, from: number, add: (x: number, y: number) => void): void {
  for (let axis = 0; axis < 2; axis += 1) {
    const p0 = points[from + axis] as number;
    const p1 = points[from + 2 + axis] as number;
    const p2 = points[from + 4 + axis] as number;
    const p3 = points[from + 6 + axis] as number;
    const a = p3 - 3 * p2 + 3 * p1 - p0;
    const b = 2 * (p2 - 2 * p1 + p0);
    const c = p1 - p0;
    for (const t of roots(a, b, c)) {
      if (!(t > 0 && t < 1)) continue;
      add(cubic(points, from, 0, t), cubic(points, from, 1, t));
    }
  }
}

function roots(a: number, b: number, c: number): number[] {
  if (Math.abs(a) < 1e-12) return b === 0 ? [] : [-c / b];
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  const root = Math.sqrt(discriminant);
  return [(-b + root) / (2 * a), (-b - root) / (2 * a)];
}

function cubic(points: Float64Array, from: number, axis: number, t: number): number {
  const u = 1 - t;
  return (
    u * u * u * (points[from + axis] as number) +
    3 * u * u * t * (points[from + 2 + axis] as number) +
    3 * u * t * t * (points[from + 4 + axis] as number) +
    t * t * t * (points[from + 6 + axis] as number)
  );
}

/** The corners of a path that consists of one quadrilateral (or a single line); else null. */
function fourCorners(path: PathBuilder): Float64Array | null {
  let count = 0;
  for (let i = 0; i < path.commandCount; i += 1) {
    const kind = path.commands[i];
    if (kind === curve || (kind === move && i > 0 && i < path.commandCount - 1)) return null;
    if (kind !== close && !(kind === move && i > 0)) count += 1;
  }
  const p = path.points;
  const closesItself = count === 5 && p[0] === p[8] && p[1] === p[9];
  return count === 4 || closesItself ? p.subarray(0, 8) : null;
}

/** True when the path is one rectangle parallel to the axes of the page. */
export function isAxisRectangle(path: PathBuilder, m: Matrix): boolean {
  if (!keepsAxes(m)) return false;
  const p = fourCorners(path);
  if (!p) return false;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = p;
  return (x0 === x1 && y1 === y2 && x2 === x3 && y3 === y0) || (y0 === y1 && x1 === x2 && y2 === y3 && x3 === x0);
}

/** A filled shape is treated as a line when its length is at least this multiple of its thickness. */
const lineAspect = 4;

/**
 * Thickness of a filled shape that is drawn as a line: a long quadrilateral, or a shape without area; null for other
 * shapes. GWG 2022 treats such shapes as lines (implementation note I00004).
 */
export function thinness(path: PathBuilder, bounds: Rect): number | null {
  const width = bounds[2] - bounds[0];
  const height = bounds[3] - bounds[1];
  if (width === 0 || height === 0) return width === 0 && height === 0 ? null : 0;
  const p = fourCorners(path);
  if (!p) return null;
  const side = (i: number, j: number): number =>
    Math.hypot((p[2 * i] as number) - (p[2 * j] as number), (p[2 * i + 1] as number) - (p[2 * j + 1] as number));
  const one = (side(0, 1) + side(2, 3)) / 2;
  const other = (side(1, 2) + side(3, 0)) / 2;
  const long = Math.max(one, other);
  if (long === 0) return null;
  // Area divided by length is also right for a parallelogram.
  const area = Math.abs(
    [0, 1, 2, 3].reduce((sum, i) => {
      const j = (i + 1) % 4;
      return sum + (p[2 * i] as number) * (p[2 * j + 1] as number) - (p[2 * j] as number) * (p[2 * i + 1] as number);
    }, 0) / 2,
  );
  const thickness = area / long;
  return thickness * lineAspect <= long ? thickness : null;
}

/** The path as a new list of segments. */
export function pathSegments(path: PathBuilder): PathSegment[] {
  const { points, commands } = path;
  const segments: PathSegment[] = [];
  const at = (index: number): number => points[index] as number;
  for (let i = 0, p = 0; i < path.commandCount; i += 1) {
    switch (commands[i]) {
      case move:
        segments.push(['M', at(p), at(p + 1)]);
        p += 2;
        break;
      case line:
        segments.push(['L', at(p), at(p + 1)]);
        p += 2;
        break;
      case curve:
        segments.push(['C', at(p), at(p + 1), at(p + 2), at(p + 3), at(p + 4), at(p + 5)]);
        p += 6;
        break;
      default:
        segments.push(['Z']);
    }
  }
  return segments;
}

/** A copy of the path that stays valid when the builder is reused. */
export function freezePath(path: PathBuilder): PathBuilder {
  return {
    ...path,
    commands: path.commands.slice(0, path.commandCount),
    points: path.points.slice(0, path.pointCount),
  };
}
