import type { Cell, Plan } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { mm, pageOf, plan, problem } from './testing/plans.ts';

/* Positions, creep and quantities with calculated figures, in millimetres. */

const front = (made: Plan, sheet = 0): Cell[] => made.sheets[sheet]?.front.cells ?? [];
const lowerLeft = (cells: Cell[]) => cells.map(({ x, y }) => [x / mm, y / mm].map((value) => Number(value.toFixed(4))));

test('A5 landscape 4-up on 468 × 315 mm without gutters has bleed on the outer edges only', () => {
  const made = plan([pageOf(210, 148, 3)], {
    type: 'StepNRepeat',
    sheet: '468x315mm',
    rows: 2,
    columns: 2,
    gutterH: '0mm',
    gutterV: '0mm',
  });
  expect(lowerLeft(front(made))).toEqual([
    [24, 157.5],
    [234, 157.5],
    [24, 9.5],
    [234, 9.5],
  ]);
  const first = front(made)[2] as Cell;
  expect((first.x - first.clip.x) / mm).toBeCloseTo(3, 6);
  expect((first.y - first.clip.y) / mm).toBeCloseTo(3, 6);
  expect(first.clip.x + first.clip.width).toBeCloseTo(first.x + first.width, 6);
  expect(first.clip.y + first.clip.height).toBeCloseTo(first.y + first.height, 6);
});

test.each([
  ['tall', 'Portrait', false, 7],
  ['wide', 'Landscape', false, 8],
  ['mixed tall', 'Portrait', true, 10],
  ['mixed wide', 'Landscape', true, 11],
])('5 × 2 in on 9 × 14 in, %s', (_, orientation, mixedRotation, copies) => {
  const sheet = { name: '9x14', width: '9in', height: '14in', orientation };
  const settings = {
    margins: '0mm',
    gutterH: '0mm',
    gutterV: '0mm',
    rotation: mixedRotation ? 'Auto' : 0,
    mixedRotation,
  };
  const made = plan([pageOf(5 * 25.4, 2 * 25.4)], { type: 'StepNRepeat', sheet, ...settings });
  expect(front(made)).toHaveLength(copies);
});

test('an 85 × 55 mm card with 3 mm bleed fits 21 times on SRA3', () => {
  const made = plan([pageOf(85, 55, 3)], {
    type: 'StepNRepeat',
    sheet: { name: 'SRA3', orientation: 'Portrait' },
    margins: '10mm',
    gripper: { edge: 'Bottom', size: '10mm' },
    rotation: 0,
  });
  const [sheet] = made.sheets;
  expect(front(made)).toHaveLength(21);
  expect(
    [sheet?.block.x, sheet?.block.y, sheet?.block.width, sheet?.block.height].map((value) =>
      Number(((value ?? 0) / mm).toFixed(4)),
    ),
  ).toEqual([26.5, 14.5, 267, 421]);
});

test('a sheet of automatic size is as large as block and margins', () => {
  const [sheet] = plan([pageOf(100, 50)], {
    type: 'StepNRepeat',
    sheet: 'auto',
    rows: 2,
    columns: 3,
    gutterH: '4mm',
    gutterV: '6mm',
    rotation: 0,
  }).sheets;
  expect([(sheet?.width ?? 0) / mm, (sheet?.height ?? 0) / mm].map((value) => Number(value.toFixed(4)))).toEqual([
    318, 116,
  ]);
});

test('a roll is as long as its rows and margins', () => {
  const sheet = { kind: 'Roll', width: '330mm', height: 'Auto' };
  const made = plan(new Array(10).fill(pageOf(100, 50)), {
    type: 'AcrossDown',
    sheet,
    gutterH: '0mm',
    gutterV: '0mm',
    rotation: 0,
  });
  expect(made.sheets).toHaveLength(1);
  expect((made.sheets[0]?.height ?? 0) / mm).toBeCloseTo(4 * 50 + 10, 4);
});

