import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filterNames, interpretPage, openRenderService } from '@pdf2press/pdf';
import { buildPdf, colourPicture, type PictureOptions } from '@pdf2press/pdf/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixed, fixedBy, look, testDir } from '../../testing/fix-files.ts';

const key = 'ImagesToPdf';

/** Red, green, blue and white quarters, so that every rotation looks different. */
async function quarters(name: string, options: PictureOptions): Promise<string> {
  const file = path.join(testDir(), name);
  writeFileSync(file, await colourPicture(300, 200, options));
  return file;
}

const imageOf = (file: string) =>
  look(file, (pdf) => {
    let facts = {};
    interpretPage(pdf, 1, [
      {
        image: ({ image, ppi }) => {
          const { width, height, bitsPerComponent, space, softMask } = image;
          const [filter] = filterNames(image.dict, pdf.resolve);
          const hasMask = softMask !== null;
          facts = { width, height, bitsPerComponent, space: space?.family, filter, hasMask, ppi: Math.round(ppi.x) };
        },
      },
    ]);
    const page = pdf.pages[0]?.boxes;
    return { ...facts, media: page?.media, trim: page?.trim };
  });

/** Colours at the centre of each quarter of the page: R G B W by row. */
function looks(file: string): string {
  const service = openRenderService({ path: file, workDir: testDir() });
  try {
    const { pixels, width, height } = service.preview(1, { dpi: 36, box: 'media' });
    const at = (x: number, y: number): string => {
      const i = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
      const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
      return r > 150 && g > 150 ? 'W' : r > g && r > b ? 'R' : g > b ? 'G' : 'B';
    };
    return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)].join('');
  } finally {
    service.close();
  }
}

const size = [0, 0, 72, 48];
const cases: readonly [string, PictureOptions, object][] = [
  ['a.jpg', { format: 'jpeg' }, { bitsPerComponent: 8, space: 'DeviceRGB', filter: 'DCTDecode', hasMask: false }],
  ['icc.jpg', { format: 'jpeg', hasProfile: true }, { space: 'ICCBased', filter: 'DCTDecode' }],
  ['ink.jpg', { format: 'jpeg', space: 'cmyk' }, { space: 'ICCBased', filter: 'DCTDecode' }],
  ['a.png', { format: 'png' }, { bitsPerComponent: 8, space: 'DeviceRGB', filter: 'FlateDecode' }],
  ['few.png', { format: 'png', palette: true }, { space: 'Indexed', filter: 'FlateDecode' }],
  ['deep.png', { format: 'png', depth: 16 }, { bitsPerComponent: 16, space: 'DeviceRGB' }],
  ['see.png', { format: 'png', alpha: true }, { hasMask: true }],
  ['a.tif', { format: 'tiff' }, { bitsPerComponent: 8, space: 'DeviceRGB' }],
  ['ink.tif', { format: 'tiff', space: 'cmyk' }, { space: 'ICCBased', bitsPerComponent: 8 }],
];

test.each(cases)('%s becomes a page of its size with the same appearance', async (name, options, facts) => {
  const { report, path: out } = await fixedBy(await quarters(name, options), key);
  expect(report).toMatchObject({ result: 'Success', out: { pageCount: 1, isChanged: true } });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', objects: 1 });
  expect(imageOf(out)).toMatchObject({ width: 300, height: 200, ppi: 300, media: size, trim: size, ...facts });
  expect(looks(out)).toBe('RGBW');
});

test('a picture of two tones becomes a one-bit image', async () => {
  const file = await quarters('line.tif', { format: 'tiff', space: 'b-w' });
  expect(imageOf((await fixedBy(file, key)).path)).toMatchObject({ bitsPerComponent: 1, filter: 'CCITTFaxDecode' });
});

