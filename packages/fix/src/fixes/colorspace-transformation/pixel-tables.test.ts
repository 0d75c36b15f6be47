import { expect, test } from 'vitest';
import { pixelTables } from './pixel-tables.ts';

const gradient = Uint8Array.from({ length: 256 * 3 }, (_, at) => (at % 3 === 0 ? Math.floor(at / 3) : 17));

test.each([4097, 1])('%i pixels give the same inks as planes and as interleaved pixels', (count) => {
  const pixels = Uint8Array.from({ length: count * 3 }, (_, at) => (at * at * 31) % 251);
  const inksOf = (colours: Float32Array): Float32Array => {
    const inks = new Float32Array((colours.length / 3) * 4);
    for (let from = 0, to = 0; from < colours.length; from += 3, to += 4) {
      const [red = 0, green = 0, blue = 0] = colours.subarray(from, from + 3);
      inks.set([1 - red, 1 - green, 1 - blue, 0.3 * (1 - red) + 0.2 * green], to);
    }
    return inks;
  };
  const { convertPixels, separatePixels } = pixelTables(inksOf, 4, null);
  const inks = convertPixels(pixels);
  const planes = separatePixels(pixels);
  expect(planes?.chromatic).toBe(pixels);
  expect(planes?.chromatic).toEqual(
    Uint8Array.from({ length: count * 3 }, (_, at) => 255 - (inks[at + Math.floor(at / 3)] ?? 0)),
  );
  expect(planes?.black).toEqual(inks.filter((_, at) => at % 4 === 3));
});

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
