/** How far the line of a path reaches (ISO 32000-2, 8.4.3.3 to 8.4.3.5). */
import { identity, invert, isEmptyRect, multiply, transformPoint } from './matrix.ts';
import { type PathBuilder, pathBounds, visitCorners } from './path-builder.ts';
import type { GraphicsState, Matrix, Rect } from './types.ts';

type Vector = readonly [x: number, y: number];
type Line = Pick<GraphicsState, 'ctm' | 'lineWidth' | 'lineCap' | 'lineJoin' | 'miterLimit'>;

const miterJoin = 0;
const squareCap = 2;

/** Bounds, after a transformation, with half the width of a line on each side. */
export function grownByLine(bounds: Rect, { ctm, lineWidth }: Pick<Line, 'ctm' | 'lineWidth'>, under: Matrix): Rect {
  if (isEmptyRect(bounds)) return bounds;
  const [a, b, c, d] = multiply(ctm, under);
  const x = (Math.abs(lineWidth) / 2) * Math.hypot(a, c);
  const y = (Math.abs(lineWidth) / 2) * Math.hypot(b, d);
  return [bounds[0] - x, bounds[1] - y, bounds[2] + x, bounds[3] + y];
}

/**
 * The bounds of a path with the width of its line: of a disc as wide as the line at every point, with the tips of miter
 * joins and the corners of square caps.
 * @param path default user space
 * @param under a transformation of the stroked path
 */
export function strokedBounds(path: PathBuilder, line: Line, under: Matrix = identity): Rect {
  const { ctm, lineWidth, lineCap, lineJoin, miterLimit } = line;
  const grown = grownByLine(pathBounds(path, under), line, under);
  const toUser = invert(ctm);
  const furthest = Math.max(lineJoin === miterJoin ? miterLimit : 1, lineCap === squareCap ? Math.SQRT2 : 1);
  if (isEmptyRect(grown) || !toUser || lineWidth === 0 || furthest <= 1) return grown;
  let [x0, y0, x1, y1] = grown;
  const half = Math.abs(lineWidth) / 2;
  const toArea = multiply(ctm, under);
  const x = half * Math.hypot(toArea[0], toArea[2]) * furthest;
  const y = half * Math.hypot(toArea[1], toArea[3]) * furthest;
  visitCorners(path, (pageX, pageY, into, out) => {
    const [atX, atY] = transformPoint(under, pageX, pageY);
    // Most corners of long paths lie too far inside for a tip to leave the bounds.
    if (atX - x >= x0 && atX + x <= x1 && atY - y >= y0 && atY + y <= y1) return;
    for (const [tipX, tipY] of tipsOf(line, unit(toUser, into), unit(toUser, out))) {
      const [moveX, moveY] = [
        half * (toArea[0] * tipX + toArea[2] * tipY),
        half * (toArea[1] * tipX + toArea[3] * tipY),
      ];
      x0 = Math.min(x0, atX + moveX);
      x1 = Math.max(x1, atX + moveX);
      y0 = Math.min(y0, atY + moveY);
      y1 = Math.max(y1, atY + moveY);
    }
  });
  return [x0, y0, x1, y1];
}

/** The direction in user space; null for none. */
function unit(toUser: Matrix, direction: Vector | null): Vector | null {
  if (!direction) return null;
  const [x, y] = direction;
  const [userX, userY] = [toUser[0] * x + toUser[2] * y, toUser[1] * x + toUser[3] * y];
  const length = Math.hypot(userX, userY);
  return length > 0 ? [userX / length, userY / length] : null;
}

/** Where the line ends beyond the disc at a corner or an end of the path, in halves of its width. */
function tipsOf({ lineCap, lineJoin, miterLimit }: Line, into: Vector | null, out: Vector | null): readonly Vector[] {
  if (into && out) {
    if (lineJoin !== miterJoin) return [];
    // The angle between the segments is 180° for a path that goes straight on.
    const sineOfHalf = Math.sqrt(Math.max(0, (1 + into[0] * out[0] + into[1] * out[1]) / 2));
    const [x, y] = [into[0] - out[0], into[1] - out[1]];
    const length = Math.hypot(x, y) * sineOfHalf;
    return sineOfHalf * miterLimit < 1 || length < 1e-9 ? [] : [[x / length, y / length]];
  }
  if (lineCap !== squareCap) return [];
  const [x, y] = into ?? (out ? [-out[0], -out[1]] : [1, 0]);
  const corners: Vector[] = [
    [x - y, y + x],
    [x + y, y - x],
  ];
  // A point has a cap on both sides.
  return into || out ? corners : [...corners, ...corners.map(([cornerX, cornerY]): Vector => [-cornerX, -cornerY])];
}
