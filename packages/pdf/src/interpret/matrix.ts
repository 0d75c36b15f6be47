/** Matrices as in the `cm` operator and rectangles [x0 y0 x1 y1]. */
import type { Matrix, Quad, Rect } from './types.ts';

/** Whether a value is six numbers. */
export const isMatrix = (value: unknown): value is Matrix =>
  Array.isArray(value) && value.length === 6 && value.every((entry) => typeof entry === 'number');

/** The identity matrix. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** The empty rectangle, with x0 > x1. */
export const emptyRect: Rect = [Infinity, Infinity, -Infinity, -Infinity];

/** The matrix that applies first `a`, then `b`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[1] * b[2],
    a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2],
    a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4],
    a[4] * b[1] + a[5] * b[3] + b[5],
  ];
}

/** The inverse matrix; null when there is none. */
export function invert(m: Matrix): Matrix | null {
  const determinant = m[0] * m[3] - m[1] * m[2];
  if (determinant === 0 || !Number.isFinite(determinant)) return null;
  return [
    m[3] / determinant,
    -m[1] / determinant,
    -m[2] / determinant,
    m[0] / determinant,
    (m[2] * m[5] - m[3] * m[4]) / determinant,
    (m[1] * m[4] - m[0] * m[5]) / determinant,
  ];
}

/** The transformed point. */
export function transformPoint(m: Matrix, x: number, y: number): [number, number] {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}

/** The transformed corners, in the order lower left, lower right, upper right, upper left of the original rectangle. */
export function transformQuad(m: Matrix, rect: Rect): Quad {
  const [x0, y0, x1, y1] = rect;
  return [
    m[0] * x0 + m[2] * y0 + m[4],
    m[1] * x0 + m[3] * y0 + m[5],
    m[0] * x1 + m[2] * y0 + m[4],
    m[1] * x1 + m[3] * y0 + m[5],
    m[0] * x1 + m[2] * y1 + m[4],
    m[1] * x1 + m[3] * y1 + m[5],
    m[0] * x0 + m[2] * y1 + m[4],
    m[1] * x0 + m[3] * y1 + m[5],
  ];
}

/** Bounding box of four corners. */
export function quadBounds(q: Quad): Rect {
  return [
    Math.min(q[0], q[2], q[4], q[6]),
    Math.min(q[1], q[3], q[5], q[7]),
    Math.max(q[0], q[2], q[4], q[6]),
    Math.max(q[1], q[3], q[5], q[7]),
  ];
}

/** Bounding box of the transformed rectangle. */
export function transformRect(m: Matrix, rect: Rect): Rect {
  if (isEmptyRect(rect)) return emptyRect;
  const [a, b, c, d, e, f] = m;
  // Without rotation or mirroring, the most frequent case, two corners are enough.
  if (b === 0 && c === 0 && a > 0 && d > 0) return [a * rect[0] + e, d * rect[1] + f, a * rect[2] + e, d * rect[3] + f];
  return quadBounds(transformQuad(m, rect));
}

/** True for an empty rectangle. A rectangle without width or height is not empty. */
export const isEmptyRect = (rect: Rect): boolean => !(rect[0] <= rect[2] && rect[1] <= rect[3]);

/** The common area of two rectangles; `emptyRect` when there is none. */
export function intersect(a: Rect, b: Rect): Rect {
  const cut: Rect = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return isEmptyRect(cut) ? emptyRect : cut;
}

/** Bounding box of two rectangles. */
export function union(a: Rect, b: Rect): Rect {
  if (isEmptyRect(a)) return b;
  if (isEmptyRect(b)) return a;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Largest and smallest scale factor of a matrix (its singular values). */
export function scales(m: Matrix): { max: number; min: number } {
  const [a, b, c, d] = m;
  const sum = a * a + b * b + c * c + d * d;
  const determinant = Math.abs(a * d - b * c);
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * determinant * determinant));
  const max = Math.sqrt((sum + root) / 2);
  return { max, min: max > 0 ? determinant / max : 0 };
}

/** True when axes stay parallel to axes: no skew, rotation by multiples of 90° only. */
export const keepsAxes = (m: Matrix): boolean => (m[1] === 0 && m[2] === 0) || (m[0] === 0 && m[3] === 0);
