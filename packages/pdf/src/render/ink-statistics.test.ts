import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countInks, largestWindow, statisticsOf, sumPlates } from './ink-statistics.ts';
import type { PsdFile } from './psd.ts';

/** Plates in memory with the interface of a file. */
function platesOf(width: number, height: number, planes: readonly Uint8Array[]): PsdFile {
  return {
    width,
    height,
    inks: planes.map((_, index) => ({ name: `${index}`, kind: index < 4 ? 'process' : 'spot', cmyk: [0, 0, 0, 1] })),
    readPlate(ink, rows = { from: 0, count: height }, into = new Uint8Array(rows.count * width)) {
      into.set((planes[ink] as Uint8Array).subarray(rows.from * width, (rows.from + rows.count) * width));
      return into;
    },
  };
}

const pages = fc
  .record({ width: fc.integer({ min: 1, max: 24 }), height: fc.integer({ min: 1, max: 24 }), spots: fc.nat(3) })
  .chain(({ width, height, spots }) =>
    fc
      .array(fc.uint8Array({ minLength: width * height, maxLength: width * height }), {
        minLength: 4 + spots,
        maxLength: 4 + spots,
      })
      .map((planes) => ({ width, height, planes })),
  );

/** Numpy's percentile of a sorted list. */
function percentile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const low = sorted[Math.floor(rank)] ?? 0;
  return low + ((sorted[Math.ceil(rank)] ?? 0) - low) * (rank % 1);
}

test('the figures equal those of a simple count', () => {
  fc.assert(
    fc.property(pages, fc.integer({ min: 0, max: 700 }), ({ width, height, planes }, limit) => {
      const got = statisticsOf(countInks(platesOf(width, height, planes)));
      const pixels = width * height;
      const sums = Array.from({ length: pixels }, (_, pixel) =>
        planes.reduce((sum, plane) => sum + (plane[pixel] ?? 0), 0),
      );
      const sorted = sums.toSorted((a, b) => a - b);
      planes.forEach((plane, ink) => {
        expect(got.coverage[ink]).toBeCloseTo(plane.reduce((sum, value) => sum + value, 0) / pixels / 255, 10);
        expect(got.inked[ink]).toBeCloseTo(plane.filter((value) => value > 0).length / pixels, 10);
      });
      expect(got.tac.max).toBeCloseTo(Math.max(...sums) / 2.55, 10);
      expect(got.tac.p999).toBeCloseTo(percentile(sorted, 0.999) / 2.55, 8);
      expect(got.tac.shareOver(limit)).toBeCloseTo(sums.filter((sum) => sum > limit * 2.55 + 1e-9).length / pixels, 10);
      expect(got.anyInk).toBeCloseTo(sums.filter((sum) => sum > 0).length / pixels, 10);
      expect(got.tacProcess.max).toBeLessThanOrEqual(got.tac.max);
    }),
  );
});

test('exactly 300 % is not over 300 %', () => {
  const full = new Uint8Array([255]);
  const { tac } = statisticsOf(countInks(platesOf(1, 1, [full, full, full, new Uint8Array(1)])));
  expect([tac.max, tac.shareOver(300), tac.shareOver(299.9)]).toEqual([300, 0, 1]);
});

test('the sum of plates is that of their pixels, whatever was in the array', () => {
  fc.assert(
    fc.property(
      pages,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      ({ width, height, planes }, rarely, plates) => {
        // Most pixels of most plates have no ink.
        const sparse = planes.map((plane) => plane.map((value, at) => (at % rarely === 0 ? value : 0)));
        const total = new Uint16Array(width * height).fill(7);
        sumPlates(platesOf(width, height, sparse), plates, total);
        expect([...total]).toEqual(
          Array.from(total, (_, at) => sparse.slice(0, plates).reduce((sum, plane) => sum + (plane[at] ?? 0), 0)),
        );
      },
    ),
  );
});

test('the window with the most ink is found, the first of equals, in a part of the page', () => {
  fc.assert(
    fc.property(
      pages,
      fc.integer({ min: 1, max: 30 }),
      fc.nat(20),
      fc.nat(20),
      ({ width, height, planes }, side, x0, y0) => {
        const total = Uint16Array.from(planes[0] ?? [], (value) => (value >> 5) * 4);
        const part = { left: x0 % width, top: y0 % height, width: 0, height: 0 };
        part.width = width - part.left;
        part.height = height - part.top;
        const [w, h] = [Math.min(side, part.width), Math.min(side, part.height)];
        const best = { value: -1, left: 0, top: 0 };
        for (let top = 0; top + h <= part.height; top += 1) {
          for (let left = 0; left + w <= part.width; left += 1) {
            let sum = 0;
            for (let y = top; y < top + h; y += 1)
              for (let x = left; x < left + w; x += 1) sum += total[(part.top + y) * width + part.left + x] ?? 0;
            if (sum / (w * h) / 2.55 > best.value) Object.assign(best, { value: sum / (w * h) / 2.55, left, top });
          }
        }
        expect(largestWindow(total, width, part, side)).toEqual(best);
      },
    ),
  );
});
