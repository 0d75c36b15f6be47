import { type Matrix, type PageFacts, type Rect, transformRect } from '@pdf2press/pdf';

/** Matrix from the page as it is displayed, with Rotate applied, to default user space. */
export const fromSeen: Readonly<Record<PageFacts['rotate'], Matrix>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
};

/** A box of default user space as it lies on the displayed page, where left is left and text is upright. */
export function seenBox(rotate: PageFacts['rotate'], box: Rect): Rect {
  const [a, b, c, d] = fromSeen[rotate];
  // The inverse of a rotation is its transpose.
  return transformRect([a, c, b, d, 0, 0], box);
}
