import { interpretPage, type Rect } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';
import { trimMarkKinds } from './contract.ts';

const key = 'AddTrimMarks';
const millimetre = 72 / 25.4;
const page = (extra = '', content = '1 0 0 0 k 0 0 200 300 re f') =>
  buildPdf({ pages: [{ content, mediaBox: [0, 0, 200, 300], extra }] });
const boxes = (path: string) => look(path, (file) => file.pages[0]?.boxes);
/** Everything painted after the page's own content: boxes, colours and widths. */
const marksOf = (path: string) =>
  look(path, (file) => {
    const found: { bbox: Rect; family: string; width: number }[] = [];
    interpretPage(file, 1, [
      {
        path: ({ bbox, marks, state, lineWidth }) => {
          if (marks?.tag === 'Artifact') found.push({ bbox, family: state.stroke.space.family, width: lineWidth });
        },
      },
    ]);
    return found;
  });

test('crop marks are outside the bleed in all inks; the page grows, trim and bleed stay', async () => {
  const pdf = page('/TrimBox[20 20 180 280]/BleedBox[5 5 195 295]');
  const { report, path } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const marks = marksOf(path);
  expect(marks).toHaveLength(8);
  for (const { bbox, family, width } of marks) {
    expect(bbox[2] <= 5.01 || bbox[0] >= 194.99 || bbox[3] <= 5.01 || bbox[1] >= 294.99).toBe(true);
    expect(Math.max(bbox[2] - bbox[0], bbox[3] - bbox[1])).toBeCloseTo(5 * millimetre, 2);
    expect([family, width]).toEqual(['Separation', 0.25]);
  }
  expect(boxes(path)).toMatchObject({ trim: [20, 20, 180, 280], bleed: [5, 5, 195, 295] });
  expect(boxes(path)?.media?.[0]).toBeLessThan(5 - 5 * millimetre);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('without bleed the distance is 3 mm; offset, length, weight and colour are used as set', async () => {
  const near = marksOf((await quicklyFixedBy(page(), key)).path);
  expect(Math.max(...near.map(({ bbox }) => (bbox[0] < 0 ? bbox[2] : -99)).filter((edge) => edge < 0))).toBeCloseTo(
    -3 * millimetre,
    2,
  );
  const { path } = await quicklyFixedBy(page(), key, { offset: '6mm', length: '8mm', weight: 0.5, colour: 'K' });
  const [first] = marksOf(path);
  expect(first).toMatchObject({ family: 'DeviceCMYK', width: 0.5 });
  expect(first?.bbox[2]).toBeCloseTo(-6 * millimetre, 2);
  expect((first?.bbox[2] ?? 0) - (first?.bbox[0] ?? 0)).toBeCloseTo(8 * millimetre, 2);
});

test.each(trimMarkKinds)('%s: drawn outside the bleed and inside the page', async (kind) => {
  const { path } = await quicklyFixedBy(page(), key, { marks: [kind], folds: ['100pt'] });
  const [x0, y0, x1, y1] = boxes(path)?.media ?? [0, 0, 0, 0];
  const marks = marksOf(path);
  expect(marks.length).toBeGreaterThan(0);
  for (const { bbox } of marks) {
    expect(bbox[2] <= 0.01 || bbox[0] >= 199.99 || bbox[3] <= 0.01 || bbox[1] >= 299.99).toBe(true);
    expect(bbox[0] >= x0 - 0.01 && bbox[1] >= y0 - 0.01 && bbox[2] <= x1 + 0.01 && bbox[3] <= y1 + 0.01).toBe(true);
  }
});

test('existing marks outside the bleed are removed when asked, and a white border keeps new marks clear', async () => {
  const pdf = page('/TrimBox[50 50 150 250]/BleedBox[40 40 160 260]', '0 g 2 2 10 10 re f 0 1 0 0 k 60 60 20 20 re f');
  expect(contentOf((await quicklyFixedBy(pdf, key, { removeExisting: 'OutsideBleed' })).path)).toContain(
    '40 40 120 220 re W n',
  );
  expect(contentOf((await quicklyFixedBy(pdf, key)).path)).toContain('0 0 200 300 re W n');
  const [plain, halo] = await Promise.all(
    [{}, { knockout: true }].map(async (settings) => marksOf((await quicklyFixedBy(pdf, key, settings)).path)),
  );
  expect(halo?.length).toBe((plain?.length ?? 0) * 2);
});

test.each([
  [0, [100, 300 + 3 * millimetre]],
  [90, [-3 * millimetre, 100]],
  [180, [100, -3 * millimetre]],
  [270, [200 + 3 * millimetre, 200]],
] as const)('on a page turned by %i degrees folds are counted from the left as one sees it', async (rotate, [x, y]) => {
  const { path } = await quicklyFixedBy(page(`/Rotate ${rotate}`), key, { marks: ['fold'], folds: ['100pt'] });
  const isThere = marksOf(path).some(
    ({ bbox }) => bbox[0] <= x + 0.01 && bbox[2] >= x - 0.01 && bbox[1] <= y + 0.01 && bbox[3] >= y - 0.01,
  );
  expect(isThere).toBe(true);
});

test('a long line of text fits the page, and marks without room are reported', async () => {
  const long = await quicklyFixedBy(page(), key, { marks: ['slug'], slugText: 'long '.repeat(60) });
  const [x0, , x1] = boxes(long.path)?.media ?? [0, 0, 0, 0];
  expect(marksOf(long.path).every(({ bbox }) => bbox[0] >= x0 && bbox[2] <= x1)).toBe(true);
  const { report } = await quicklyFixedBy(page(), key, { growMedia: false });
  expect(report.actions[0]?.warnings).toEqual([{ code: 'noRoom', params: { page: 1 } }]);
});
