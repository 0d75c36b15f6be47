import type { Cell, LayoutPage, Plan, PlanSheet } from '@pdf2press/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printed as pieceByPiece } from '../testing/bindery.ts';
import { mm, pageOf, plan, problem } from '../testing/plans.ts';

/* Counts, overlaps and cuts are found from the plan alone, with nothing of the code that packs. */

const near = 0.02;

interface Paper {
  left: number;
  right: number;
  bottom: number;
  top: number;
}
const paperOf = ({ x, y, width, height }: Cell): Paper => ({ left: x, right: x + width, bottom: y, top: y + height });

/** Cuts pieces apart by full cuts, like a guillotine; false when some hang together whatever is cut first. */
function canBeCutApart(pieces: readonly Paper[]): boolean {
  if (pieces.length < 2) return true;
  for (const [low, high] of [
    ['left', 'right'],
    ['bottom', 'top'],
  ] as const) {
    const sorted = [...pieces].sort((a, b) => a[low] - b[low]);
    let reach = -Infinity;
    for (const [index, piece] of sorted.entries()) {
      // What can be cut apart stays so in every part of it, so that the first cut that is possible is as good as any.
      if (index > 0 && piece[low] >= reach - near)
        return canBeCutApart(sorted.slice(0, index)) && canBeCutApart(sorted.slice(index));
      reach = Math.max(reach, piece[high]);
    }
  }
  return false;
}

const cellsOf = (sheet: PlanSheet): Cell[][] => [sheet.front.cells, ...(sheet.back ? [sheet.back.cells] : [])];

/** What is wrong with the paper of a plan. */
function faultsOf(made: Plan, gap: number): string[] {
  return made.sheets.flatMap((sheet) =>
    cellsOf(sheet).flatMap((cells) => {
      const faults: string[] = [];
      cells.forEach((a, i) => {
        if (a.x < -near || a.y < -near || a.x + a.width > sheet.width + near || a.y + a.height > sheet.height + near)
          faults.push(`${a.page} hangs over`);
        for (const b of cells.slice(i + 1)) {
          const across = Math.max(a.x - b.x - b.width, b.x - a.x - a.width);
          const up = Math.max(a.y - b.y - b.height, b.y - a.y - a.height);
          if (Math.max(across, up) < gap - near) faults.push(`${a.page} and ${b.page} are too near`);
          const [c, d] = [a.clip, b.clip];
          const isInked =
            Math.min(c.x + c.width, d.x + d.width) - Math.max(c.x, d.x) > near &&
            Math.min(c.y + c.height, d.y + d.height) - Math.max(c.y, d.y) > near;
          if (isInked) faults.push(`${a.page} prints into ${b.page}`);
        }
      });
      if (!canBeCutApart(cells.map(paperOf))) faults.push('cannot be cut apart');
      return faults;
    }),
  );
}

/** How often each page is printed. */
function printedOf(made: Plan): Map<number, number> {
  const sums = new Map<number, number>();
  for (const sheet of made.sheets)
    for (const { page } of cellsOf(sheet).flat()) sums.set(page, (sums.get(page) ?? 0) + sheet.quantity);
  return sums;
}

const pages: LayoutPage[] = [
  ...[pageOf(85, 55, 3), pageOf(85, 55, 3), pageOf(148, 105, 3), pageOf(148, 105, 3)],
  ...[pageOf(99, 210, 3), pageOf(99, 210, 3), pageOf(50, 50, 3), pageOf(50, 50, 3)],
];
const jobs = 'Cards: 1-2 x 500; Postcard: 3-4 x 200; Flyer: 5-6 x 300; Stickers: 7-8 x 1000';
const run = { type: 'GangRun', sheet: 'SRA2', jobs };

test('jobs of four sizes share a sheet in their quantities, and a guillotine cuts them apart', () => {
  const made = plan(pages, run);
  expect(made.sheets).toHaveLength(1);
  expect(faultsOf(made, 6 * mm)).toEqual([]);
  const printed = printedOf(made);
  for (const [page, quantity] of [500, 500, 200, 200, 300, 300, 1000, 1000].entries()) {
    expect(printed.get(page + 1)).toBeGreaterThanOrEqual(quantity);
    // One piece less on every sheet would be too few.
    expect((printed.get(page + 1) ?? 0) - (made.sheets[0]?.quantity ?? 0)).toBeLessThan(quantity);
  }
  const [first] = made.sheets;
  for (const cell of first?.front.cells ?? []) {
    const behind = first?.back?.cells.find(
      ({ x, y }) => Math.abs(first.width - cell.x - cell.width - x) < near && Math.abs(y - cell.y) < near,
    );
    expect(behind?.page).toBe(cell.page + 1);
  }
});

