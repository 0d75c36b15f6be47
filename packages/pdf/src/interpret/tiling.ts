/** Where on a page the cell of a tiling pattern shows (ISO 32000-1, 8.7.3). */
import { emptyRect, intersect, invert, isEmptyRect, keepsAxes, scales, union } from './matrix.ts';
import type { Matrix, Rect, Run, Tiling } from './types.ts';

type Move = readonly [x: number, y: number];
type Repeats = Tiling['repeats'];
/** From a cell to the next one to the right and the next one above. */
type Steps = readonly [right: Move, up: Move];

/** The distances between cells of a pattern with this matrix. */
export const stepsOf = ([a, b, c, d]: Matrix, xStep: number, yStep: number): Steps => [
  [a * xStep, b * xStep],
  [c * yStep, d * yStep],
];

/** With more repeats of a cell in an area, what is in it shows all over the area. */
const manyRepeats = 400;

/** Points by which neighbouring cells may reach into the same area because numbers in files are rounded. */
const rounded = 0.02;

/** How far something this wide must reach into something else as wide as that to show there: more than by a rounding. */
const least = (one: number, other: number, unit = 1): number => Math.min(rounded / unit, one / 4, other / 4);

/** Whether a box shows in an area: what only touches it does not; a line has no extent in one direction. */
function shows(area: Rect, box: Rect): boolean {
  const [x0, y0, x1, y1] = intersect(area, box);
  return (
    (x1 - x0 > least(area[2] - area[0], box[2] - box[0]) || box[0] === box[2]) &&
    (y1 - y0 > least(area[3] - area[1], box[3] - box[1]) || box[1] === box[3])
  );
}

/**
 * The moves that bring a box, at the origin of a pattern, into the painted area; null for too many to tell apart.
 * @param steps null in a pattern within a pattern, whose cells are at places of their own in each of the outer one's
 */
export function repeatsOf(area: Rect, steps: Steps | null, box: Rect): Repeats {
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
  const moves: Move[] = [];
  for (let i = fromRight; i <= toRight; i += 1) {
    for (let j = fromUp; j <= toUp; j += 1) {
      const move = [i * ax + j * bx, i * ay + j * by] as const;
      if (shows(area, moved(box, move))) moves.push(move);
    }
  }
  return moves;
}

/**
 * Those repeats of a turned cell that the painted area reaches, compared in pattern space, where cells are upright. On the
 * page, the upright boxes of turned cells overlap.
 * @param bbox of the cell, pattern space
 * @param areaUnder the bounds of the painted area after a transformation of the page
 */
export function repeatsInPattern(
  repeats: Repeats,
  matrix: Matrix,
  bbox: Rect,
  areaUnder: (matrix: Matrix) => Rect,
): Repeats {
  const toPattern = invert(matrix);
  if (!repeats || repeats.length === 0 || !toPattern || keepsAxes(matrix)) return repeats;
  const area = areaUnder(toPattern);
  const unit = scales(matrix).max;
  const leastAcross = least(area[2] - area[0], bbox[2] - bbox[0], unit);
  const leastUp = least(area[3] - area[1], bbox[3] - bbox[1], unit);
  // Of an area as thin as a line nothing can be said by how far cells reach into it.
  if (leastAcross <= 0 || leastUp <= 0) return repeats;
  return repeats.filter(([x, y]) => {
    const inPattern = [toPattern[0] * x + toPattern[2] * y, toPattern[1] * x + toPattern[3] * y] as const;
    const [x0, y0, x1, y1] = intersect(area, moved(bbox, inPattern));
    return x1 - x0 > leastAcross && y1 - y0 > leastUp;
  });
}

/** Parts of a cell that are compared; of more of them, what shows in the last ones may be told twice. */
const mostParts = 64;

/**
 * The parts of a cell that show in an area, each in the space of the pattern; null for the whole cell.
 * @param area the painted area in that space
 * @param repeats the moves on the page by which the cell shows there; null for too many to tell apart
 */
export function partsShown(area: Rect, bbox: Rect, matrix: Matrix, repeats: Repeats): Rect[] | null {
  const toPattern = invert(matrix);
  if (!repeats || !toPattern) return null;
  const parts = repeats.map(([x, y]) => {
    const back = [-toPattern[0] * x - toPattern[2] * y, -toPattern[1] * x - toPattern[3] * y] as const;
    return intersect(moved(area, back), bbox);
  });
  return parts.some((part) => holds(part, bbox)) ? null : parts;
}

/** Whether a box holds another but for what numbers in files are rounded by. */
const holds = (outer: Rect, [x0, y0, x1, y1]: Rect): boolean => {
  const by = Math.min(rounded, (x1 - x0) / 4, (y1 - y0) / 4);
  return outer[0] <= x0 + by && outer[1] <= y0 + by && outer[2] >= x1 - by && outer[3] >= y1 - by;
};

/** Remembers that parts of a cell show (null for the whole cell); false if earlier ones hold each of them. */
export function addParts(seen: { parts: Rect[]; isWhole: boolean }, parts: Rect[] | null): boolean {
  if (seen.isWhole) return false;
  const news = parts?.filter((part) => !seen.parts.some((known) => holds(known, part)));
  if (news?.length === 0) return false;
  if (!news) seen.isWhole = true;
  else if (seen.parts.length < mostParts) seen.parts.push(...news.slice(0, mostParts));
  return true;
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
  if (!tiled.repeats) return tiled.area;
  return tiled.repeats
    .map((move) => moved(box, move))
    .filter((repeat) => shows(tiled.area, repeat))
    .map((repeat) => intersect(tiled.area, repeat))
    .reduce((shown, seen) => (isEmptyRect(shown) ? seen : union(shown, seen)), emptyRect);
}
