import fc from 'fast-check';
import { expect, test } from 'vitest';
import { card, cardLimits, cardPixelsOn, densityOf, draggedTo, trueScale } from './true-size.ts';

test('a screen that was not measured has the millimetres of CSS', () => {
  expect(trueScale(null, 2)).toBeCloseTo(96 / 72, 9);
  expect(cardPixelsOn(null, 2)).toBeCloseTo((85.6 / 25.4) * 96, 6);
});

test('at true size, a page as long as a card is as long as the card was on the screen', () => {
  fc.assert(
    fc.property(fc.integer(cardLimits), fc.double({ min: 0.5, max: 4, noNaN: true }), (pixels, ratio) => {
      const density = densityOf(pixels, ratio);
      expect(cardPixelsOn(density, ratio)).toBeCloseTo(pixels, 6);
      expect(trueScale(density, ratio) * ((card.long / 25.4) * 72)).toBeCloseTo(pixels, 6);
    }),
  );
});

test('when the browser zooms, the page stays as large as it is on paper', () => {
  const density = densityOf(400, 1);
  // At 200 %, a CSS pixel has two of the screen: half as many make the same length.
  expect(trueScale(density, 2)).toBeCloseTo(trueScale(density, 1) / 2, 9);
});

test('the outline follows the corner, keeps the shape of a card, and stays within the limits', () => {
  expect(draggedTo({ x: 428, y: 10 }, false)).toBe(428);
  expect(draggedTo({ x: 10, y: 269.9 }, false)).toBe(428);
  expect(draggedTo({ x: 10, y: 428 }, true)).toBe(428);
  expect(draggedTo({ x: 269.9, y: 10 }, true)).toBe(428);
  expect(draggedTo({ x: -5, y: 0 }, true)).toBe(cardLimits.min);
  expect(draggedTo({ x: 5000, y: 0 }, false)).toBe(cardLimits.max);
});
