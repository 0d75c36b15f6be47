/** Affine maps of PDF, `[a b c d e f]`: a point is a row vector left of the matrix. */
import type { Box } from '@pdf2press/contract';
import { between, isDrawn, pick, type Random } from './chance.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

/** One map after the other. */
export function chained([a, b, c, d, e, f]: Matrix, second: Matrix): Matrix {
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** The corners of a box after a map, in order around it. */
export function corners([x0, y0, x1, y1]: Box, [a, b, c, d, e, f]: Matrix): [number, number][] {
  return (
    [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ] as const
  ).map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
}

/** The upright box around a box after a map. */
export function mapped(box: Box, matrix: Matrix): Box {
  const points = corners(box, matrix);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export const grown = ([x0, y0, x1, y1]: Box, by: number): Box => [x0 - by, y0 - by, x1 + by, y1 + by];

const isSquareTo = [0, 90, 180, 270];

/** Turned by any angle or by quarters, moved, enlarged and sometimes mirrored; never skewed. */
export function drawnMatrix(random: Random): Matrix {
  const degrees = isDrawn(random, 0.5) ? pick(random, isSquareTo) : between(random, 0, 360);
  const scale = 2 ** between(random, -3, 3);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180) * scale, Math.sin((degrees * Math.PI) / 180) * scale];
  const mirror = isDrawn(random, 0.2) ? -1 : 1;
  return [cos, sin, -sin * mirror, cos * mirror, between(random, -300, 300), between(random, -300, 300)];
}
