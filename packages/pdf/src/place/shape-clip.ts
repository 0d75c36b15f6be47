import type { Cell } from '@pdf2press/contract';
import { num } from './shape-content.ts';

type Point = readonly [number, number];
type Shape = NonNullable<Cell['shape']>;

/** Number of sides of the polygon used as disc at each corner; the error is below 2 % of the bleed. */
const discSides = 16;
const curveSteps = 12;

/**
 * Path operators for the area of an outline and everything within `grow` points of it: the outline, a strip along each
 * edge and a disc at each corner. All have the same orientation, so that the nonzero rule joins them.
 */
export function shapePath({ outline, grow }: Shape): string {
  const contours = contoursOf(outline).map((points) => (area(points) < 0 ? [...points].reverse() : points));
  const around = (points: readonly Point[]): Point[][] =>
    grow > 0 ? points.flatMap((point, index) => reach(point, points[index + 1], grow)) : [];
  return contours
    .flatMap((points) => [points, ...around(points)])
    .map(polygon)
    .join('');
}

const polygon = (points: readonly Point[]): string =>
  `${points.map(([x, y], index) => `${num(x)} ${num(y)} ${index === 0 ? 'm' : 'l'}`).join(' ')} h\n`;

function reach([x, y]: Point, next: Point | undefined, grow: number): Point[][] {
  const disc = Array.from({ length: discSides }, (_, side): Point => {
    const angle = (side * 2 * Math.PI) / discSides;
    return [x + grow * Math.cos(angle), y + grow * Math.sin(angle)];
  });
  if (!next) return [disc];
  const [dx, dy] = [next[0] - x, next[1] - y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return [disc];
  const [nx, ny] = [(-dy / length) * grow, (dx / length) * grow];
  return [
    disc,
    // The normal points to the left of the edge; this order of corners is counter-clockwise.
    [
      [x - nx, y - ny],
      [next[0] - nx, next[1] - ny],
      [next[0] + nx, next[1] + ny],
      [x + nx, y + ny],
    ],
  ];
}

/** Twice the signed area; positive for counter-clockwise points. */
const area = (points: readonly Point[]): number =>
  points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);

/** The closed polygons of an outline; the first point is repeated at the end. */
function contoursOf(outline: Shape['outline']): Point[][] {
  const contours: Point[][] = [];
  let [x, y] = [0, 0];
  for (const [letter, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]] of outline) {
    const contour = contours.at(-1);
    if (letter === 'M') contours.push([[a, b]]);
    else if (letter === 'L') contour?.push([a, b]);
    else if (letter === 'C') {
      for (let i = 1; i <= curveSteps; i++) {
        const [t, s] = [i / curveSteps, 1 - i / curveSteps];
        contour?.push([
          s ** 3 * x + 3 * s * s * t * a + 3 * s * t * t * c + t ** 3 * e,
          s ** 3 * y + 3 * s * s * t * b + 3 * s * t * t * d + t ** 3 * f,
        ]);
      }
    }
    if (letter !== 'Z') [x, y] = letter === 'C' ? [e, f] : [a, b];
  }
  return contours.flatMap((points) => {
    const [first] = points;
    return first && points.length > 2 ? [[...points, first]] : [];
  });
}
