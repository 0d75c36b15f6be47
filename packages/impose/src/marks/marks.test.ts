import type { LayoutPage, Mark, MarkKind, Plan, Rect, Shape } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { planOf, readImposeProfile } from '../profile/profile.ts';

const mm = 72 / 25.4;
const bleed = 3 * mm;
const page: LayoutPage = {
  media: { x: 0, y: 0, width: 100 * mm + 2 * bleed, height: 150 * mm + 2 * bleed },
  trim: { x: bleed, y: bleed, width: 100 * mm, height: 150 * mm },
  bleed: { x: 0, y: 0, width: 100 * mm + 2 * bleed, height: 150 * mm + 2 * bleed },
  hasBleedBox: true,
  hasTrimBox: true,
};

const all = ['crop', 'fold', 'centre', 'registration', 'colorBar', 'grayBar', 'slug', 'barcode', 'cutLine'];
const everything = Object.fromEntries(all.map((key) => [key, { enabled: true }]));

function plan(profile: Record<string, unknown>, count = 8): Plan {
  const read = readImposeProfile({ sheet: 'SRA3', ...profile });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const variables = { 'file.name': 'book.pdf', 'session.id': 'ses_1', date: '2026-01-31' };
  const made = planOf({ pages: new Array<LayoutPage>(count).fill(page), variables }, read.profile);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return made.plan;
}

const markOf = (made: Plan, kind: MarkKind, sheet = 0): Mark | undefined =>
  made.sheets[sheet]?.front.marks.find(({ mark }) => mark === kind);

/** The area of a shape; lines have no width. */
function areaOf(shape: Shape): Rect {
  if (shape.type === 'line') {
    return {
      x: Math.min(shape.x1, shape.x2),
      y: Math.min(shape.y1, shape.y2),
      width: Math.abs(shape.x2 - shape.x1),
      height: Math.abs(shape.y2 - shape.y1),
    };
  }
  if (shape.type === 'circle')
    return { x: shape.x - shape.radius, y: shape.y - shape.radius, width: 2 * shape.radius, height: 2 * shape.radius };
  if (shape.type === 'text')
    return { x: shape.x, y: shape.y, width: shape.text.length * shape.size * 0.5, height: shape.size * 0.7 };
  if (shape.type === 'path') return { x: 0, y: 0, width: 0, height: 0 };
  return shape;
}
const overlap = (a: Rect, b: Rect) =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 0.01 &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 0.01;

test('with all marks switched on none lies in a bleed, and bars and texts do not overlap', () => {
  const made = plan({ type: 'SaddleStitch', marks: everything });
  for (const side of made.sheets.flatMap(({ front, back }) => (back ? [front, back] : [front]))) {
    const shapes = side.marks.filter((mark) => !mark.processingStep).flatMap((mark) => mark.shapes);
    for (const shape of shapes)
      for (const cell of side.cells) expect([shape, overlap(areaOf(shape), cell.clip)]).toEqual([shape, false]);
    const strips = side.marks.flatMap((mark) =>
      mark.shapes.filter(({ type }) => type === 'text' || type === 'barcode'),
    );
    const bars = side.marks.flatMap((mark) => mark.shapes.filter(({ type }) => type === 'rect'));
    for (const strip of strips) for (const bar of bars) expect(overlap(areaOf(strip), areaOf(bar))).toBe(false);
  }
  expect(made.sheets[0]?.front.marks.map(({ mark }) => mark)).toEqual(
    expect.arrayContaining(['Crop', 'Fold', 'Registration', 'ColorBar', 'GrayBar', 'Slug', 'Barcode', 'CutLine']),
  );
});