test('a die-cut carton interlocks 9 × 9 on 1000 × 700 mm', () => {
  const settings = {
    sheet: '1000x700mm',
    margins: '10mm',
    rotation: 0,
    stations: { nesting: 'InterlockRotate180', gap: '4mm' },
  };
  const cells = front(plan([pageOf(100, 70)], { type: 'DieCut', ...settings }));
  expect(cells).toHaveLength(81);
  expect(cells.slice(0, 3).map((cell) => cell.rotation)).toEqual([0, 180, 0]);
  expect(cells[80]?.station).toBe(81);
});

const creepOf = (made: Plan) =>
  made.sheets.map(({ front: { cells } }) => cells.map((cell) => Number((cell.shift.x / mm).toFixed(6))));

test('creep moves content towards the spine, more on each inner sheet', () => {
  const book = (count: number, creep: object) =>
    plan(new Array(count).fill(pageOf(100, 150, 3)), { type: 'SaddleStitch', sheet: 'SRA3', creep });
  // The left page on a front is a left-hand page: its spine is on the right.
  expect(creepOf(book(32, { paperThickness: '0.1mm' }))).toEqual(
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map((d) => [d, -d || 0]),
  );
  const many = creepOf(book(64, { paperThickness: '0.12mm' }));
  expect(many.map(([left]) => left)).toEqual(Array.from({ length: 16 }, (_, i) => Number((i * 0.12).toFixed(6))));
  expect(creepOf(book(16, { paperThickness: '0.1mm', direction: 'OutsideOut' })).map(([, right]) => right)).toEqual([
    0.3, 0.2, 0.1, 0,
  ]);
  expect(creepOf(book(16, { gsm: 100, bulk: 1.2, factor: 1.5 })).map(([left]) => left)).toEqual([0, 0.18, 0.36, 0.54]);
  expect(creepOf(book(16, { total: '0.9mm' })).map(([left]) => left)).toEqual([0, 0.3, 0.6, 0.9]);
});

test('creep moves neither trims nor marks nor bleed', () => {
  const book = (creep: object) =>
    plan(new Array(16).fill(pageOf(100, 150, 3)), { type: 'SaddleStitch', sheet: 'SRA3', creep });
  const [without, with_] = [book({}), book({ paperThickness: '0.2mm' })];
  const still = (made: Plan) =>
    made.sheets.map(({ front: side }) => [side.marks, side.cells.map(({ clip, x, width }) => [clip, x, width])]);
  expect(still(with_)).toEqual(still(without));
});

test('creep depends on the nested leaf, not on the sheet, when a section is folded more than once', () => {
  const made = plan(new Array(16).fill(pageOf(50, 70)), {
    type: 'SaddleStitch',
    signatureSize: 16,
    sheet: 'SRA3',
    creep: { paperThickness: '0.1mm' },
  });
  const byPage = new Map(
    [...front(made), ...(made.sheets[0]?.back?.cells ?? [])].map((cell) => [cell.page, Math.abs(cell.shift.x) / mm]),
  );
  for (const [page, shift] of byPage)
    expect(shift).toBeCloseTo(Math.floor((Math.min(page, 17 - page) - 1) / 2) * 0.1, 6);
});

