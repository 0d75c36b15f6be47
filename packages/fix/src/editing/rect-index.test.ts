import { intersect, isEmptyRect, type Rect } from '@pdf2press/pdf';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRectIndex } from './rect-index.ts';

const edge = fc.double({ min: -50, max: 250, noNaN: true });
const rect = fc
  .tuple(edge, edge, edge, edge)
  .map(([a, b, c, d]): Rect => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

test('returns the same as testing every rectangle, also outside the indexed area', () => {
  fc.assert(
    fc.property(fc.array(rect, { maxLength: 40 }), rect, (boxes, asked) => {
      const index = createRectIndex([0, 0, 200, 200]);
      for (const box of boxes) index.add(box);
      expect(index.meets(asked)).toBe(boxes.some((box) => !isEmptyRect(intersect(box, asked))));
    }),
  );
});
