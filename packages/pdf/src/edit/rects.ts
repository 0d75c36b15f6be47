import { isEmptyRect } from '../interpret/matrix.ts';
import type { Rect } from '../interpret/types.ts';

/** A value for each side of a rectangle. As distances: points in default user space, positive inwards. */
export interface Sides<T> {
  left: T;
  right: T;
  top: T;
  bottom: T;
}
export const sideNames = ['left', 'right', 'top', 'bottom'] as const;
export type SideName = (typeof sideNames)[number];

/** Area of a rectangle; 0 for an empty one. */
export const area = (rect: Rect): number => Math.max(0, rect[2] - rect[0]) * Math.max(0, rect[3] - rect[1]);
/** The common area; empty (x0 > x1 or y0 > y1) when there is none. */
export const overlap = (a: Rect, b: Rect): Rect => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
];
/** True when the rectangles share at least a point. */
export const touches = (a: Rect, b: Rect): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3] && !isEmptyRect(a) && !isEmptyRect(b);
/** True when `inner` lies in `outer`, with a tolerance in points. */
export const covers = (outer: Rect, inner: Rect, tolerance = 0): boolean =>
  outer[0] <= inner[0] + tolerance &&
  outer[1] <= inner[1] + tolerance &&
  outer[2] >= inner[2] - tolerance &&
  outer[3] >= inner[3] - tolerance;
/** The rectangle with each side moved outwards by a distance. */
export const grow = (rect: Rect, by: Sides<number>): Rect => [
  rect[0] - by.left,
  rect[1] - by.bottom,
  rect[2] + by.right,
  rect[3] + by.top,
];
/** x1 - x0 */
export const width = (rect: Rect): number => rect[2] - rect[0];
/** y1 - y0 */
export const height = (rect: Rect): number => rect[3] - rect[1];

/** True when all edges differ by at most the tolerance in points. */
export const sameBox = (a: Rect, b: Rect, tolerance: number): boolean =>
  a.every((edge, i) => Math.abs(edge - (b[i] ?? 0)) <= tolerance);

const turned: Record<number, readonly SideName[]> = {
  0: ['left', 'right', 'top', 'bottom'],
  90: ['bottom', 'top', 'left', 'right'],
  180: ['right', 'left', 'bottom', 'top'],
  270: ['top', 'bottom', 'right', 'left'],
};

/**
 * Converts a side in default user space to the side of the page as shown. /Rotate turns clockwise, so the bottom edge
 * of a page with /Rotate 90 is shown on the left.
 */
export function seenSide(side: SideName, rotate: number): SideName {
  return sideNames[(turned[rotate] ?? sideNames).indexOf(side)] ?? side;
}
