/**
 * The area covered by a stroke (ISO 32000-1, 8.4.3 and 8.5.3.2), as closed pieces to be filled together with the
 * nonzero rule: one for each segment, join and cap. All pieces have the same orientation, so overlaps do not cancel.
 * Own code, because MuPDF only draws strokes and does not return their outlines.
 */
import type { PathSegment } from '../interpret/types.ts';

/** Line parameters in the units of the path (ISO 32000-1, 8.4.3). */
export interface StrokeStyle {
  width: number;
  /** 0 butt, 1 round, 2 projecting square. */
  cap: number;
  /** 0 mitre, 1 round, 2 bevel. */
  join: number;
  miterLimit: number;
  dash: readonly number[];
  dashPhase: number;
}

type Point = readonly [number, number];
/** A line of two points, or a cubic curve of four. */
type Curve = readonly Point[];
interface Subpath {
  curves: Curve[];
  isClosed: boolean;
  start: Point;
  /** Direction of the path at a dash of zero length, for its caps. */
  along?: Point;
}

/**
 * Curves are divided until each turns by at most this angle in radians. Its parallel is then a cubic curve with an
 * error of 1/10 000 of the width.
 */
const mostTurn = Math.PI / 6;
const deepest = 12;
/** Distance of control points for a quarter circle of radius 1. */
const kappa = 0.5522847498;

