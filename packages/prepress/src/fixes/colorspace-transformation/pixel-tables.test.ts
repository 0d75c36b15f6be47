import { expect, test } from 'vitest';
import { pixelTables } from './pixel-tables.ts';

const gradient = Uint8Array.from({ length: 256 * 3 }, (_, at) => (at % 3 === 0 ? Math.floor(at / 3) : 17));

test.each<[string, (level: number) => number]>([
  ['gentle', (level) => level ** 1.8],
  ['so steep that no table holds them', (level) => Math.min(1, level * 40)],
])('pixels through curves that are %s', (_, curve) => {
  const { convertPixels, convertDeepPixels } = pixelTables((colours) => colours.map(curve), 3, null);
  const wanted = [...gradient].map((level) => curve(level / 255));
  const off = (found: ArrayLike<number>, most: number): number =>
    Math.max(...wanted.map((value, at) => Math.abs((found[at] ?? 0) / most - value)));
  expect(off(convertPixels(gradient), 255)).toBeLessThan(0.01);
  expect(off(convertDeepPixels(Uint16Array.from(gradient, (level) => level * 257)), 65_535)).toBeLessThan(0.01);
});
