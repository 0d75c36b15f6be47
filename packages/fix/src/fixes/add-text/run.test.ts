import { interpretPage, type PageFacts, type Rect, union } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'AddText';
const trim = [20, 20, 220, 320] as const;
const pdf = (count = 1, extra = '') =>
  buildPdf({
    pages: Array.from({ length: count }, () => ({
      content: '1 0 0 0 k 0 0 240 340 re f',
      mediaBox: [0, 0, 240, 340],
      extra: `/TrimBox[${trim.join(' ')}]${extra}`,
    })),
  });

/** Where the added shapes of a page are, and their inks. */
const textOn = (path: string, number = 1) =>
  look(path, (file) => {
    const boxes: Rect[] = [];
    const inks = new Set<string>();
    interpretPage(file, number, [
      {
        path: ({ bbox, marks, state }) => {
          if (marks?.tag !== 'Artifact') return;
          boxes.push(bbox);
          inks.add(state.fill.values.join(' '));
        },
      },
    ]);
    const [first, ...rest] = boxes;
    return first ? { box: rest.reduce(union, first), inks: [...inks] } : null;
  });

const settings = { text: 'Hxx', distanceX: '10pt', distanceY: '15pt', size: 20 };

test.each([
  ['TopLeft', { left: 10, top: 15 }],
  ['TopRight', { right: 10, top: 15 }],
  ['BottomLeft', { left: 10, bottom: 15 }],
  ['BottomRight', { right: 10, bottom: 15 }],
  ['BottomCentre', { bottom: 15, middle: 0 }],
  ['Middle', { middle: 0 }],
] as const)('%s: as far from the edges of the trim as set', async (position, expected) => {
  const { report, path } = await quicklyFixedBy(pdf(), key, { ...settings, position });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const { box = trim } = textOn(path) ?? {};
  const found = {
    left: box[0] - trim[0],
    right: trim[2] - box[2],
    top: trim[3] - box[3],
    bottom: box[1] - trim[1],
    middle: (box[0] + box[2] - trim[0] - trim[2]) / 2,
  };
  // The side bearings of a letter are up to 8 % of its size.
  for (const [edge, distance] of Object.entries(expected))
    expect(Math.abs(found[edge as keyof typeof found] - distance), edge).toBeLessThan(1.7);
});

test('on facing pages left and right change places on even pages; numbers begin as set', async () => {
  const { report, path } = await quicklyFixedBy(pdf(3), key, {
    ...settings,
    text: '{{page.no}}/{{page.count}}',
    position: 'BottomRight',
    facingPages: true,
    startNumber: 8,
  });
  expect(report.changes.map(({ page, after }) => [page, after])).toEqual([
    [1, '8/3'],
    [2, '9/3'],
    [3, '10/3'],
  ]);
  const sides = [1, 2, 3].map((number) => ((textOn(path, number)?.box[0] ?? 0) > 120 ? 'right' : 'left'));
  expect(sides).toEqual(['right', 'left', 'right']);
});

test.each([0, 90, 180, 270] as const)(
  'on a page turned by %i degrees the text is upright at the bottom',
  async (rotate) => {
    const { path } = await quicklyFixedBy(pdf(1, `/Rotate ${rotate}`), key, { ...settings, text: 'HHHHHH' });
    const { box = trim } = textOn(path) ?? {};
    const isLevel = box[2] - box[0] > box[3] - box[1];
    expect(isLevel).toBe(rotate % 180 === 0);
    // The edge of default user space that is seen at the bottom.
    const distance = { 0: box[1] - 20, 90: 220 - box[2], 180: 320 - box[3], 270: box[0] - 20 }[rotate];
    expect(distance).toBeCloseTo(15, 1);
  },
);

test.each(['Up', 'Down'] as const)('%s: the line stands upright and inside the trim', async (direction) => {
  const { path } = await quicklyFixedBy(pdf(), key, { ...settings, text: 'HHHHHH', direction, position: 'MiddleLeft' });
  const { box = trim } = textOn(path) ?? {};
  expect(box[3] - box[1]).toBeGreaterThan(box[2] - box[0]);
  expect(box[0]).toBeCloseTo(30, 0);
});

test.each([
  [{}, '0 0 0 1'],
  [{ colour: 'White' }, '0 0 0 0'],
  [{ colour: 'Own', inks: { c: 10, m: 20, y: 30, k: 40 } }, '0.1 0.2 0.3 0.4'],
])('inks of %j', async (colour, inks) => {
  expect(textOn((await quicklyFixedBy(pdf(), key, { ...settings, ...colour })).path)?.inks).toEqual([inks]);
});

test('the same text is added once, another one beside it', async () => {
  const once = (await quicklyFixedBy(pdf(), key, settings)).path;
  expect((await quicklyFixedBy(once, key, settings)).report.actions[0]?.outcome).toBe('NothingToDo');
  const both = (await quicklyFixedBy(once, key, { ...settings, position: 'TopLeft' })).path;
  expect(contentOf(both).match(/PDF2PRESS_Text_/g)).toHaveLength(2);
});

test('a long line is made smaller, an empty one and one without room are reported', async () => {
  const long = await quicklyFixedBy(pdf(), key, { ...settings, text: 'H'.repeat(40) });
  const { box = trim } = textOn(long.path) ?? {};
  expect([box[0] >= trim[0], box[2] <= trim[2]]).toEqual([true, true]);
  expect(long.report.actions[0]?.warnings).toEqual([{ code: 'smaller', params: { page: 1 } }]);
  const empty = await quicklyFixedBy(pdf(), key, { ...settings, text: '{{order.externalId}}' });
  expect(empty.report.actions[0]?.warnings).toEqual([{ code: 'empty', params: { page: 1 } }]);
  const none = await quicklyFixedBy(pdf(), key, { ...settings, position: 'TopLeft', distanceX: '300pt' });
  expect(none.report.actions[0]?.warnings).toEqual([{ code: 'noRoom', params: { page: 1 } }]);
});

test('sizes and distances are true on a page with a user unit', async () => {
  const { path } = await quicklyFixedBy(pdf(1, '/UserUnit 2'), key, { ...settings, position: 'BottomLeft' });
  const { box = trim } = textOn(path) ?? {};
  const units = (file: PageFacts | undefined) => file?.userUnit;
  expect(look(path, (file) => units(file.pages[0]))).toBe(2);
  expect(box[1] - trim[1]).toBeCloseTo(7.5, 1);
  // Capital height of 20 pt, in units of 2 pt.
  expect(box[3] - box[1]).toBeCloseTo(7.2, 0);
});