test('crop marks are at every trim corner, outside offset and bleed', () => {
  const made = plan({ type: 'AcrossDown', rows: 1, columns: 1, marks: { crop: { offset: '1mm' } } }, 1);
  const lines = markOf(made, 'Crop')?.shapes ?? [];
  expect(lines).toHaveLength(8);
  const cell = made.sheets[0]?.front.cells[0];
  const left = lines.flatMap((line) =>
    line.type === 'line' && line.y1 === line.y2 && line.x2 < (cell?.x ?? 0) ? [line] : [],
  );
  expect(left.map((line) => ((cell?.x ?? 0) - line.x2) / mm).every((distance) => Math.abs(distance - 3) < 0.001)).toBe(
    true,
  );
});

test('inner crop marks are drawn only in gutters that are wide enough', () => {
  const count = (gutterH: string) =>
    markOf(plan({ type: 'AcrossDown', rows: 1, columns: 2, gutterH }, 2), 'Crop')?.shapes.length;
  expect(count('6mm')).toBe(12);
  expect(count('16mm')).toBe(16);
});

test('where pages meet at a fold there is a fold mark and no crop mark', () => {
  const made = plan({ type: 'SaddleStitch' });
  const spine = made.sheets[0]?.front.cells[1]?.x ?? Number.NaN;
  const onSpine = (kind: MarkKind) =>
    markOf(made, kind)?.shapes.filter(
      (shape) => shape.type === 'line' && Math.abs(shape.x1 - spine) < 0.1 && shape.x1 === shape.x2,
    );
  expect(onSpine('Crop')).toEqual([]);
  expect(onSpine('Fold')).toHaveLength(2);
});

test('fold marks are at the folds on both sides of the sheet', () => {
  const made = plan({
    type: 'SaddleStitch',
    signatureSize: 4,
    margins: { top: '5mm', bottom: '5mm', left: '40mm', right: '5mm' },
  });
  const [sheet] = made.sheets;
  const spineOf = (side: 'front' | 'back') => (sheet?.[side]?.cells[1]?.x ?? Number.NaN) as number;
  for (const side of ['front', 'back'] as const) {
    const folds = sheet?.[side]?.marks.find(({ mark }) => mark === 'Fold')?.shapes ?? [];
    expect(folds).toHaveLength(2);
    for (const line of folds) expect(line.type === 'line' ? line.x1 : 0).toBeCloseTo(spineOf(side), 3);
  }
});

test('the slug names sheet and side, and omits unknown variables', () => {
  const made = plan({
    type: 'SaddleStitch',
    marks: { slug: { text: '{{file.name}} {{sheet.no}}/{{sheet.count}} {{side}} {{unknown}}{{date}}' } },
  });
  const text = (side: 'front' | 'back') =>
    made.sheets[1]?.[side]?.marks
      .find(({ mark }) => mark === 'Slug')
      ?.shapes.map((shape) => (shape.type === 'text' ? shape.text : ''));
  expect(text('front')).toEqual(['book.pdf 2/2 Front 2026-01-31']);
  expect(text('back')).toEqual(['book.pdf 2/2 Back 2026-01-31']);
});

test('collation marks step down from section to section', () => {
  const made = plan(
    {
      type: 'PerfectBound',
      signatureSize: 4,
      millingDepth: '8mm',
      marks: { collation: { enabled: true } },
      bleed: { amount: '3mm' },
    },
    16,
  );
  const tops = made.sheets.flatMap(({ front }) =>
    front.marks.flatMap((mark) => (mark.mark === 'Collation' ? mark.shapes : [])),
  );
  const heights = tops.map((shape) => (shape.type === 'rect' ? shape.y : 0));
  expect(heights).toHaveLength(4);
  for (let i = 1; i < heights.length; i++) expect((heights[i - 1] ?? 0) - (heights[i] ?? 0)).toBeCloseTo(6 * mm, 3);
});

test('a mark without room is left out with one warning', () => {
  const made = plan({
    type: 'AcrossDown',
    sheet: 'auto',
    rows: 1,
    columns: 1,
    margins: '0mm',
    marks: { colorBar: { enabled: true } },
  });
  expect(markOf(made, 'ColorBar')).toBeUndefined();
  expect(made.warnings.filter(({ field }) => field === 'marks.colorBar')).toHaveLength(1);
});

