import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interpretPage } from '../interpret/interpret-page.ts';
import type { ImageFacts } from '../interpret/types.ts';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf } from '../testing/testing.ts';
import { encodeJpeg, gradeAfter, jpegGrade } from './jpeg.ts';
import { readSamples } from './samples.ts';

// Odd sizes: the last blocks are incomplete, and half the resolution is not a whole number.
const [width, height] = [37, 29];

/** A smooth gradient with a different direction in each component, as in a photograph. */
const tones = (components: number): Uint8Array =>
  Uint8Array.from({ length: width * height * components }, (_, at) => {
    const [pixel, component] = [Math.floor(at / components), at % components];
    const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height];
    return Math.round(128 + 100 * Math.sin(3 * x + component) * Math.cos(2 * y - component));
  });

test.each([
  [30, true],
  [60, false],
  [75, true],
  [92, false],
])('quality %i, subsampled %s: both are read from the JPEG', async (quality, isSubsampled) => {
  for (const components of [3, 4]) {
    const grade = jpegGrade(
      await encodeJpeg(tones(components), { width, height, components }, { quality, isSubsampled }),
    );
    expect(grade?.isSubsampled).toBe(isSubsampled);
    expect(Math.abs((grade?.quality ?? 0) - quality)).toBeLessThanOrEqual(2);
  }
});

test('the quality of a new JPEG exceeds neither its source nor the requested one', async () => {
  const source = await encodeJpeg(tones(3), { width, height, components: 3 }, { quality: 60, isSubsampled: true });
  expect(gradeAfter(source, 92)).toEqual({ quality: 60, isSubsampled: true });
  expect(gradeAfter(source, 40)).toEqual({ quality: 40, isSubsampled: true });
  expect(gradeAfter(Uint8Array.of(1, 2, 3), 92)).toEqual({ quality: 92, isSubsampled: false });
  expect(jpegGrade(source.subarray(0, 30))).toBeNull();
});

test.each([1, 3, 4])('%i components are preserved', async (components) => {
  const space = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[components];
  for (const isSubsampled of [false, true]) {
    const data = await encodeJpeg(tones(components), { width, height, components }, { quality: 95, isSubsampled });
    const dict = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${space}/BitsPerComponent 8/Filter/DCTDecode`;
    const path = join(mkdtempSync(join(tmpdir(), 'jpeg-')), 'one.pdf');
    const page = { content: '/I Do', resources: '/XObject<</I 9 0 R>>' };
    writeFileSync(path, buildPdf({ pages: [page], objects: { 9: { dict, data } } }));
    const file = openPdf({ path });
    try {
      const images: ImageFacts[] = [];
      interpretPage(file, 1, [{ image: ({ image }) => void images.push(image) }]);
      const [facts] = images;
      const samples = facts && (await readSamples(file, facts));
      const differences = tones(components).map((level, at) => Math.abs(level - Number(samples?.data[at])));
      expect(Math.max(...differences)).toBeLessThan(16);
      expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(3);
    } finally {
      file.close();
    }
  }
});