test('bottling turns the pages of a folded sheet about a corner, the inner leaves more, back and front against each other', () => {
  const book = (bottling: object) =>
    plan(new Array(16).fill(pageOf(50, 70, 3)), { type: 'PerfectBound', sheet: 'SRA3', bottling, marks: 'crop' });
  const made = book({ outermost: 0.1, innermost: 0.4, axis: 'SpineFoot' });
  const cells = [...front(made), ...(made.sheets[0]?.back?.cells ?? [])].sort((a, b) => a.page - b.page);
  // Four leaf pairs: 1–2 with 15–16 outside, 7–8 with 9–10 inside. Heads lean to the spine: odd pages counter-clockwise.
  const leans = [0.1, 0.2, 0.3, 0.4];
  expect(cells.map(({ bottle }) => Number(bottle?.angle.toFixed(6)))).toEqual(
    Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (leans[Math.min(i >> 1, (15 - i) >> 1)] ?? 0)),
  );
  for (const { page, rotation, x, y, width, height, bottle } of cells) {
    const isUp = rotation === 0;
    expect([bottle?.x, bottle?.y]).toEqual([(page % 2 === 1) === isUp ? x : x + width, isUp ? y : y + height]);
  }
  const still = (one: Plan) => front(one).map(({ x, y, width, height, shift }) => [x, y, width, height, shift]);
  expect(still(made)).toEqual(still(book({})));
  expect(JSON.stringify(book({}))).not.toContain('bottle');
});

test('what a turned page may print turns with it and ends at half the gap to its neighbour', () => {
  const made = plan(new Array(8).fill(pageOf(100, 150, 3)), {
    type: 'PerfectBound',
    signatureSize: 8,
    sheet: 'B2',
    millingDepth: '1mm',
    bottling: { outermost: 1 },
  });
  const [, cell] = front(made).filter(({ page }) => page === 1 || page === 8);
  if (!cell?.bottle) throw new Error('page 1 is not turned');
  // Page 1 stands upright with its spine on the left; its foot moves 150 mm × sin 1° = 2.618 mm to the right.
  expect(cell.page).toBe(1);
  expect((cell.bottle.clip.x - cell.x) / mm).toBeCloseTo(-3, 6);
  expect((cell.x - cell.clip.x) / mm).toBeCloseTo(1, 6);
  const reach = (cell.clip.x + cell.clip.width - cell.x) / mm;
  const [sin, cos] = [Math.sin(Math.PI / 180), Math.cos(Math.PI / 180)];
  expect(reach).toBeCloseTo(103 * cos + 153 * sin, 6);
});

test('creep by scaling narrows the content and keeps its spine side fixed', () => {
  const made = plan(new Array(8).fill(pageOf(100, 150)), {
    type: 'SaddleStitch',
    sheet: 'SRA3',
    creep: { paperThickness: '1mm', method: 'ScaleHorizontally' },
  });
  const right = front(made, 1)[1] as Cell;
  expect(right.scale.x).toBeCloseTo(0.99, 6);
  expect(right.scale.y).toBe(1);
  expect(right.shift.x / mm).toBeCloseTo(-0.5, 6);
});

test('the number of sheets follows from quantities, and ganged kinds divide a sheet by quantity', () => {
  const cards = new Array(2).fill(pageOf(85, 55));
  const grid = { type: 'StepNRepeat', sheet: 'SRA3', rows: 4, columns: 2, duplex: false, rotation: 0 };
  expect(plan(cards, { ...grid, copies: 100, oversPercent: 10 }).sheets.map(({ quantity }) => quantity)).toEqual([
    14, 14,
  ]);
  const ganged = plan(cards, { ...grid, gang: 'Gang', quantities: '1x300, 2x100' });
  expect(front(ganged).map(({ page }) => page)).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
  expect(ganged.sheets[0]?.quantity).toBe(50);
  expect(problem(cards, { ...grid, gang: 'Gang', quantities: '1x300' })).toMatchObject({
    code: 'impose.quantityMissing',
    field: 'quantities',
    params: { kind: 2 },
  });
});

test('a work-and-turn block is centred on the sheet and needs half of the sheets', () => {
  const made = plan(new Array(2).fill(pageOf(85, 55)), {
    type: 'StepNRepeat',
    sheet: '300x300mm',
    rows: 1,
    columns: 2,
    duplex: true,
    workStyle: 'WorkAndTurn',
    rotation: 0,
    copies: 100,
    margins: { top: '5mm', bottom: '5mm', left: '20mm', right: '5mm' },
  });
  expect(made.sheets[0]?.back).toBeNull();
  expect(made.sheets[0]?.quantity).toBe(50);
  expect(made.sheets[0]?.block.x).toBeCloseTo((300 * mm - (made.sheets[0]?.block.width ?? 0)) / 2, 6);
});