describe.each(['WorkAndTurn', 'WorkAndTumble'] as const)('one plate for both sides, %s', (workStyle) => {
  const onePlate = { ...run, workStyle, duplex: true, wastePercent: 0, gripper: { size: '12mm', edge: 'Bottom' } };
  const made = plan(pages, onePlate);
  const [sheet] = made.sheets;
  if (!sheet) throw new Error('no sheet');

  test('every piece of the turned sheet has its own back, head behind head, and can be cut out', () => {
    expect(made.sheets.map(({ workStyle: style, back }) => [style, back])).toEqual([[workStyle, null]]);
    expect(faultsOf(made, 6 * mm)).toEqual([]);
    const pieces = pieceByPiece(sheet);
    for (const { front, back, frontUp, backUp, x, y, width, height } of pieces) {
      const isDown = workStyle === 'WorkAndTurn' ? x + width / 2 > sheet.width / 2 : y + height / 2 < sheet.height / 2;
      expect(isDown ? [back, front] : [front, back]).toEqual([Math.min(front, back), Math.min(front, back) + 1]);
      expect(Math.min(front, back) % 2).toBe(1);
      expect([backUp.x + 0, backUp.y + 0]).toEqual([frontUp.x + 0, frontUp.y + 0]);
    }
    // The gripper stays free on both passes: of a tumbled sheet also at the other end.
    const ends = [
      sheet.height - Math.max(...pieces.map(({ y, height }) => y + height)),
      Math.min(...pieces.map(({ y }) => y)),
    ];
    expect((workStyle === 'WorkAndTumble' ? ends : ends.slice(1)).every((end) => end >= 12 * mm - near)).toBe(true);
  });

  test('each job gets its quantity, with no sheet and no place too many, and the waste counts both halves', () => {
    const pieces = pieceByPiece(sheet);
    for (const [front, ordered] of [
      [1, 500],
      [3, 200],
      [5, 300],
      [7, 1000],
    ] as const) {
      const count = pieces.filter((piece) => Math.min(piece.front, piece.back) === front).length;
      expect(count % 2).toBe(0);
      expect(count * sheet.quantity).toBeGreaterThanOrEqual(ordered);
      expect((count - 2) * sheet.quantity).toBeLessThan(ordered);
    }
    const told = made.warnings.find(({ code }) => code === 'impose.gangUnused');
    expect(told?.params).toMatchObject({ sheets: sheet.quantity, made: pieces.length * sheet.quantity, wanted: 2000 });
  });

  test('one-sided jobs have no second pass', () => {
    const single = plan(pages, { ...onePlate, duplex: false });
    expect(single.sheets.map((one) => [one.workStyle, one.back])).toEqual([['Simplex', null]]);
  });

  test('a piece that fits on the sheet, but not on half of it, is named', () => {
    const large = [pageOf(430, 600), pageOf(430, 600)];
    const poster = { ...onePlate, jobs: 'Poster: 1-2 x 10', mayTurn: false };
    expect(plan(large, { ...poster, workStyle: 'Sheetwise' }).sheets).toHaveLength(1);
    expect(problem(large, poster)).toMatchObject({ code: 'impose.gangTooLarge', params: { jobs: 'Poster' } });
  });
});

test('the waste is the printable area that no ordered piece covers, in per cent', () => {
  const { sheets, warnings } = plan(pages, { ...run, margins: '10mm' });
  const ordered = 500 * 85 * 55 + 200 * 148 * 105 + 300 * 99 * 210 + 1000 * 50 * 50;
  const [sheet] = sheets;
  const printable = (450 - 20) * (640 - 20) * (sheet?.quantity ?? 0);
  const told = warnings.find(({ code }) => code === 'impose.gangUnused');
  expect(told?.params.percent).toBeCloseTo(100 - (100 * ordered) / printable, 1);
  expect(told?.params).toMatchObject({ sheets: sheet?.quantity, wanted: 2000 });
  const calm = plan(pages, { ...run, margins: '10mm', wastePercent: 99 });
  expect(calm.warnings.map(({ code }) => code)).not.toContain('impose.gangUnused');
});

