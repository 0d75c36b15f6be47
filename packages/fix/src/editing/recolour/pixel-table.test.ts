import { expect, test } from 'vitest';
import { pixelsPerCall } from './pixel-program.ts';
import { createPixelTable, gridPoints } from './pixel-table.ts';

const edge = 52;

/** Interpolates one component of one pixel within its tetrahedron, in the same steps of a fifth and an 8-bit fraction. */
function interpolated(table: (corner: readonly number[]) => number, pixel: readonly number[]): number {
  const cell = pixel.map((level) => Math.min(Math.floor(level / 5), edge - 2));
  const rest = pixel.map((level, axis) => level - (cell[axis] ?? 0) * 5);
  const order = [0, 1, 2].sort((one, two) => (rest[two] ?? 0) - (rest[one] ?? 0));
  const corner = [...cell];
  let last = 5;
  let sum = 128;
  for (const axis of order) {
    const part = rest[axis] ?? 0;
    sum += table(corner) * (last - part);
    last = part;
    corner[axis] = (corner[axis] ?? 0) + 1;
  }
  return (sum + table(corner) * last) >> 8;
}

test.each([1, 3, 4])(
  'pixels of %i components are interpolated between the points, over more than one call',
  (components) => {
    const points = gridPoints().length / 3;
    const exact = Float32Array.from({ length: points * components }, (_, at) => ((at * 7919) % 1009) / 1008);
    const count = pixelsPerCall + 13;
    const pixels = Uint8Array.from({ length: count * 3 }, (_, at) => (at * 31 + ((at * at) >> 7)) & 255);
    const converted = createPixelTable(exact, components).convert(pixels);
    expect(converted.length).toBe(count * components);
    const looked = Array.from({ length: 4000 }, (_, at) => (at < 3000 ? at * 7 : count - 4000 + at));
    const apart = looked.flatMap((pixel) =>
      Array.from({ length: components }, (_, component) => {
        const table = ([r = 0, g = 0, b = 0]: readonly number[]): number =>
          Math.round((exact[((r * edge + g) * edge + b) * components + component] ?? 0) * 255 * 51.2);
        const wanted = interpolated(table, [...pixels.subarray(pixel * 3, pixel * 3 + 3)]);
        return converted[pixel * components + component] === wanted ? [] : [{ pixel, component, wanted }];
      }).flat(),
    );
    expect(apart).toEqual([]);
  },
);
