import { deflateSync } from 'node:zlib';
import { filterNames, interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { fixedBy, look } from '../../testing/fix-files.ts';

const key = 'ImageResolution';

/** A black ring as a one-bit image. */
function ring(size: number): Uint8Array {
  const isBlack = (x: number, y: number): boolean => {
    const radius = Math.hypot(x - size / 2, y - size / 2);
    return radius > size / 4 && radius < size / 3;
  };
  return Uint8Array.from({ length: (size * size) / 8 }, (_, at) => {
    const [x, y] = [(at * 8) % size, Math.floor((at * 8) / size)];
    return [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, bit) => (byte << 1) | (isBlack(x + bit, y) ? 0 : 1), 0);
  });
}

const onInch = (dict: string, data: Uint8Array) =>
  buildPdf({
    objects: { 5: { dict: `/Type/XObject/Subtype/Image ${dict}`, data } },
    pages: [{ content: 'q 72 0 0 72 9 9 cm /I Do Q', resources: '/XObject<</I 5 0 R>>', mediaBox: [0, 0, 90, 90] }],
  });

const bitmap = onInch('/Width 1600/Height 1600/ColorSpace/DeviceGray/BitsPerComponent 1', ring(1600));

const imageOf = (file: string) =>
  look(file, (pdf) => {
    let facts = {};
    interpretPage(pdf, 1, [
      {
        image: ({ image }) => {
          const { width, bitsPerComponent, space } = image;
          facts = { width, bitsPerComponent, space: space?.family, filters: filterNames(image.dict, pdf.resolve) };
        },
      },
    ]);
    return facts;
  });

test.each([
  ['CCITT', ['CCITTFaxDecode']],
  ['Flate', ['FlateDecode']],
  ['Keep', ['FlateDecode']],
])('one-bit images use the coding asked for: %s', async (oneBitCompression, filters) => {
  const { report, path } = await fixedBy(bitmap, key, { oneBit: { above: 1300, to: 800 }, oneBitCompression });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(imageOf(path)).toEqual({ width: 800, bitsPerComponent: 1, space: 'DeviceGray', filters });
});

test('Keep writes Group 4 for fax codings', async () => {
  const fax = await fixedBy(bitmap, key, { oneBit: { above: 1300, to: 1200 }, oneBitCompression: 'CCITT' });
  const { path } = await fixedBy(fax.path, key, { oneBit: { above: 1000, to: 600 } });
  expect(imageOf(path)).toMatchObject({ width: 600, filters: ['CCITTFaxDecode'] });
});

const grey = onInch(
  '/Width 400/Height 400/ColorSpace/DeviceGray/BitsPerComponent 8',
  Uint8Array.from({ length: 160_000 }, (_, at) => (at * 7 + (at >> 9)) & 255),
);

test.each([
  ['Keep', 'FlateDecode'],
  ['Flate', 'FlateDecode'],
  ['JPEG', 'DCTDecode'],
])('contone images: %s', async (compression, filter) => {
  const { path } = await fixedBy(grey, key, { colourGray: { above: 300, to: 150 }, compression });
  expect(imageOf(path)).toMatchObject({ width: 150, bitsPerComponent: 8, filters: [filter] });
});

test('images below the limit, small ones and those that would grow stay; the last is reported', async () => {
  const under = await fixedBy(grey, key);
  expect(under.report.actions[0]?.outcome).toBe('NothingToDo');
  const small = await fixedBy(grey, key, { colourGray: { above: 100, to: 72 }, ignoreSmallerThanPx: 400 });
  expect(small.report.actions[0]?.outcome).toBe('NothingToDo');
  const flat = onInch(
    '/Width 400/Height 400/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
    deflateSync(new Uint8Array(160_000)),
  );
  const grown = await fixedBy(flat, key, { colourGray: { above: 300, to: 299 }, compression: 'JPEG' });
  expect(grown.report.actions[0]).toMatchObject({ outcome: 'NothingToDo', warnings: [{ code: 'resultLarger' }] });
});