test('pages are scaled to their cells, and a stretch above the limit is refused', () => {
  const settings = {
    type: 'AcrossDown',
    sheet: 'SRA3',
    rows: 1,
    columns: 1,
    cell: { width: '100mm', height: '152mm' },
    rotation: 0,
  };
  const scale = (mode: string, more = {}) =>
    front(plan([pageOf(50, 75)], { ...settings, pageScaling: { mode, ...more } }))[0]?.scale;
  expect(scale('Fit')?.x).toBeCloseTo(2, 6);
  expect(scale('Fill')?.x).toBeCloseTo(152 / 75, 6);
  expect(scale('Stretch')?.y).toBeCloseTo(152 / 75, 6);
  const far = problem([pageOf(50, 50)], { ...settings, pageScaling: { mode: 'Stretch' } });
  expect(far).toMatchObject({ code: 'impose.distortion', field: 'pageScaling.maxDistortionPercent' });
});

test('short forms of a roll, a gutter, a gripper and a mark are read', () => {
  const made = plan(new Array(5).fill(pageOf(100, 50)), {
    type: 'AcrossDown',
    sheet: 'roll 230mm',
    columns: 2,
    rotation: 0,
    gutterH: '2×bleed',
    gripper: '12mm',
    marks: { crop: 'false' },
  });
  expect((made.sheets[0]?.width ?? 0) / mm).toBeCloseTo(230, 6);
  expect((made.sheets[0]?.height ?? 0) / mm).toBeCloseTo(12 + 3 * 50 + 2 * 6 + 5, 6);
  expect(lowerLeft(front(made))[4]).toEqual([12, 12]);
  expect(made.sheets[0]?.front.marks.some(({ mark }) => mark === 'Crop')).toBe(false);
});

test('work-and-tumble needs the gripper margin at both ends', () => {
  const settings = (gripper: string) => ({
    type: 'StepNRepeat',
    sheet: '200x260mm',
    rows: 2,
    columns: 1,
    rotation: 0,
    gutterV: '0mm',
    duplex: true,
    workStyle: 'WorkAndTumble',
    gripper,
  });
  expect(problem([pageOf(100, 120), pageOf(100, 120)], settings('10mm'))).toBeUndefined();
  const found = problem([pageOf(100, 120), pageOf(100, 120)], settings('12mm'));
  expect(found).toMatchObject({ code: 'impose.blockTooHigh', field: 'gripper.size' });
  expect((found?.params.overflow as number) / mm).toBeCloseTo(4, 4);
});

test('a fill list that leaves cells free is padded by the padding setting', () => {
  const fill = (padding: string) => ({
    type: 'StepNRepeat',
    sheet: 'SRA3',
    rows: 2,
    columns: 3,
    duplex: false,
    fill: '1x3, 2x1',
    padding,
  });
  const pages = [pageOf(50, 50), pageOf(50, 50)];
  const found = (padding: string) => front(plan(pages, fill(padding))).map(({ page }) => page);
  expect(found('BlankEnd')).toEqual([1, 1, 1, 2, 0, 0]);
  expect(found('BlankBeforeLast')).toEqual([1, 1, 1, 0, 0, 2]);
  expect(found('Repeat')).toEqual([1, 1, 1, 2, 1, 1]);
  expect(problem(pages, fill('FailIfIncomplete'))).toMatchObject({ code: 'impose.incomplete', params: { missing: 2 } });
});

