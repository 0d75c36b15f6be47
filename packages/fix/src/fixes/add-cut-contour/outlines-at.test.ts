import { seeded } from '@pdf2press/config/seeded';
import { expect, test } from 'vitest';
import { type Mask, outlinesAt, type Ring } from './outlines-at.ts';

const maskOf = (width: number, height: number, isPrinted: (x: number, y: number) => boolean): Mask => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, at) =>
    isPrinted(at % width, Math.floor(at / width)) ? 1 : 0,
  ),
});
const isIn = (x: number, y: number, [x0, y0, x1, y1]: readonly [number, number, number, number]) =>
  x >= x0 && x < x1 && y >= y0 && y < y1;
const boxOf = (ring: Ring) => {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
/** Above 0 where the inside is on the left as it is seen, with y downwards. */
const areaOf = (ring: Ring): number =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    return sum + (nextX * y - x * nextY) / 2;
  }, 0);

/** Shapes at random: squares and single pixels, of which some touch or lie in each other. */
function scattered(seed: number): Mask {
  const random = seeded(seed);
  const squares = Array.from({ length: 12 }, () => {
    const [x, y, size] = [random() * 70, random() * 50, random() ** 2 * 22 + 1];
    return { box: [x, y, x + size, y + size] as const, isHole: random() < 0.25 };
  });
  return maskOf(80, 60, (x, y) =>
    squares.reduce((printed, { box, isHole }) => (isIn(x, y, box) ? !isHole : printed), false),
  );
}

/** Distance of a point from the centre of the nearest pixel of a value; around the raster there is paper. */
function nearest({ pixels, width, height }: Mask, value: 0 | 1, [x, y]: readonly [number, number]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let row = -1; row <= height; row += 1)
    for (let column = -1; column <= width; column += 1) {
      const isOutside = row < 0 || column < 0 || row === height || column === width;
      if ((isOutside ? 0 : pixels[row * width + column]) === value)
        least = Math.min(least, Math.hypot(column + 0.5 - x, row + 0.5 - y));
    }
  return least;
}

test.each([0, 1.7, 6, 19.3, -2.4])('each place of the lines is %d pixels from what is printed', (distance) => {
  for (const seed of [1, 2, 3]) {
    const mask = scattered(seed);
    const rings = outlinesAt(mask, distance);
    expect(rings.length).toBeGreaterThan(0);
    const places = rings.flat();
    const off = places.map((place) => Math.abs(nearest(mask, distance < 0 ? 0 : 1, place) - Math.abs(distance) - 0.5));
    expect(Math.max(...off)).toBeLessThan(0.5);
  }
});

test('straight sides are two points each, and corners are where pixels end', () => {
  const [ring = [], ...others] = outlinesAt(
    maskOf(40, 30, (x, y) => isIn(x, y, [10, 5, 30, 20])),
    0,
  );
  expect(others).toEqual([]);
  expect(boxOf(ring)).toEqual([10, 5, 30, 20]);
  expect(ring.length).toBeLessThanOrEqual(9);
  expect(areaOf(ring)).toBeGreaterThan(0);
});

test('what lies at the edge of the raster has a line beyond it', () => {
  const [ring = []] = outlinesAt(
    maskOf(10, 10, () => true),
    4,
  );
  expect(boxOf(ring)).toEqual([-4, -4, 14, 14]);
});

test('shapes whose lines would meet have one; pixels that touch at a corner have two', () => {
  const two = maskOf(60, 20, (x, y) => isIn(x, y, [5, 5, 15, 15]) || isIn(x, y, [27, 5, 37, 15]));
  expect([outlinesAt(two, 5).length, outlinesAt(two, 7).length]).toEqual([2, 1]);
  const corner = maskOf(6, 6, (x, y) => (x === 2 && y === 2) || (x === 3 && y === 3));
  expect(outlinesAt(corner, 0)).toHaveLength(2);
});

test('a hole runs the other way round and shrinks; without ink there is no line', () => {
  const ring = maskOf(50, 50, (x, y) => isIn(x, y, [5, 5, 45, 45]) && !isIn(x, y, [15, 15, 35, 35]));
  const areas = outlinesAt(ring, 3).map(areaOf);
  expect(areas.filter((area) => area > 0)).toHaveLength(1);
  const [hole = 0] = areas.filter((area) => area < 0);
  expect(Math.abs(hole + 14 ** 2)).toBeLessThan(2);
  expect(outlinesAt(ring, 12).map(areaOf)).toHaveLength(1);
  expect(
    outlinesAt(
      maskOf(9, 9, () => false),
      3,
    ),
  ).toEqual([]);
  expect(outlinesAt(ring, -6)).toEqual([]);
});
