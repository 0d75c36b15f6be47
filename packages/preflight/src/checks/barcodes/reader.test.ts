import { seeded } from '@pdf2press/config/seeded';
import { expect, test } from 'vitest';
import { codesIn } from './reader.ts';
import type { Light } from './reflectance.ts';

const [module, height] = [6, 260];

/** Bars of mixed widths that are no code of any symbology, with so much unprinted space around them. */
function barsWith(around: number): Light {
  const random = seeded(5);
  const widths = Array.from({ length: 41 }, () => 1 + Math.floor(random() * 3));
  const row: number[] = widths.flatMap((modules, at) =>
    Array.from({ length: modules * module }, () => (at % 2 === 0 ? 10 : 220)),
  );
  const width = row.length + 2 * around;
  const pixels = new Uint8Array(width * (height + 2 * around)).fill(220);
  for (let down = around; down < around + height; down += 1) pixels.set(row, down * width + around);
  return { pixels, width, height: height + 2 * around };
}

test('bars that cannot be read are told where they end, and are a pattern where they go on beyond what is shown', async () => {
  expect((await codesIn(barsWith(60), ['Code128'], [])).unread).toHaveLength(1);
  expect((await codesIn(barsWith(0), ['Code128'], [])).unread).toEqual([]);
});
