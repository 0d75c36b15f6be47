import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'RemoveOutside';
const page = (content: string) =>
  buildPdf({
    objects: { 9: { dict: '/Type/XObject/Subtype/Form/BBox[0 0 200 200]', data: '5 5 2 2 re f 100 100 5 5 re f' } },
    pages: [
      {
        content,
        mediaBox: [0, 0, 200, 200],
        extra: '/TrimBox[40 40 160 160]/BleedBox[30 30 170 170]',
        resources: '/XObject<</F 9 0 R>>',
      },
    ],
  });
const boxes = (path: string) => look(path, (file) => file.pages[0]?.boxes);

test('objects outside the bleed are removed, crossing objects are clipped, the rest stays byte for byte', async () => {
  const pdf = page('1 0 0 0 k 10 10 5 5 re f 0 1 0 0 k 20 80 60 20 re f 0 0 1 0 k 90 90 10 10 re f');
  const { report, path } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(report.changes.map(({ what }) => what)).toEqual(['removed', 'cut']);
  expect(contentOf(path)).not.toMatch(/10 10 5 5 re\s*f/);
  expect(contentOf(path)).toContain('30 30 140 140 re W n');
  expect(contentOf(path)).toContain('0 0 1 0 k 90 90 10 10 re f');
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('objects in forms are removed one by one; crossing objects may stay whole; box and margin set the edge', async () => {
  const { path } = await quicklyFixedBy(page('0 g /F Do'), key);
  expect(contentOf(path)).toMatch(/\/\w+ Do/);
  const kept = await quicklyFixedBy(page('0 g 20 80 60 20 re f'), key, { clipCrossing: false });
  expect(kept.report.actions[0]?.outcome).toBe('NothingToDo');
  const inTrim = await quicklyFixedBy(page('0 g 32 80 5 5 re f'), key, { box: 'Trim' });
  expect(inTrim.report.changes.map(({ what }) => what)).toEqual(['removed']);
  const near = await quicklyFixedBy(page('0 g 32 80 5 5 re f'), key, { box: 'Trim', margin: '10pt' });
  expect(near.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('the page can be cut to the remaining area', async () => {
  const { path } = await quicklyFixedBy(page('0 g 90 90 10 10 re f'), key, { cropMedia: true });
  expect(boxes(path)).toMatchObject({ media: [30, 30, 170, 170], bleed: [30, 30, 170, 170], trim: [40, 40, 160, 160] });
});
