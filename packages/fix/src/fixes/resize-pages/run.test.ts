import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'ResizePages';
const page = (extra = '', mediaBox = [0, 0, 200, 100] as const) =>
  buildPdf({
    objects: { 9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>' },
    pages: [
      {
        content: '0.3 w 10 10 m 90 10 l S BT /F 6 Tf 20 20 Td (a) Tj ET',
        mediaBox: [...mediaBox],
        extra,
        resources: '/Font<</F 9 0 R>>',
      },
    ],
  });
const boxes = (path: string) => look(path, (file) => file.pages[0]?.boxes);
const size = (width: number, height: number, rest: object = {}) => ({
  width,
  height,
  maxScaleUp: 1000,
  onlyIfDifferent: 1,
  ...rest,
});

test.each([
  ['in proportion, the rest is margin', size(100, 100), { trim: [0, -25, 100, 75] }],
  ['without margin', size(100, 100, { fillTarget: false }), { trim: [0, 0, 100, 50] }],
  ['anchored below', size(100, 100, { anchor: 'Bottom' }), { trim: [0, 0, 100, 100] }],
  ['filled, overhanging', size(100, 100, { fit: 'Outside' }), { trim: [50, 0, 150, 100] }],
  ['by width', size(100, 100, { fit: 'Width', fillTarget: false }), { trim: [0, 0, 100, 50] }],
  [
    'stretched within the limit',
    size(202, 100, { scaling: 'Stretching', maxStretchDistortion: 2 }),
    { trim: [0, 0, 202, 100] },
  ],
  ['by percent', { target: 'Percent', percent: 50 }, { trim: [0, 0, 100, 50] }],
  ['turned to match', size(50, 100, { orientation: 'MatchTarget' }), { trim: [0, 0, 50, 100] }],
])('%s', async (_, settings, expected) => {
  const { report, path } = await quicklyFixedBy(page('/TrimBox[0 0 200 100]'), key, settings);
  expect(report.actions[0]?.outcome).toBe('Applied');
  expect(boxes(path)).toMatchObject(expected);
});

test('sizes are those displayed, with Rotate and UserUnit applied; a page of the right size stays', async () => {
  const { path } = await quicklyFixedBy(page('/Rotate 90/UserUnit 2/TrimBox[0 0 200 100]'), key, size(100, 200));
  expect(boxes(path)?.trim).toEqual([0, 0, 100, 50]);
  expect((await quicklyFixedBy(path, key, size(100, 200))).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('all boxes are scaled alike; a smaller bleed is reported, or is set again', async () => {
  const pdf = page('/TrimBox[20 20 180 80]/BleedBox[10 10 190 90]');
  const { report, path } = await quicklyFixedBy(pdf, key, size(80, 30));
  expect(boxes(path)).toMatchObject({ media: [10, 10, 110, 60], trim: [20, 20, 100, 50], bleed: [15, 15, 105, 55] });
  expect(report.actions[0]?.warnings.map(({ code }) => code)).toContain('bleedScaled');
  const anew = await quicklyFixedBy(pdf, key, size(80, 30, { scaleBoxes: 'RecomputeBleed', bleed: 10 }));
  expect(boxes(anew.path)?.bleed).toEqual([10, 10, 110, 60]);
});

test('too much distortion or enlargement fails with the limit', async () => {
  const stretched = await quicklyFixedBy(page(), key, size(100, 100, { scaling: 'Stretching' }));
  expect(stretched.report.actions[0]).toMatchObject({
    outcome: 'Failed',
    reason: { code: 'distortion', params: { limit: 2 } },
  });
  const grown = await quicklyFixedBy(page(), key, { width: 400, height: 200 });
  expect(grown.report.actions[0]).toMatchObject({
    outcome: 'Failed',
    reason: { code: 'scaleUp', params: { percent: 100, limit: 10 } },
  });
});

test('text and lines that get too small are reported, unless the check is off', async () => {
  const codes = async (settings: object) =>
    (await quicklyFixedBy(page(), key, size(100, 50, settings))).report.actions[0]?.warnings.map(({ code }) => code);
  expect(await codes({})).toEqual(['smallText', 'thinLine']);
  expect(await codes({ lineAndTextFloor: false })).toEqual([]);
  expect(await codes({ minTextSize: null })).toEqual(['thinLine']);
});
