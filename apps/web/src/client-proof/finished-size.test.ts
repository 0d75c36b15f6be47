import { expect, test } from 'vitest';
import { leastBleed, trimmedSize } from './finished-size.ts';

const page = (trim: [number, number, number, number], rotate: 0 | 90 | 180 | 270 = 0, userUnit = 1) => {
  const whole = [0, 0, 120, 220] as [number, number, number, number];
  return { boxes: { media: whole, crop: whole, bleed: whole, trim, art: trim }, rotate, userUnit };
};

test('the finished size is that of the trimmed page as it is read, in true points', () => {
  expect(trimmedSize(page([10, 10, 110, 210]))).toEqual([100, 200]);
  expect(trimmedSize(page([10, 10, 110, 210], 90))).toEqual([200, 100]);
  expect(trimmedSize(page([10, 10, 110, 210], 180, 2))).toEqual([200, 400]);
});

test('the bleed is the least of the four sides, and never below nothing', () => {
  expect(leastBleed(page([10, 10, 110, 210]))).toBe(10);
  expect(leastBleed(page([10, 10, 115, 210], 0, 2))).toBe(10);
  expect(leastBleed(page([-5, 10, 110, 210]))).toBe(0);
});
