import { seeded } from '@pdf2press/config/seeded';
import { expect, test } from 'vitest';
import { type Bar, rawCode, shapesOf } from '../../quality/drawn-codes.ts';
import { codesIn } from './reader.ts';
import type { Light } from './reflectance.ts';

const [module, height] = [6, 260];
const [ink, ground] = [10, 220];
const free = 60;

/** Bars or dots in modules as they are printed, with unprinted scratches, each from top to bottom: where it begins and ends, and how wide it is. */
function printed(shapes: readonly Bar[], scratches: readonly (readonly [number, number, number])[] = []): Light {
  const [across, down] = [2, 3].map((side) =>
    Math.max(...shapes.map((bar) => (bar[side - 2] ?? 0) + (bar[side] ?? 0))),
  );
  const inside = { width: (across as number) * module, height: (down as number) * module };
  const [width, rows] = [inside.width + 2 * free, inside.height + 2 * free];
  const pixels = new Uint8Array(width * rows).fill(ground);
  for (const [x, y, wide, high] of shapes)
    for (let row = y * module; row < (y + high) * module; row += 1) {
      const at = (free + inside.height - 1 - row) * width + free + x * module;
      pixels.fill(ink, at, at + wide * module);
    }
  for (const [from, to, wide] of scratches)
    for (let row = 0; row < rows; row += 1) {
      const at = row * width + free + Math.round((from + ((to - from) * row) / rows) * module);
      pixels.fill(ground, at, at + wide * module);
    }
  return { pixels, width, height: rows };
}
const barsOf = (bcid: string, text: string): Bar[] => [...shapesOf(rawCode(bcid, text), undefined, 45)];

/** Bars of mixed widths that are no code of any symbology, with so much unprinted space around them. */
function barsWith(around: number): Light {
  const random = seeded(5);
  const widths = Array.from({ length: 41 }, () => 1 + Math.floor(random() * 3));
  const row: number[] = widths.flatMap((modules, at) =>
    Array.from({ length: modules * module }, () => (at % 2 === 0 ? ink : ground)),
  );
  const width = row.length + 2 * around;
  const pixels = new Uint8Array(width * (height + 2 * around)).fill(ground);
  for (let down = around; down < around + height; down += 1) pixels.set(row, down * width + around);
  return { pixels, width, height: height + 2 * around };
}

test('bars that cannot be read are told where they end, and are a pattern where they go on beyond what is shown', async () => {
  expect((await codesIn(barsWith(60), ['Code128'], [])).unread).toHaveLength(1);
  expect((await codesIn(barsWith(0), ['Code128'], [])).unread).toEqual([]);
});

test.each(['1540014128876', '0761234500012', '9312345678907'])(
  'digits of %s in Interleaved 2 of 5 that damage cuts off from the others are not the code',
  async (text) => {
    const bars = barsOf('itf14', text);
    const sound = await codesIn(printed(bars), ['ITF'], []);
    expect([sound.codes.map((code) => code.text.length), sound.unread.length]).toEqual([[14], 0]);
    for (const [from, to] of [
      [14, 95],
      [95, 14],
      [40, 110],
    ] as const) {
      const scratched = await codesIn(printed(bars, [[from, to, 8]]), ['ITF'], []);
      expect([scratched.codes.length, scratched.unread.length]).toEqual([0, 1]);
    }
  },
);

test('stripes and the spaces between them are a pattern where each are as wide as each other', async () => {
  const stripes = (widthOf: (at: number) => number, space: number): Bar[] => {
    let x = 0;
    return Array.from({ length: 30 }, (_, at): Bar => {
      const from = x;
      x += widthOf(at) + space;
      return [from, 0, widthOf(at), 45];
    });
  };
  const even = stripes(() => 1, 2);
  expect(await codesIn(printed(even), ['Code128'], [])).toEqual({ codes: [], unread: [] });
  const varied = stripes((at) => 1 + 2 * ((at * at) % 3), 1);
  expect((await codesIn(printed(varied), ['Code128'], [])).unread).toHaveLength(1);
});

test('a matrix code is told by the lattice that scratches left of it', async () => {
  const dots = barsOf('datamatrix', 'SCRATCHED CODE 4711');
  const scratches = [
    [2, 4, 1.5],
    [8, 6, 1.5],
    [11, 13, 1.5],
    [17, 15, 1.5],
  ] as const;
  const light = printed(dots, scratches);
  const spot = { left: free / 2, top: free / 2, width: light.width - free, height: light.height - free };
  expect((await codesIn(light, ['DataMatrix'], [spot])).unread).toHaveLength(1);
});
