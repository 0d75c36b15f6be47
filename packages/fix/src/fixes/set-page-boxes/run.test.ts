import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'SetPageBoxes';
const page = (extra = '', content = '0 g 50 50 10 10 re f', mediaBox = [0, 0, 200, 300] as const) =>
  buildPdf({ pages: [{ content, mediaBox: [...mediaBox], extra }] });
const boxes = (path: string) => look(path, (file) => file.pages[0]?.boxes);

test.each([
  ['a missing TrimBox is the CropBox', '/CropBox[10 10 190 290]', {}, { trim: [10, 10, 190, 290] }],
  ['one that is there stays', '/TrimBox[10 10 190 290]', {}, { trim: [10, 10, 190, 290] }],
  ['unless it is to be set anew', '/TrimBox[10 10 190 290]', { onlyIfMissing: false }, { trim: [0, 0, 200, 300] }],
  [
    'insets turn with the page',
    '/Rotate 90',
    { inset: { left: 10, right: 0, top: 0, bottom: 0 } },
    { trim: [0, 10, 200, 300] },
  ],
  ['a size in the middle', '', { from: 'Size', width: 100, height: 200 }, { trim: [50, 50, 150, 250] }],
  ['a size on a turned page', '/Rotate 90', { from: 'Size', width: 200, height: 100 }, { trim: [50, 50, 150, 250] }],
  ['typed corners', '', { from: 'Values', values: [5, 6, 70, 80] }, { trim: [5, 6, 70, 80] }],
  [
    'a bleed from the trim',
    '/TrimBox[20 20 180 280]',
    { box: 'Bleed', from: 'TrimBox', inset: -9 },
    { bleed: [11, 11, 189, 289] },
  ],
  [
    'boxes that reach out are cut',
    '/TrimBox[-10 0 190 290]/BleedBox[10 10 190 290]',
    { box: 'None' },
    { trim: [0, 0, 190, 290], bleed: [0, 0, 190, 290] },
  ],
  [
    'the crop follows the media',
    '/CropBox[10 10 190 290]',
    { box: 'None', cropToMedia: true },
    { crop: [0, 0, 200, 300] },
  ],
  [
    'an ArtBox beside a TrimBox goes',
    '/TrimBox[0 0 200 300]/ArtBox[9 9 99 99]',
    { box: 'None', removeArtBox: true },
    { art: null },
  ],
] as const)('%s', async (_, extra, settings, expected) => {
  const { path } = await quicklyFixedBy(page(extra), key, settings);
  expect(boxes(path)).toMatchObject(expected);
  expect((await quicklyFixedBy(path, key, settings)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('the trim is found from crop marks; a page without marks is reported', async () => {
  const marks = [20, 180]
    .flatMap((x) => [20, 280].map((y) => [x, y] as const))
    .map(([x, y]) => {
      const [dx, dy] = [x < 100 ? -1 : 1, y < 150 ? -1 : 1];
      return `${x + 4 * dx} ${y} m ${x + 16 * dx} ${y} l S ${x} ${y + 4 * dy} m ${x} ${y + 16 * dy} l S`;
    })
    .join(' ');
  const { path } = await quicklyFixedBy(page('', `0 0 0 1 K 0.25 w ${marks}`), key, { from: 'Marks' });
  expect(boxes(path)?.trim?.map(Math.round)).toEqual([20, 20, 180, 280]);
  const none = await quicklyFixedBy(page(), key, { from: 'Marks' });
  expect(none.report.actions[0]?.warnings).toMatchObject([{ code: 'sourceMissing' }]);
});
