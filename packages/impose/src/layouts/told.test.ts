import { expect, test } from 'vitest';
import { checkPages, eachPlaced } from './count-pages.ts';
import { problemSentence } from './say.ts';
import { mm, pageOf, plan, problem } from './testing/plans.ts';

/* What would otherwise happen without a word: lost pages, a changed work style, marks off the sheet, clipped page lists. */

const pages = (count: number, width = 50, height = 50) => new Array(count).fill(pageOf(width, height));
const codes = (made: ReturnType<typeof plan>) => made.warnings.map(({ code }) => code);

test('a plan that lost a page, or has one twice, is refused', () => {
  const made = plan(pages(4), { type: 'AcrossDown', rows: 2, columns: 2 });
  const wanted = eachPlaced({ copies: 1, padding: 'BlankEnd' })([1, 2, 3, 4]);
  expect(() => checkPages(made, wanted)).not.toThrow();
  const [sheet] = made.sheets;
  const [first] = sheet?.front.cells ?? [];
  if (!sheet || !first) throw new Error('no cell');
  for (const page of [0, 2]) {
    const cells = [{ ...first, page }, ...sheet.front.cells.slice(1)];
    const changed = { ...made, sheets: [{ ...sheet, front: { ...sheet.front, cells } }] };
    expect(() => checkPages(changed, wanted)).toThrow('impose.pageMiscounted');
  }
  expect(() => checkPages(made, eachPlaced({ copies: 2, padding: 'BlankEnd' })([1, 2, 3, 4]))).toThrow();
});

test.each(['WorkAndTurn', 'WorkAndTumble'])('a two-sided die-cut sheet refuses %s', (workStyle) => {
  const profile = { type: 'DieCut', die: { source: 'Trim' }, workStyle };
  expect(problem(pages(2), { ...profile, duplex: true })?.code).toBe('impose.dieNeedsTwoPlates');
  expect(problem(pages(2), { ...profile, duplex: false })).toBeUndefined();
});

test.each([
  ['Sheetwise', 'Duplex', 0],
  ['Perfecting', 'Duplex', 10],
  ['Perfecting', 'Simplex', 0],
] as const)('%s, %s: the tail of the sheet keeps a gripper of %i mm', (workStyle, duplex, tail) => {
  const made = plan(pages(40, 90, 55), {
    type: 'StepNRepeat',
    sheet: '320x450mm',
    margins: '0mm',
    gripper: '10mm',
    gutterH: '0mm',
    gutterV: '0mm',
    alignment: { point: 'Top' },
    marks: 'none',
    workStyle,
    duplex,
  });
  const [sheet] = made.sheets;
  const height = (sheet?.height ?? 0) / mm;
  const top = Math.max(...(sheet?.front.cells ?? []).map((cell) => cell.y + cell.height));
  expect(height - top / mm).toBeCloseTo(tail, 3);
});

test('creep by a paper that cannot be is told', () => {
  const book = (paperThickness: string) =>
    plan(pages(16, 100, 150), { type: 'SaddleStitch', sheet: 'SRA3', creep: { paperThickness } });
  expect(codes(book('3mm'))).toContain('impose.creepLarge');
  expect(codes(book('0.1mm'))).not.toContain('impose.creepLarge');
});

test('bottling that moves a corner further than the bleed is told, with how far', () => {
  const book = (innermost: number) =>
    plan(pages(16, 210, 297), { type: 'PerfectBound', sheet: 'B1', bottling: { innermost } });
  const told = book(-1).warnings.find(({ code }) => code === 'impose.bottlingLarge');
  // The diagonal of A4 is 363.74 mm; half a degree to either side of its middle.
  expect(Number(told?.params.distance) / mm).toBeCloseTo(2 * 363.74 * Math.sin(Math.PI / 360), 2);
  expect(told && problemSentence(told, 'en', 'Millimeters')).toContain(
    'by 1° and moves their farthest corner by 6.35 mm',
  );
  expect(codes(book(0.4))).not.toContain('impose.bottlingLarge');
  // A sheet of four pages has no inner leaves.
  const leaflets = { type: 'SaddleStitch', sheet: 'B1', bottling: { innermost: -2 } };
  expect(codes(plan(pages(8, 210, 297), leaflets))).not.toContain('impose.bottlingLarge');
});

test('crop marks that the edge of the sheet cuts are told, with how far they reach beyond it', () => {
  const made = (sheet: string) =>
    plan(pages(1, 100, 100), { type: 'StepNRepeat', rows: 1, columns: 1, sheet, margins: '0mm' });
  // Offset 3 mm and length 5 mm around a page of 100 mm.
  const cut = made('106x120mm').warnings.find(({ code }) => code === 'impose.cropCut');
  expect(Number(cut?.params.overflow) / mm).toBeCloseTo(5, 3);
  expect(codes(made('116x116mm'))).not.toContain('impose.cropCut');
  expect(cut && problemSentence(cut, 'en', 'Millimeters')).toContain('5 mm');
});

test('a page list that names more pages than there are is told', () => {
  const made = (list: string) => plan(pages(8), { type: 'AcrossDown', pages: list });
  expect(made('1-99').warnings.find(({ code }) => code === 'impose.pagesBeyond')?.params).toEqual({
    pages: '1-99',
    count: 8,
  });
  expect(codes(made('1-8,-3-,last'))).not.toContain('impose.pagesBeyond');
});

test.each([
  ['SaddleStitch', { signatureSize: 8 }],
  ['CutAndStack', { rows: 2, columns: 2 }],
  ['DieCut', { rows: 2, columns: 2, duplex: false, stations: { order: 'List' } }],
])('%s: sheets of one pile are aligned alike, and that is told', (type, own) => {
  const settings = { type, ...own, alignment: { point: 'TopLeft' } };
  const together = plan(pages(5), settings);
  const made = plan(pages(5), { ...settings, alignment: { point: 'TopLeft', allSheetsIndependent: true } });
  expect(made.sheets).toEqual(together.sheets);
  expect(codes(made)).toContain('impose.sheetsAlignedTogether');
  expect(codes(together)).not.toContain('impose.sheetsAlignedTogether');
});

test('a fold whose marks have no room beside the bleed is told', () => {
  const book = (margins: string) =>
    plan([pageOf(100, 140, 5)], {
      type: 'SaddleStitch',
      sheet: 'auto',
      margins,
      bleed: { policy: 'Fixed', amount: '5mm' },
    });
  expect(codes(book('5mm'))).toContain('impose.foldHidden');
  expect(codes(book('12mm'))).not.toContain('impose.foldHidden');
});
