/** Where on a page the cell of a tiling pattern shows (ISO 32000-1, 8.7.3). */
import { emptyRect, intersect, isEmptyRect, union } from './matrix.ts';
import type { Matrix, Rect, Run, Tiling } from './types.ts';

/** The distances between cells of a pattern with this matrix. */
export const stepsOf = ([a, b, c, d]: Matrix, xStep: number, yStep: number): Tiling['steps'] => [
  [a * xStep, b * xStep],
  [c * yStep, d * yStep],
];

/** With more repeats of a cell in an area, what is in it shows all over the area. */
const manyRepeats = 400;

/** Points. */
const touching = 1e-4;

/** The moves that bring a box, at the origin of a pattern, into the painted area; null for too many to tell apart. */
export function repeatsOf({ area, steps }: Tiling, box: Rect): (readonly [x: number, y: number])[] | null {
  if (isEmptyRect(area) || isEmptyRect(box)) return [];
  if (!steps) return null;
  const [[ax, ay], [bx, by]] = steps;
  const determinant = ax * by - ay * bx;
  if (Math.abs(determinant) < 1e-9) return null;
  const reach: Rect = [area[0] - box[2], area[1] - box[3], area[2] - box[0], area[3] - box[1]];
  const corners = [0, 2].flatMap((x) => [1, 3].map((y) => [reach[x] as number, reach[y] as number] as const));
  const right = corners.map(([x, y]) => (x * by - y * bx) / determinant);
  const up = corners.map(([x, y]) => (y * ax - x * ay) / determinant);
  const [fromRight, toRight] = [Math.ceil(Math.min(...right)), Math.floor(Math.max(...right))];
  const [fromUp, toUp] = [Math.ceil(Math.min(...up)), Math.floor(Math.max(...up))];
  if ((toRight - fromRight + 1) * (toUp - fromUp + 1) > manyRepeats) return null;
  const moves: (readonly [number, number])[] = [];
  for (let i = fromRight; i <= toRight; i += 1) {
    for (let j = fromUp; j <= toUp; j += 1) {
      const move = [i * ax + j * bx, i * ay + j * by] as const;
      const [x0, y0, x1, y1] = intersect(area, moved(box, move));
      // What only touches the area shows nothing in it; a line has no extent in one direction.
      if ((x1 - x0 > touching || box[0] === box[2]) && (y1 - y0 > touching || box[1] === box[3])) moves.push(move);
    }
  }
  return moves;
}

/** A box moved by x and y. */
export const moved = ([x0, y0, x1, y1]: Rect, [x, y]: readonly [number, number]): Rect => [
  x0 + x,
  y0 + y,
  x1 + x,
  y1 + y,
];

/**
 * The part of the page on which something shows: the box itself, or for something in the cell of a pattern the bounds of
 * all its repeats in the painted area. `emptyRect` when no repeat is in it.
 * @param box as events tell it; in a cell, at the origin of the pattern
 */
export function shownOnPage({ tiled }: Run, box: Rect): Rect {
  if (!tiled || isEmptyRect(box)) return box;
  const repeats = repeatsOf(tiled, box);
  if (!repeats) return tiled.area;
  return repeats
    .map((move) => intersect(tiled.area, moved(box, move)))
    .reduce((shown, seen) => (isEmptyRect(shown) ? seen : union(shown, seen)), emptyRect);
}