describe('jobs that do not fit', () => {
  const large = [pageOf(280, 400), pageOf(200, 100), pageOf(290, 40)];
  const all = { type: 'GangRun', sheet: 'SRA3', jobs: 'Poster: 1 x 10; Card: 2 x 10; Strip: 3 x 10', gutter: '0mm' };
  test('are named', () => {
    expect(problem(large, all)).toMatchObject({ code: 'impose.gangLeftOver', params: { jobs: 'Card' } });
    expect(problem(large, { ...all, sheet: 'A3', margins: '10mm' })).toMatchObject({
      code: 'impose.gangTooLarge',
      params: { jobs: 'Poster' },
    });
    expect(problem(large, { ...all, jobs: '', duplex: false, sheet: 'A3', margins: '10mm' })).toMatchObject({
      params: { jobs: '1' },
    });
  });
  test('lie on further sheets where that is wanted, and are named', () => {
    const made = plan(large, { ...all, furtherSheets: true });
    expect(made.sheets).toHaveLength(2);
    expect(faultsOf(made, 0)).toEqual([]);
    expect(made.warnings).toContainEqual(
      expect.objectContaining({ code: 'impose.gangFurther', params: { jobs: 'Card' } }),
    );
  });
});

test('pieces are turned only where they may be', () => {
  const two = [pageOf(300, 100), pageOf(100, 300)];
  const both = { type: 'GangRun', sheet: { width: '310mm', height: '210mm', orientation: 'AsGiven' }, gutter: 0 };
  const given = { ...both, jobs: 'Wide: 1 x 1; High: 2 x 1', duplex: false, bleed: 'None' };
  expect(
    plan(two, given)
      .sheets[0]?.front.cells.map(({ rotation }) => rotation)
      .sort(),
  ).toEqual([0, 90]);
  expect(problem(two, { ...given, mayTurn: false })).toMatchObject({
    code: 'impose.gangTooLarge',
    params: { jobs: 'High' },
  });
});

test('a back of another size than its front, and a sheet without a size, are refused', () => {
  const odd = [pageOf(85, 55), pageOf(90, 55)];
  expect(problem(odd, { type: 'GangRun' })).toMatchObject({ code: 'impose.backUnequal', params: { page: 2 } });
  expect(problem(odd, { type: 'GangRun', duplex: false, sheet: 'auto' })?.code).toBe('impose.gangNeedsSheet');
  expect(problem(odd, { type: 'GangRun', duplex: false, sheet: 'roll 330mm' })?.code).toBe('impose.gangNeedsSheet');
});

test('without jobs every kind is one in the number of copies, with its overs', () => {
  const made = plan(pages, { type: 'GangRun', sheet: 'SRA2', copies: 100, oversPercent: 10 });
  for (const count of printedOf(made).values()) expect(count).toBeGreaterThanOrEqual(110);
});

const anyJob = fc.record({
  width: fc.integer({ min: 20, max: 200 }),
  height: fc.integer({ min: 20, max: 200 }),
  bleed: fc.integer({ min: 0, max: 5 }),
  quantity: fc.integer({ min: 1, max: 3000 }),
});

test('any jobs come out in their quantities, apart from each other, cut by full cuts', () => {
  fc.assert(
    fc.property(
      fc.array(anyJob, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 8 }),
      fc.boolean(),
      fc.constantFrom('Simplex', 'Sheetwise', 'Perfecting'),
      (some, gutter, mayTurn, style) => {
        const isDuplex = style !== 'Simplex';
        const sides = isDuplex ? 2 : 1;
        const own = some.flatMap(({ width, height, bleed }) =>
          Array.from({ length: sides }, () => pageOf(width, height, bleed)),
        );
        const made = plan(own, {
          ...{ type: 'GangRun', sheet: 'SRA2', gutter: `${gutter}mm`, mayTurn, furtherSheets: true, marks: 'none' },
          ...(isDuplex ? { duplex: true, workStyle: style } : { duplex: false }),
          jobs: some.map(({ quantity }, index) => ({
            name: `Job ${index}`,
            pages: isDuplex ? `${2 * index + 1}-${2 * index + 2}` : `${index + 1}`,
            quantity,
          })),
        });
        expect(faultsOf(made, gutter * mm)).toEqual([]);
        const printed = printedOf(made);
        some.forEach(({ quantity }, index) => {
          for (let side = 1; side <= sides; side += 1)
            expect(printed.get(index * sides + side)).toBeGreaterThanOrEqual(quantity);
        });
        expect([...printed.keys()].every((page) => page >= 1 && page <= own.length)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('the test finds what a guillotine cannot cut apart', () => {
  // Four pieces around a fifth, each beside the next like the sails of a mill.
  const box = (left: number, bottom: number, right: number, top: number): Paper => ({ left, bottom, right, top });
  const mill = [box(0, 0, 20, 10), box(20, 0, 30, 20), box(10, 20, 30, 30), box(0, 10, 10, 30), box(10, 10, 20, 20)];
  expect(canBeCutApart(mill)).toBe(false);
  expect(canBeCutApart(mill.slice(1))).toBe(true);
});