test.each([
  [1, 'RGBW'],
  [2, 'GRWB'],
  [3, 'WBGR'],
  [4, 'BWRG'],
  [5, 'RBGW'],
  [6, 'BRWG'],
  [7, 'WGBR'],
  [8, 'GWRB'],
])('EXIF orientation %i is shown upright', async (orientation, upright) => {
  const { path: out } = await fixedBy(await quarters('turned.jpg', { format: 'jpeg', orientation }), key);
  expect(imageOf(out).media).toEqual(orientation > 4 ? [0, 0, 48, 72] : size);
  expect(looks(out)).toBe(upright);
});

test('pages of a set size: fit, orientation, bleed; the picture’s own resolution counts', async () => {
  const file = await quarters('a.jpg', { format: 'jpeg', ppi: 100 });
  const own = imageOf((await fixedBy(file, key, { bleed: '3pt' })).path);
  expect(own).toMatchObject({ ppi: 100, media: [0, 0, 216, 144], trim: [3, 3, 213, 141] });
  const a6 = await fixedBy(file, key, { pageSize: 'Size', width: '105mm', height: '148mm', fit: 'Outside' });
  const [, , width = 0, height = 0] = imageOf(a6.path).media ?? [];
  expect([width, height].map((edge) => Math.round((edge / 72) * 25.4))).toEqual([148, 105]);
});

test('other actions use the PDF; without this action a picture is refused', async () => {
  const file = await quarters('a.png', { format: 'png' });
  const { report } = await fixed(file, [
    { key: 'ColorspaceTransformation', when: { is: 'Always' } },
    { key: 'AddBleeds', settings: { dpi: 100 }, when: { is: 'Always' } },
    { key },
  ]);
  expect(report.actions.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['ImagesToPdf', 'Applied'],
    ['ColorspaceTransformation', 'Applied'],
    ['AddBleeds', 'Applied'],
  ]);
  await expect(fixedBy(file, 'AddBleeds')).rejects.toMatchObject({ code: 'PDF_NOT_PDF' });
});

test('a PDF is not changed; a damaged picture fails and leaves no file', async () => {
  const pdf = await fixedBy(buildPdf({ pages: [{ content: '' }] }), key);
  expect(pdf.report.actions[0]?.outcome).toBe('NothingToDo');
  const file = path.join(testDir(), 'broken.png');
  writeFileSync(file, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const broken = await fixedBy(file, key);
  expect(broken.report).toMatchObject({
    result: 'Error',
    out: null,
    actions: [{ outcome: 'Failed', reason: { code: 'pictureUnreadable' } }],
  });
  expect(existsSync(path.join(path.dirname(broken.before), 'out.pdf'))).toBe(false);
});

/** Pictures of all supported kinds and shapes. */
const pictures = fc.record({
  width: fc.integer({ min: 1, max: 90 }),
  height: fc.integer({ min: 1, max: 90 }),
  options: fc.constantFrom<PictureOptions>(
    { format: 'jpeg' },
    { format: 'jpeg', space: 'cmyk', orientation: 6 },
    { format: 'png', alpha: true, ppi: 72 },
    { format: 'png', palette: true },
    { format: 'png', depth: 16 },
    { format: 'tiff', space: 'b-w' },
  ),
  pageSize: fc.constantFrom('Image', 'Size'),
});

test('the picture is unchanged and complete on one page, and a second run does nothing', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, async ({ width, height, options, pageSize }) => {
      const file = path.join(testDir(), `picture.${options.format}`);
      writeFileSync(file, await colourPicture(width, height, options));
      const before = readFileSync(file);
      const once = await fixedBy(file, key, { pageSize });
      expect(readFileSync(file)).toEqual(before);
      expect(once.report).toMatchObject({ out: { pageCount: 1 }, changes: [{ what: 'picture' }] });
      expect(once.report.result).not.toBe('Error');
      expect(imageOf(once.path)).toMatchObject({ width, height });
      const twice = await fixedBy(once.path, key, { pageSize });
      expect([twice.report.actions[0]?.outcome, twice.report.changes]).toEqual(['NothingToDo', []]);
      expect(readFileSync(twice.path)).toEqual(readFileSync(once.path));
    }),
    { numRuns: 8, seed: 20_240_506, endOnFailure: true },
  );
});