test('cut lines are the trims of the front, with a processing step', () => {
  const made = plan(
    { type: 'StepNRepeat', rows: 2, columns: 2, duplex: true, marks: { cutLine: { enabled: true, name: 'Thru-cut' } } },
    2,
  );
  const mark = markOf(made, 'CutLine');
  expect(mark?.processingStep).toEqual({ group: 'Structural', type: 'Cutting' });
  expect(mark?.shapes).toHaveLength(4);
  expect(made.sheets[0]?.back?.marks.some(({ mark: kind }) => kind === 'CutLine')).toBe(false);
});

test('sheets of equal geometry share their marks', () => {
  const made = plan({ type: 'SaddleStitch' }, 40);
  expect(new Set(made.sheets.map((_, sheet) => markOf(made, 'Crop', sheet))).size).toBe(1);
});

test('a halo lies below its mark on every plate, and not below technical lines', () => {
  const made = plan({ type: 'SaddleStitch', marks: { ...everything, halo: '0.3mm' } });
  const crop = markOf(made, 'Crop')?.shapes ?? [];
  const rims = crop.slice(0, crop.length / 2);
  expect(rims.every((shape) => shape.type === 'line' && 'all' in shape.stroke.ink && shape.stroke.ink.all === 0)).toBe(
    true,
  );
  const [rim, line] = [crop[0], crop[crop.length / 2]];
  if (rim?.type !== 'line' || line?.type !== 'line') throw new Error('no lines');
  expect(rim.stroke.width - line.stroke.width).toBeCloseTo(0.6 * mm, 6);
  expect(markOf(made, 'CutLine')?.shapes.every((shape) => shape.type === 'path' && !shape.fill)).toBe(true);
  expect(markOf(made, 'Slug')?.shapes.map(({ type }) => type)).toEqual(['rect', 'text']);
});

test('cutter dots are around the block, with one more that shows the orientation of the sheet', () => {
  const made = plan(
    { type: 'DieCut', duplex: true, margins: '20mm', marks: { cutterDots: { enabled: true, count: 6 } } },
    2,
  );
  const dots = markOf(made, 'CutterDots')?.shapes ?? [];
  expect(dots).toHaveLength(7);
  expect(dots.every((shape) => shape.type === 'circle' && shape.radius === 2.5 * mm)).toBe(true);
  expect(made.sheets[0]?.back?.marks.some(({ mark }) => mark === 'CutterDots')).toBe(false);
});

test.each([
  ['Bottom', 'Left', 'Sheetwise'],
  ['Top', 'Right', 'Sheetwise'],
  ['Left', 'Left', 'Perfecting'],
  ['Bottom', 'Left', 'Perfecting'],
])(
  'with the gripper edge %s, the side lay %s and %s, both sides are marked at the same edge of the paper',
  (edge, side, workStyle) => {
    const made = plan({
      type: 'AcrossDown',
      rows: 1,
      columns: 1,
      duplex: true,
      workStyle,
      gripper: { edge, size: '10mm' },
      marks: { sideLay: { enabled: true, side } },
    });
    const [sheet] = made.sheets;
    const lineOf = (one: 'front' | 'back') => {
      const [shape] = sheet?.[one]?.marks.find(({ mark }) => mark === 'SideLay')?.shapes ?? [];
      if (shape?.type !== 'line') throw new Error('no line');
      return areaOf(shape);
    };
    const [front, back] = [lineOf('front'), lineOf('back')];
    const { width = 0, height = 0 } = sheet ?? {};
    const behind =
      workStyle === 'Perfecting'
        ? { ...back, y: height - back.y - back.height }
        : { ...back, x: width - back.x - back.width };
    for (const key of ['x', 'y', 'width', 'height'] as const) expect(behind[key]).toBeCloseTo(front[key], 6);
  },
);
