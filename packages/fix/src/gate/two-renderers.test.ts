/** A wrong picture by one renderer is not compared with itself: another one must show the same. */
import { createColourService, type Raster } from '@pdf2press/pdf';
import { buildPdf, jpxPicture, type PdfSource } from '@pdf2press/pdf/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedFacts } from '../kind/define-fix.ts';
import { testDir, writePdf } from '../testing/fix-files.ts';
import { checkGate } from './gate.ts';
import { agree } from './two-renderers.ts';

let colour: Awaited<ReturnType<typeof createColourService>>;
beforeAll(async () => {
  colour = await createColourService();
});
afterAll(() => colour.close());

const picture = (dict: string, data: Uint8Array) => ({ dict: `/Type/XObject/Subtype/Image ${dict}`, data });
const white = new Uint8Array([255, 255, 255]);
const plain = '/Width 1/Height 1/BitsPerComponent 8/ColorSpace';
/** Cyan, and a white picture on it in a place of its own. */
const onCyan = (objects: NonNullable<PdfSource['objects']>, content = '1 0 0 0 k 0 0 200 200 re f') =>
  buildPdf({
    objects,
    pages: [
      {
        content: `${content} q 100 0 0 100 50 50 cm /I Do Q`,
        resources: '/XObject<</I 50 0 R>>/ExtGState<</Over<</op true/OPM 1>>>>',
        mediaBox: [0, 0, 200, 200],
      },
    ],
  });
/** The data of the picture have an opacity that its dictionary says nothing of: MuPDF applies it, Ghostscript does not. */
const disputed = onCyan({
  50: picture(
    '/Width 16/Height 16/Filter/JPXDecode',
    jpxPicture({ width: 16, height: 16, colour: [255, 255, 255], alpha: 64 }),
  ),
});
const opaque = onCyan({ 50: picture(`${plain}/DeviceRGB`, white) });
const faint = onCyan({
  50: picture(`${plain}/DeviceRGB/SMask 51 0 R`, white),
  51: picture(`${plain}/DeviceGray`, new Uint8Array([64])),
});
const overprinted = onCyan(
  { 50: picture(`${plain}/DeviceCMYK`, new Uint8Array([255, 255, 0, 0])) },
  '1 0 0 0 k 0 0 200 200 re f /Over gs 0 1 0 0 k 50 50 100 100 re f',
);
const overprinting = buildPdf({
  pages: [
    {
      content: '1 0 0 0 k 0 0 200 200 re f /Over gs 0 1 0 0 k 50 50 100 100 re f',
      resources: '/ExtGState<</Over<</op true/OPM 1>>>>',
      mediaBox: [0, 0, 200, 200],
    },
  ],
});

const gateOf = (before: Uint8Array, after: Uint8Array) =>
  checkGate({
    before: { path: writePdf(before) },
    after: { path: writePdf(after) },
    contract: {
      mayLookDifferent: 'whereLogged',
      group: 'objects',
      isJudgedByPlates: true,
      mayChange: guardedFacts.filter((fact) => fact !== 'pageCount'),
      mayAdd: [],
    },
    boxes: new Map(),
    method: 'Auto',
    isEdgeTolerant: true,
    colour: () => Promise.resolve(colour),
    workDir: testDir(),
    signal: new AbortController().signal,
  });
const doubt = [{ code: 'gate.renderers', params: { page: 1 } }];

test.each([
  ['as Ghostscript alone shows the page', disputed, opaque, { isPassed: false, method: 'plates', broken: doubt }],
  ['that Ghostscript alone shows as it was', opaque, disputed, { isPassed: false, method: 'plates', broken: doubt }],
  [
    'as MuPDF shows the page, which Ghostscript confirms',
    disputed,
    faint,
    { isPassed: true, method: 'rgb', broken: [] },
  ],
  ['that both show as it was', opaque, opaque, { isPassed: true, broken: [] }],
  ['with overprint drawn, which MuPDF does not show', overprinting, overprinted, { isPassed: true, method: 'plates' }],
] as const)('a result %s', async (_, before, after, verdict) => {
  expect(await gateOf(before, after)).toMatchObject(verdict);
});

test('a difference for Ghostscript alone is no change, unless it disputes the original @night', async () => {
  // MuPDF shows the pictures alike; what Ghostscript shows of either is neither the same nor what MuPDF shows.
  const inRed = onCyan({
    50: picture(
      '/Width 16/Height 16/Filter/JPXDecode',
      jpxPicture({ width: 16, height: 16, colour: [255, 0, 0], alpha: 0 }),
    ),
  });
  const inBlue = onCyan({
    50: picture(
      '/Width 16/Height 16/Filter/JPXDecode',
      jpxPicture({ width: 16, height: 16, colour: [0, 0, 255], alpha: 0 }),
    ),
  });
  expect(await gateOf(inRed, inBlue)).toMatchObject({ isPassed: false, broken: doubt });
});

/** A picture of one colour with a spot of another. */
const rasterOf = (side: number, spot: number, level = 0): Raster => {
  const pixels = new Uint8Array(side * side * 3).fill(255);
  for (let y = 0; y < spot; y += 1) pixels.fill(level, y * side * 3, (y * side + spot) * 3);
  const frame = { page: 1, dpi: 150, box: [0, 0, 1, 1], width: side, height: side, toPixel: [1, 0, 0, 1, 0, 0] };
  return { width: side, height: side, channels: 3, pixels, frame: frame as unknown as Raster['frame'] };
};

test('what covers a small part of a tile does not count, what covers a third of it does', () => {
  const views = (raster: Raster) => [() => raster];
  expect(agree(views(rasterOf(100, 0)), views(rasterOf(100, 4)))).toBe(true);
  expect(agree(views(rasterOf(100, 0)), views(rasterOf(100, 15)))).toBe(false);
  expect(agree(views(rasterOf(100, 0)), views(rasterOf(101, 0)))).toBe(true);
  const corner = { left: 0, top: 0, width: 15, height: 15 };
  expect(agree(views(rasterOf(100, 0)), views(rasterOf(100, 15)), [corner])).toBe(true);
  // One view that agrees is enough, in every place for itself.
  expect(agree(views(rasterOf(100, 0)), [() => rasterOf(100, 15), () => rasterOf(100, 15, 255)])).toBe(true);
});
