import type { LayoutPage, Rect } from '@pdf2press/contract';
import type { BoxArray } from '../open/boxes.ts';
import type { PageFacts } from '../open/page-facts.ts';

/** [a b c d e f] as in the `cm` operator. */
export type Matrix = readonly [number, number, number, number, number, number];

/** The matrix that applies first `a`, then `b`. */
export const concat = (a: Matrix, b: Matrix): Matrix => [
  a[0] * b[0] + a[1] * b[2],
  a[0] * b[1] + a[1] * b[3],
  a[2] * b[0] + a[3] * b[2],
  a[2] * b[1] + a[3] * b[3],
  a[4] * b[0] + a[5] * b[2] + b[4],
  a[4] * b[1] + a[5] * b[3] + b[5],
];

const rotations = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
} as const;

/** Counter-clockwise rotation about the origin. */
export const rotationMatrix = (degrees: 0 | 90 | 180 | 270): Matrix => rotations[degrees];

/**
 * Maps user space of a page to the page as shown: rotated clockwise by /Rotate, scaled by UserUnit, with the MediaBox
 * at the origin. In points.
 */
export function seenMatrix(page: PageFacts): Matrix {
  const [x0, y0, x1, y1] = page.effective.media;
  const unit = page.userUnit;
  const turned = turns[page.rotate](x0, y0, x1, y1);
  return unit === 1 ? turned : concat(turned, [unit, 0, 0, unit, 0, 0]);
}

/** The matrix for each value of /Rotate: clockwise rotation that puts the MediaBox at the origin. */
const turns: Record<PageFacts['rotate'], (x0: number, y0: number, x1: number, y1: number) => Matrix> = {
  0: (x0, y0) => [1, 0, 0, 1, -x0, -y0],
  90: (_x0, y0, x1) => [0, -1, 1, 0, -y0, x1],
  180: (_x0, _y0, x1, y1) => [-1, 0, 0, -1, x1, y1],
  270: (x0, _y0, _x1, y1) => [0, 1, -1, 0, y1, -x0],
};

/** The bounding box of a transformed rectangle, for matrices that keep axes parallel. */
export function mapBox([x0, y0, x1, y1]: BoxArray, [a, b, c, d, e, f]: Matrix): Rect {
  const [fromX, toX] = [x0 * a + y0 * c + e, x1 * a + y1 * c + e];
  const [fromY, toY] = [x0 * b + y0 * d + f, x1 * b + y1 * d + f];
  return {
    x: Math.min(fromX, toX),
    y: Math.min(fromY, toY),
    width: Math.abs(toX - fromX),
    height: Math.abs(toY - fromY),
  };
}

/** The boxes of a page as shown, clipped and with defaults, in points with the MediaBox at the origin. */
export function layoutPage(page: PageFacts): LayoutPage {
  const matrix = seenMatrix(page);
  const { media, trim, bleed } = page.effective;
  return {
    media: mapBox(media, matrix),
    trim: mapBox(trim, matrix),
    bleed: mapBox(bleed, matrix),
    hasBleedBox: page.boxes.bleed !== null,
    hasTrimBox: page.boxes.trim !== null,
    ...(page.boxes.art !== null && { art: mapBox(page.effective.art, matrix) }),
  };
}