const add = (a: Point, b: Point, by = 1): Point => [a[0] + b[0] * by, a[1] + b[1] * by];
const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const size = (a: Point): number => Math.hypot(a[0], a[1]);
const cross = (a: Point, b: Point): number => a[0] * b[1] - a[1] * b[0];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1];
const mid = (a: Point, b: Point, t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const unit = (a: Point): Point => {
  const length = size(a);
  return length > 0 ? [a[0] / length, a[1] / length] : [0, 0];
};
const angle = (a: Point, b: Point): number => Math.abs(Math.atan2(cross(a, b), dot(a, b)));
/** The direction rotated by 90° counter-clockwise. */
const normal = (a: Point): Point => [-a[1], a[0]];

const first = (curve: Curve): Point => curve[0] as Point;
const last = (curve: Curve): Point => curve[curve.length - 1] as Point;

/** Direction at the start; coinciding control points are skipped. */
function startDirection(curve: Curve): Point {
  const from = first(curve);
  for (const point of curve) if (size(sub(point, from)) > 1e-9) return unit(sub(point, from));
  return [0, 0];
}
const endDirection = (curve: Curve): Point => {
  const [x, y] = startDirection([...curve].reverse());
  return [-x, -y];
};

function split(curve: Curve, t: number): [Curve, Curve] {
  const left: Point[] = [];
  const right: Point[] = [];
  for (let points = [...curve]; points.length > 0; ) {
    left.push(points[0] as Point);
    right.unshift(points.at(-1) as Point);
    points = points.slice(1).map((point, index) => mid(points[index] as Point, point, t));
  }
  return [left, right];
}

/**
 * The outline of a stroked path, with dashes.
 * @returns closed pieces in the coordinates of the path
 */
export function strokeOutline(path: readonly PathSegment[], style: StrokeStyle): PathSegment[][] {
  const half = style.width / 2;
  if (!(half > 0)) return [];
  const pieces: PathSegment[][] = [];
  const subpaths = subpathsOf(path);
  const sum = style.dash.reduce((total, length) => total + Math.max(0, length), 0);
  const dashed = sum > 0 ? subpaths.flatMap((subpath) => dashes(subpath, style)) : subpaths;
  for (const subpath of dashed) strokeSubpath(subpath, half, style, pieces);
  return pieces;
}

function subpathsOf(path: readonly PathSegment[]): Subpath[] {
  const found: Subpath[] = [];
  let now: Subpath | null = null;
  let at: Point = [0, 0];
  for (const segment of path) {
    if (segment[0] === 'M') {
      at = [segment[1], segment[2]];
      now = { curves: [], isClosed: false, start: at };
      continue;
    }
    if (!now) now = { curves: [], isClosed: false, start: at };
    if (!found.includes(now)) found.push(now);
    const curve: Curve =
      segment[0] === 'Z'
        ? [at, now.start]
        : segment[0] === 'L'
          ? [at, [segment[1], segment[2]]]
          : [at, [segment[1], segment[2]], [segment[3], segment[4]], [segment[5], segment[6]]];
    at = last(curve);
    if (curve.some((point) => size(sub(point, first(curve))) > 1e-9)) now.curves.push(curve);
    if (segment[0] === 'Z') {
      now.isClosed = true;
      now = null;
    }
  }
  return found;
}

function strokeSubpath(
  { curves, isClosed, start, along }: Subpath,
  half: number,
  style: StrokeStyle,
  pieces: PathSegment[][],
): void {
  if (curves.length === 0) {
    // A path of zero length shows only its caps (ISO 32000-1, 8.5.3.2).
    if (style.cap === 1) pieces.push(circle(start, half));
    else if (style.cap === 2) pieces.push(polygon(square(start, along ?? [1, 0], half)));
    return;
  }
  curves.forEach((curve, index) => {
    ribbon(curve, half, pieces, 0);
    const next = curves[index + 1] ?? (isClosed ? curves[0] : undefined);
    if (next) join(last(curve), endDirection(curve), startDirection(next), half, style, pieces);
  });
  if (isClosed) return;
  const [head, tail] = [curves[0] as Curve, curves.at(-1) as Curve];
  const [x, y] = startDirection(head);
  cap(first(head), [-x, -y], half, style.cap, pieces);
  cap(last(tail), endDirection(tail), half, style.cap, pieces);
}

/** The area along one segment, between its two parallels. */
function ribbon(curve: Curve, half: number, pieces: PathSegment[][], depth: number): void {
  const [p0, p3] = [first(curve), last(curve)];
  if (curve.length === 2) {
    const side = normal(startDirection(curve));
    pieces.push(polygon([add(p0, side, half), add(p0, side, -half), add(p3, side, -half), add(p3, side, half)]));
    return;
  }
  const [d0, d1] = [startDirection(curve), endDirection(curve)];
  const [, p1 = p0, p2 = p3] = curve;
  // A turn back counts as well.
  const middle = unit(sub(p2, p1));
  const turn = angle(d0, middle) + angle(middle, d1);
  const chord = sub(p3, p0);
  const isTame = turn <= mostTurn && dot(sub(p1, p0), chord) >= 0 && dot(sub(p3, p2), chord) >= 0;
  if (!isTame && depth < deepest) {
    const [left, right] = split(curve, 0.5);
    ribbon(left, half, pieces, depth + 1);
    ribbon(right, half, pieces, depth + 1);
    return;
  }
  const parallel = (by: number): Point[] | null => {
    const [a, d] = [add(p0, normal(d0), by), add(p3, normal(d1), by)];
    const along = dot(sub(d, a), chord) / dot(chord, chord);
    return along > 0 ? [a, add(a, sub(p1, p0), along), add(d, sub(p2, p3), along), d] : null;
  };
  const [left, right] = [parallel(half), parallel(-half)];
  if (left && right) pieces.push(bent(left, right));
  else {
    // The curve is tighter than half the line width, so a parallel does not exist: use circles and a wedge.
    pieces.push(
      polygon([add(p0, normal(d0), half), add(p0, normal(d0), -half), p3]),
      circle(p0, half),
      circle(p3, half),
    );
  }
}

function bent(left: readonly Point[], right: readonly Point[]): PathSegment[] {
  const [a, b, c, d] = left as [Point, Point, Point, Point];
  const [e, f, g, h] = right as [Point, Point, Point, Point];
  const isLeftTurning = area([a, e, f, g, h, d, c, b]) >= 0;
  return isLeftTurning
    ? [['M', ...a], ['L', ...e], ['C', ...f, ...g, ...h], ['L', ...d], ['C', ...c, ...b, ...a], ['Z']]
    : [['M', ...a], ['C', ...b, ...c, ...d], ['L', ...h], ['C', ...g, ...f, ...e], ['Z']];
}

function join(at: Point, from: Point, to: Point, half: number, style: StrokeStyle, pieces: PathSegment[][]): void {
  const turn = Math.atan2(cross(from, to), dot(from, to));
  if (Math.abs(turn) < 1e-4) return;
  if (style.join === 1) {
    pieces.push(circle(at, half));
    return;
  }
  // The gap is on the outer side of the turn.
  const out = turn > 0 ? -half : half;
  const [a, b] = [add(at, normal(from), out), add(at, normal(to), out)];
  const ratio = 1 / Math.cos(turn / 2);
  const isMitered = style.join === 0 && ratio <= style.miterLimit && ratio < 1e4;
  const tip = unit(add(normal(from), normal(to)));
  pieces.push(polygon(isMitered ? [at, a, add(at, tip, out * ratio), b] : [at, a, b]));
}

function cap(at: Point, outward: Point, half: number, kind: number, pieces: PathSegment[][]): void {
  if (kind === 1) pieces.push(circle(at, half));
  else if (kind === 2) {
    const side = normal(outward);
    const end = add(at, outward, half);
    pieces.push(polygon([add(at, side, half), add(at, side, -half), add(end, side, -half), add(end, side, half)]));
  }
}

function square(at: Point, along: Point, half: number): Point[] {
  const side = normal(along);
  const [from, to] = [add(at, along, -half), add(at, along, half)];
  return [add(from, side, half), add(from, side, -half), add(to, side, -half), add(to, side, half)];
}

function area(points: readonly Point[]): number {
  let sum = 0;
  points.forEach((point, index) => {
    sum += cross(point, points[(index + 1) % points.length] as Point);
  });
  return sum;
}

function polygon(points: readonly Point[]): PathSegment[] {
  const ordered = area(points) < 0 ? [...points].reverse() : points;
  return [...ordered.map((point, index): PathSegment => [index === 0 ? 'M' : 'L', point[0], point[1]]), ['Z']];
}

function circle([x, y]: Point, r: number): PathSegment[] {
  const k = r * kappa;
  return [
    ['M', x + r, y],
    ['C', x + r, y + k, x + k, y + r, x, y + r],
    ['C', x - k, y + r, x - r, y + k, x - r, y],
    ['C', x - r, y - k, x - k, y - r, x, y - r],
    ['C', x + k, y - r, x + r, y - k, x + r, y],
    ['Z'],
  ];
}

/** Steps in which the length of a curve is measured. */
const measures = 32;

function lengthsOf(curve: Curve): number[] {
  if (curve.length === 2) return [0, size(sub(last(curve), first(curve)))];
  const lengths = [0];
  let before = first(curve);
  for (let step = 1; step <= measures; step += 1) {
    const here = last(split(curve, step / measures)[0]);
    lengths.push((lengths.at(-1) ?? 0) + size(sub(here, before)));
    before = here;
  }
  return lengths;
}

/** The curve parameter (0 to 1) at a given length. */
function parameterAt(lengths: readonly number[], length: number): number {
  let step = 1;
  while (step < lengths.length - 1 && (lengths[step] as number) < length) step += 1;
  const [low, high] = [lengths[step - 1] as number, lengths[step] as number];
  return (step - 1 + (high > low ? (length - low) / (high - low) : 0)) / (lengths.length - 1);
}

/** The dashes of a path. The pattern restarts with each subpath (ISO 32000-1, 8.4.3.6). */
function dashes({ curves, isClosed, start }: Subpath, style: StrokeStyle): Subpath[] {
  const pattern = style.dash.map((length) => Math.max(0, length));
  const sum = pattern.reduce((total, length) => total + length, 0);
  let index = 0;
  let rest = ((style.dashPhase % (sum * 2)) + sum * 2) % (sum * 2);
  while (rest >= (pattern[index % pattern.length] as number)) {
    rest -= pattern[index % pattern.length] as number;
    index += 1;
  }
  let left = (pattern[index % pattern.length] as number) - rest;
  const found: Subpath[] = [];
  let now: Curve[] = [];
  const end = (reached: Curve): void => {
    if (index % 2 === 0)
      found.push({ curves: now, isClosed: false, start: last(reached), along: endDirection(reached) });
    now = [];
  };
  for (const curve of curves) {
    const lengths = lengthsOf(curve);
    const total = lengths.at(-1) as number;
    let done = 0;
    while (total - done > left) {
      const [from, to] = [parameterAt(lengths, done), parameterAt(lengths, done + left)];
      if (index % 2 === 0 && left > 0) now.push(between(curve, from, to));
      done += left;
      end(to > 0 ? between(curve, 0, to) : [...curve].reverse());
      index += 1;
      left = pattern[index % pattern.length] as number;
    }
    if (index % 2 === 0 && total > done) now.push(between(curve, parameterAt(lengths, done), 1));
    left -= total - done;
  }
  if (now.length > 0) found.push({ curves: now, isClosed: false, start });
  // On a closed path a dash that reaches the end continues in the first dash.
  const [head, tail] = [found[0], found.at(-1)];
  if (
    isClosed &&
    head &&
    tail &&
    head !== tail &&
    now.length > 0 &&
    head.curves[0] &&
    first(head.curves[0]) === first(curves[0] as Curve)
  ) {
    head.curves = [...tail.curves, ...head.curves];
    found.pop();
  }
  return found;
}

function between(curve: Curve, from: number, to: number): Curve {
  const head = to < 1 ? split(curve, to)[0] : curve;
  return from > 0 ? split(head, from / to)[1] : head;
}
