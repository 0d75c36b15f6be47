import { type Conversion, createColourService, profileBytes } from '@pdf2press/pdf';
import { expect, test } from 'vitest';
import { gridPoints } from '../../editing/recolour/pixel-table.ts';
import { keptColours } from './kept-points.ts';

const house = { from: 'srgb', to: 'fogra39l-coated' } as const;

test('the colours that the build kept are those that the colour engine finds', async () => {
  const colour = await createColourService();
  // Compared as bytes, because comparing half a million numbers one by one takes seconds.
  const bytesOf = (colours: Float32Array | null): Uint8Array => new Uint8Array(colours?.buffer ?? new ArrayBuffer(0));
  expect(Buffer.compare(bytesOf(keptColours(house)), bytesOf(colour.convertColours(gridPoints(), house)))).toBe(0);
  colour.close();
});

test('a profile of a file that is the same as ours has the same colours', () => {
  expect(keptColours({ ...house, from: profileBytes('srgb') })?.length).toBe((gridPoints().length / 3) * 4);
});

test.each<Partial<Conversion>>([
  { from: 'adobe-rgb-1998' },
  { to: 'isocoated-v2-300-bas' },
  { intent: 'perceptual' },
  { blackPointCompensation: false },
])('no colours are kept for %o', (other) => {
  expect(keptColours({ ...house, ...other })).toBeNull();
});