test('pages of another size are scaled to the cell of the first, which may itself be scaled', () => {
  const made = plan([pageOf(30, 30), pageOf(60, 30)], {
    type: 'AcrossDown',
    rows: 1,
    columns: 2,
    rotation: 0,
    mixedSizes: 'Scale',
    pageScaling: { mode: 'Proportional', percent: 50 },
  });
  expect(front(made).map(({ scale }) => scale.x)).toEqual([0.5, 0.25]);
});

test.each([
  ['WorkAndTurn', 'Left'],
  ['WorkAndTumble', 'Bottom'],
])('%s on a sheet of automatic size has room for the gripper at both ends', (workStyle, edge) => {
  const made = plan([pageOf(50, 50), pageOf(50, 50)], {
    type: 'StepNRepeat',
    sheet: 'auto',
    rows: 2,
    columns: 2,
    gutterH: '0mm',
    gutterV: '0mm',
    margins: '5mm',
    gripper: { edge, size: '12mm' },
    duplex: true,
    workStyle,
  });
  const { width = 0, height = 0 } = made.sheets[0] ?? {};
  expect([width / mm, height / mm].map((side) => Number(side.toFixed(3))).sort()).toEqual([110, 124]);
});

test.each([{ workStyle: 'WorkAndTurn' }, { workStyle: 'WorkAndTumble' }, { comeAndGo: true }])(
  'a booklet with %o has two copies on a sheet and needs half of the sheets',
  (own) => {
    const settings = { type: 'SaddleStitch', sheet: 'auto', copies: 1001 };
    const pages = new Array(4).fill(pageOf(100, 140));
    expect(plan(pages, settings).sheets[0]?.quantity).toBe(1001);
    expect(plan(pages, { ...settings, ...own }).sheets[0]?.quantity).toBe(501);
  },
);

test('rows of a partly filled plate for both sides are not moved by themselves', () => {
  const made = plan([pageOf(50, 50)], {
    type: 'StepNRepeat',
    sheet: 'auto',
    rows: 2,
    columns: 4,
    gutterH: '0mm',
    gutterV: '0mm',
    duplex: true,
    workStyle: 'WorkAndTurn',
    fill: '1x2',
    padding: 'BlankBeforeLast',
    alignment: { point: 'Top', rowByRow: true, allSheetsIndependent: true },
  });
  const { width = 0 } = made.sheets[0] ?? {};
  const places = front(made).map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  const behind = front(made).map((cell) => `${Math.round(width - cell.x - cell.width)} ${Math.round(cell.y)}`);
  expect(behind.sort()).toEqual(places.sort());
});

test('what a shared sheet makes beyond the order is told above a share of its places', () => {
  const cards = [pageOf(85, 55), pageOf(85, 55)];
  const settings = { type: 'StepNRepeat', sheet: 'auto', rows: 2, columns: 4, duplex: false, gang: 'Gang' };
  const waste = (own: Record<string, unknown>) =>
    plan(cards, { ...settings, ...own }).warnings.find(({ code }) => code === 'impose.gangWaste')?.params;
  // Six places for 300 and two for 100: 50 sheets and nothing left over.
  expect(waste({ quantities: '1x300, 2x100' })).toBeUndefined();
  // Seven places for 1,000 and one for 10: 143 sheets of eight, 1,144 pieces for 1,010.
  expect(waste({ quantities: '1x1000, 2x10' })).toEqual({ percent: 11.7, made: 1144, wanted: 1010 });
  expect(waste({ quantities: '1x1000, 2x10', oversPercent: 10 })).toEqual({ percent: 12.1, made: 1264, wanted: 1111 });
  expect(waste({ quantities: '1x1000, 2x10', wastePercent: 12 })).toBeUndefined();
  // A plate for both sides: each piece lies on it twice and half of the sheets are printed.
  const twoSided = { duplex: true, workStyle: 'WorkAndTurn', quantities: '1x1000' };
  expect(waste({ ...twoSided, columns: 2, rows: 1, wastePercent: 0 })).toBeUndefined();
});
