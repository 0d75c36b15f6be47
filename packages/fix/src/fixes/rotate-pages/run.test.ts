import { isDict } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'RotatePages';
const page = (extra = '', mediaBox = [10, 20, 110, 220] as const) =>
  buildPdf({
    objects: { 9: '<</Type/Annot/Subtype/Link/Rect[20 30 40 50]>>' },
    pages: [{ content: '1 0 0 0 k 20 30 20 20 re f', mediaBox: [...mediaBox], extra: `/Annots[9 0 R]${extra}` }],
  });
const facts = (path: string) =>
  look(path, (file) => {
    const [one] = file.pages;
    const link = file.resolve(one?.annotations[0] ?? null);
    const rect = isDict(link) ? link.map.get('Rect') : null;
    return { media: one?.boxes.media, trim: one?.boxes.trim, rotate: one?.rotateAsWritten, unit: one?.userUnit, rect };
  });

test('Rotate is applied to the content; boxes and annotations are rotated with it, the origin stays', async () => {
  const { report, path } = await quicklyFixedBy(page('/Rotate 90/TrimBox[20 40 100 200]'), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect(facts(path)).toMatchObject({
    media: [10, 20, 210, 120],
    trim: [30, 30, 190, 110],
    rotate: 0,
    rect: [20, 90, 40, 110],
  });
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  ['Clockwise', 90],
  ['Counterclockwise', 270],
  ['UpsideDown', 180],
  ['ToLandscape', 90],
  ['ToPortrait', 0],
])('%s sets only the key', async (turn, rotate) => {
  const { path } = await quicklyFixedBy(page(), key, { turn, bake: false });
  expect(facts(path)).toMatchObject({ media: [10, 20, 110, 220], rotate });
});

test('UserUnit becomes 1 and everything is scaled, or it stays', async () => {
  const { path } = await quicklyFixedBy(page('/UserUnit 2'), key);
  expect(facts(path)).toMatchObject({ media: [20, 40, 220, 440], unit: 1, rect: [40, 60, 80, 100] });
  expect((await quicklyFixedBy(page('/UserUnit 2'), key, { removeUserUnit: false })).report.actions[0]?.outcome).toBe(
    'NothingToDo',
  );
});
