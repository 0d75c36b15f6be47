import { createColourService, pdfDict } from '@pdf2press/pdf';
import { expect, test } from 'vitest';
import { calibrated } from './calibrated.ts';

/** A stub for reading dictionary entries; the test needs no other part of a file. */
const file = {
  entry: (dict: { map: ReadonlyMap<string, unknown> }, key: string) => dict.map.get(key) ?? null,
} as never;

test('CalRGB with the primaries of sRGB matches sRGB', async () => {
  const dict = pdfDict({
    WhitePoint: [0.9505, 1, 1.089],
    Gamma: [2.2, 2.2, 2.2],
    Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
  });
  const space = { family: 'CalRGB', components: 3, object: 0, dict, substitutes: null } as const;
  const colour = await createColourService();
  for (const rgb of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [0.8, 0.5, 0.2],
    [0, 0, 0],
  ]) {
    const exact = colour.convert(rgb, { from: 'srgb', to: 'Lab', intent: 'relative', blackPointCompensation: false });
    const ours = calibrated(file, space, rgb);
    // The curve of sRGB is close to a gamma of 2.2, not equal to it.
    expect(Math.hypot(...exact.map((value, index) => value - (ours[index] ?? 0)))).toBeLessThan(2.5);
  }
  colour.close();
});
