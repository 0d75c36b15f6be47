import { expect, test } from 'vitest';
import { alignPages, changedAreas, markDifferences } from './difference.ts';

const page = (media: [number, number, number, number], trim: [number, number, number, number]) => ({
  boxes: { media, crop: media, bleed: media, trim, art: trim },
  rotate: 0 as const,
  widthPt: media[2] - media[0],
  heightPt: media[3] - media[1],
});

test('pages of the same size are aligned', () => {
  const a4 = page([0, 0, 595, 842], [0, 0, 595, 842]);
  expect(alignPages(a4, a4)).toEqual({
    size: { width: 595, height: 842 },
    original: { x: 0, y: 0 },
    production: { x: 0, y: 0 },
  });
});

test('added bleed lies around the TrimBox of the original', () => {
  const bare = page([0, 0, 100, 200], [0, 0, 100, 200]);
  const bled = page([-10, -20, 110, 220], [0, 0, 100, 200]);
  const { size, original, production } = alignPages(bare, bled);
  expect(production).toEqual({ x: 0, y: 0 });
  expect(original.x).toBeCloseTo(10);
  expect(original.y).toBeCloseTo(20);
  expect(size).toEqual({ width: 120, height: 240 });
});

const raster = (...greys: number[]) => new Uint8ClampedArray(greys.flatMap((grey) => [grey, grey, grey, 255]));

test('differing pixels are counted and marked, rounding differences are not', () => {
  const out = new Uint8ClampedArray(12);
  const size = { width: 3, height: 1 };
  expect(markDifferences(size, raster(255, 100, 0), raster(250, 100, 255), out)).toBe(1);
  expect([...out.slice(8, 11)]).toEqual([214, 0, 110]);
  expect(out[3]).toBe(255);
});

test('an edge antialiased on another pixel grid is no difference, a missing stroke is one', () => {
  const size = { width: 4, height: 1 };
  const out = new Uint8ClampedArray(16);
  expect(markDifferences(size, raster(0, 0, 255, 255), raster(0, 128, 255, 255), out, true)).toBe(0);
  expect(markDifferences(size, raster(255, 255, 0, 255), raster(255, 255, 255, 255), out, true)).toBe(1);
});

test('changes that lie close together are one area, in the order from the top', () => {
  const size = { width: 240, height: 120 };
  const white = new Uint8ClampedArray(size.width * size.height * 4).fill(255);
  const changed = white.slice();
  for (const [x, y] of [
    [200, 100],
    [10, 10],
    [30, 30],
  ] as const)
    changed[(y * size.width + x) * 4] = 0;
  const out = new Uint8ClampedArray(white.length);
  expect(markDifferences(size, white, changed, out)).toBe(3);
  expect(changedAreas(size, out)).toEqual([
    { x: 0, y: 0, width: 48, height: 48 },
    { x: 192, y: 96, width: 24, height: 24 },
  ]);
  expect(markDifferences(size, white, white, out)).toBe(0);
  expect(changedAreas(size, out)).toEqual([]);
});
