import type { LayoutPage, Plan, PlanSheet, Rect } from '@pdf2press/contract';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { planOf, readImposeProfile } from '../profile/profile.ts';
import { axisOrders } from './sequence.ts';
import { folded, type Leaf, nested, printed, read } from './testing/bindery.ts';

/* Property tests: for random settings the finished product has its pages in the order 1…N. */

const mm = 72 / 25.4;
const pageOf = (width: number, height: number, bleed: number): LayoutPage => ({
  media: { x: 0, y: 0, width: width + 2 * bleed, height: height + 2 * bleed },
  trim: { x: bleed, y: bleed, width, height },
  bleed: { x: 0, y: 0, width: width + 2 * bleed, height: height + 2 * bleed },
  hasBleedBox: true,
  hasTrimBox: true,
});

const runs = { numRuns: Number(process.env.BINDERY_RUNS ?? 200) };
vi.setConfig({ testTimeout: 120_000 + 500 * runs.numRuns });

function planFor(count: number, page: LayoutPage, profile: Record<string, unknown>): Plan {
  const readProfile = readImposeProfile({ sheet: '5000x5000mm', ...profile });
  if (!readProfile.ok) throw new Error(JSON.stringify(readProfile.problems));
  const result = planOf({ pages: new Array<LayoutPage>(count).fill(page) }, readProfile.profile);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.plan;
}

const lengths = (most: number) => fc.integer({ min: 0, max: most }).map((tenths) => `${tenths / 10}mm`);
const pages = fc
  .record({
    width: fc.integer({ min: 40, max: 300 }),
    height: fc.integer({ min: 40, max: 300 }),
    bleed: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ width, height, bleed }) => pageOf(width * mm, height * mm, bleed * mm));
const sheetSettings = fc.record({
  margins: fc.record({ top: lengths(300), bottom: lengths(300), left: lengths(300), right: lengths(300) }),
  alignment: fc.record({ point: fc.constantFrom('TopLeft', 'Top', 'Right', 'Centre', 'Bottom', 'BottomRight') }),
  bleed: fc.record({ policy: fc.constantFrom('FromPage', 'Fixed', 'None'), amount: lengths(60) }),
});

const upTo = (count: number, size: number) => Math.ceil(count / size) * size;
const counted = (count: number, size: number) => Array.from({ length: size }, (_, i) => (i < count ? i + 1 : 0));

test('the pages of a saddle-stitched book are in order', () => {
  const settings = fc.record({
    signatureSize: fc.constantFrom(4, 8, 16, 32),
    bindingEdge: fc.constantFrom('Left', 'Right', 'Top'),
    workStyle: fc.constantFrom('Sheetwise', 'Perfecting'),
    coverSeparate: fc.boolean(),
    trim: fc.record({ head: lengths(80), foot: lengths(80), face: lengths(80) }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 260 }), pages, sheetSettings, settings, (count, page, sheet, saddle) => {
      const plan = planFor(count, page, { type: 'SaddleStitch', ...sheet, ...saddle });
      const book = read(nested(plan.sheets.map(folded)), plan.bindingEdge);
      const hasCover = saddle.coverSeparate && count > 4;
      const size = hasCover ? upTo(count - 4, saddle.signatureSize) + 4 : upTo(count, saddle.signatureSize);
      expect(book).toEqual(counted(count, size));
      expect(
        plan.sheets.every(({ folds }) => folds.at(-1) === { Left: 'L', Right: 'R', Top: 'T' }[saddle.bindingEdge]),
      ).toBe(true);
      holdTogether(plan);
    }),
    runs,
  );
});

test('the pages of a perfect-bound book are in order', () => {
  const settings = fc.record({
    signatureSize: fc.constantFrom(4, 8, 16, 32),
    sheetsPerSection: fc.integer({ min: 1, max: 4 }),
    bindingEdge: fc.constantFrom('Left', 'Right', 'Top'),
    workStyle: fc.constantFrom('Sheetwise', 'Perfecting'),
    millingDepth: lengths(60),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 260 }), pages, sheetSettings, settings, (count, page, sheet, bound) => {
      const plan = planFor(count, page, { type: 'PerfectBound', ...sheet, ...bound });
      const sections: PlanSheet[][] = [];
      plan.sheets.forEach((one, index) => {
        const section = Math.floor(index / bound.sheetsPerSection);
        sections[section] = [...(sections[section] ?? []), one];
      });
      const book = sections.flatMap((section) => read(nested(section.map(folded)), plan.bindingEdge));
      expect(book).toEqual(counted(count, upTo(count, bound.signatureSize * bound.sheetsPerSection)));
      holdTogether(plan);
    }),
    runs,
  );
});

const gridSettings = fc.record({
  rows: fc.integer({ min: 1, max: 6 }),
  columns: fc.integer({ min: 1, max: 6 }),
  rotation: fc.constantFrom(0, 90, 180, 270),
  gutterH: fc.array(lengths(120), { minLength: 1, maxLength: 3 }),
  gutterV: fc.array(lengths(120), { minLength: 1, maxLength: 3 }),
  rowsOrientation: fc.constantFrom('Same', 'Alternate180', 'HeadToHead', 'FootToFoot', 'Last'),
  workStyle: fc.constantFrom('Sheetwise', 'Perfecting', 'WorkAndTurn', 'WorkAndTumble'),
});

/** Work-and-turn and work-and-tumble need two equal halves: an even count and symmetric gutters. */
const canTurn = ({
  workStyle,
  rows,
  columns,
  gutterH,
  gutterV,
}: {
  workStyle: string;
  rows: number;
  columns: number;
  gutterH: string[];
  gutterV: string[];
}) =>
  ({
    WorkAndTurn: columns % 2 === 0 && (columns === 2 || gutterH.length === 1),
    WorkAndTumble: rows % 2 === 0 && (rows === 2 || gutterV.length === 1),
  })[workStyle] ?? true;

/** Cuts a sheet into its cells, row by row; of work-and-turn and work-and-tumble only the half with the fronts. */
function cut(sheet: PlanSheet, rows: number, columns: number) {
  const leaves = printed(sheet);
  const grid = Array.from({ length: rows }, (_, row) => leaves.slice(row * columns, (row + 1) * columns));
  if (sheet.workStyle === 'WorkAndTurn') return grid.map((row) => row.slice(0, columns / 2));
  return sheet.workStyle === 'WorkAndTumble' ? grid.slice(0, rows / 2) : grid;
}

test.each(['CutAndStack', 'AcrossDown', 'DownAcross'])(
  'the cut pages of %s are in order, each back behind its front',
  (type) => {
    const orders =
      type === 'CutAndStack' ? Object.keys(axisOrders) : [type === 'AcrossDown' ? 'RightDownDeep' : 'DownRightDeep'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 150 }),
        pages,
        sheetSettings,
        gridSettings,
        fc.record({ order: fc.constantFrom(...orders), duplex: fc.boolean(), stackDepth: fc.constantFrom(0, 1, 3) }),
        (count, page, sheet, grid, { order, duplex, stackDepth }) => {
          const { columns, rows } = grid;
          fc.pre(!(duplex && !canTurn(grid)));
          const depth = type === 'CutAndStack' ? stackDepth : 0;
          const only = type === 'CutAndStack' ? { stackOrder: order, stackDepth: depth } : {};
          const plan = planFor(count, page, { type, ...sheet, ...grid, ...only, duplex });
          const cells = plan.sheets.map((one) => cut(one, rows, columns));
          const blocks =
            depth > 0
              ? Array.from({ length: Math.ceil(cells.length / depth) }, (_, b) =>
                  cells.slice(b * depth, (b + 1) * depth),
                )
              : [cells];
          const leaves = blocks.flatMap((block) => inOrder(block, order as keyof typeof axisOrders));
          const found = leaves.flatMap((leaf) => (duplex ? [leaf.front, leaf.back] : [leaf.front]));
          expect(found.slice(0, count)).toEqual(counted(count, count));
          expect(found.slice(count).every((one) => one === 0)).toBe(true);
          if (duplex) for (const leaf of leaves) if (leaf.front && leaf.back) expect(turnsUpright(leaf)).toBe(true);
          holdTogether(plan);
        },
      ),
      runs,
    );
  },
);

/** Takes leaves from a pile of cut sheets along the axes, the first axis fastest. */
function inOrder<T>(pile: T[][][], order: keyof typeof axisOrders): T[] {
  const rows = pile[0]?.length ?? 0;
  const columns = pile[0]?.[0]?.length ?? 0;
  const sizes = { Deep: pile.length, Right: columns, Down: rows };
  const [a, b, c] = axisOrders[order];
  const taken: T[] = [];
  for (let k = 0; k < sizes[c]; k++) {
    for (let j = 0; j < sizes[b]; j++) {
      for (let i = 0; i < sizes[a]; i++) {
        const at = { [a]: i, [b]: j, [c]: k } as Record<'Deep' | 'Right' | 'Down', number>;
        const leaf = pile[at.Deep]?.[at.Down]?.[at.Right];
        if (leaf !== undefined) taken.push(leaf);
      }
    }
  }
  return taken;
}

/** Whether front and back have their heads at the same edge when the leaf is turned about its upright axis. */
const turnsUpright = ({ frontUp, backUp }: Leaf) =>
  Math.abs(frontUp.x - backUp.x) < 0.01 && Math.abs(frontUp.y - backUp.y) < 0.01;

test('step and repeat places each back behind its front', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      pages,
      sheetSettings,
      gridSettings,
      fc.boolean(),
      (count, page, sheet, grid, duplex) => {
        fc.pre(!(duplex && !canTurn(grid)));
        const plan = planFor(count, page, { type: 'StepNRepeat', ...sheet, ...grid, duplex });
        expect(plan.sheets).toHaveLength(duplex ? Math.ceil(count / 2) : count);
        plan.sheets.forEach((one, index) => {
          const [front, back] = duplex ? [2 * index + 1, 2 * index + 2 <= count ? 2 * index + 2 : 0] : [index + 1, 0];
          for (const leaf of cut(one, grid.rows, grid.columns).flat())
            expect([leaf.front, leaf.back]).toEqual([front, back]);
        });
        holdTogether(plan);
      },
    ),
    runs,
  );
});

test('ganged kinds all reach their quantity with the fewest sheets', () => {
  const wanted = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(wanted, fc.integer({ min: 2, max: 5 }), fc.boolean(), (quantities, columns, duplex) => {
      const list = quantities.map((quantity, kind) => `${kind + 1}x${quantity}`).join(', ');
      const settings = { rows: 4, columns, rotation: 0, duplex, gang: 'Gang', quantities: list };
      const count = quantities.length * (duplex ? 2 : 1);
      const plan = planFor(count, pageOf(100, 100, 0), { type: 'StepNRepeat', ...settings });
      const [sheet] = plan.sheets;
      if (!sheet || plan.sheets.length !== 1) throw new Error('not one sheet');
      const leaves = cut(sheet, 4, columns).flat();
      const made = quantities.map((_, kind) => {
        const front = duplex ? 2 * kind + 1 : kind + 1;
        const own = leaves.filter((leaf) => leaf.front === front);
        expect(own.every((leaf) => leaf.back === (duplex ? front + 1 : 0))).toBe(true);
        return own.length * sheet.quantity;
      });
      quantities.forEach((quantity, kind) => {
        expect(made[kind]).toBeGreaterThanOrEqual(quantity);
      });
      // With one sheet less, some kind would not reach its quantity.
      expect(
        quantities.some((quantity, kind) => ((made[kind] ?? 0) / sheet.quantity) * (sheet.quantity - 1) < quantity),
      ).toBe(true);
      holdTogether(plan);
    }),
    runs,
  );
});

test('die-cut pieces have their backs behind them with every nesting', () => {
  const settings = fc.record({
    nesting: fc.constantFrom('Grid', 'BrickHalfDrop', 'InterlockRotate180'),
    gap: lengths(80),
    order: fc.constantFrom('StepNRepeat', 'List'),
  });
  fc.assert(
    fc.property(
      pages,
      settings,
      fc.constantFrom('Sheetwise', 'Perfecting'),
      fc.integer({ min: 1, max: 4 }),
      (page, stations, workStyle, kinds) => {
        const plan = planFor(2 * kinds, page, {
          type: 'DieCut',
          sheet: '1200x1200mm',
          rows: 3,
          columns: 3,
          duplex: true,
          workStyle,
          stations,
        });
        for (const sheet of plan.sheets) {
          for (const leaf of printed(sheet)) expect(leaf.back).toBe(leaf.front === 0 ? 0 : leaf.front + 1);
        }
        holdTogether(plan);
      },
    ),
    { numRuns: Math.ceil(runs.numRuns / 4) },
  );
});

/** Checks any plan: trims do not overlap, bleed and marks stay off other pages, everything is on the sheet. */
function holdTogether(plan: Plan): void {
  for (const sheet of plan.sheets) {
    for (const side of [sheet.front, sheet.back]) {
      if (!side) continue;
      const cells = side.cells;
      for (const [i, cell] of cells.entries()) {
        const isOnSheet =
          cell.x > -0.01 &&
          cell.y > -0.01 &&
          cell.x + cell.width < sheet.width + 0.01 &&
          cell.y + cell.height < sheet.height + 0.01;
        if (!isOnSheet) throw new Error('a page hangs over the sheet');
        for (const [j, other] of cells.entries()) {
          if (i !== j && overlap(cell.clip, other)) throw new Error('bleed lies on another page');
        }
      }
      for (const shape of side.marks.flatMap((mark) => mark.shapes)) {
        if (shape.type !== 'line') continue;
        const line = {
          x: Math.min(shape.x1, shape.x2),
          y: Math.min(shape.y1, shape.y2),
          width: Math.abs(shape.x2 - shape.x1),
          height: Math.abs(shape.y2 - shape.y1),
        };
        if (cells.some((cell) => overlap(line, cell.clip))) throw new Error('a mark lies in bleed');
      }
    }
  }
}

/** Whether two rectangles share more than an edge; a line overlaps when it enters the rectangle. */
const overlap = (a: Rect, b: Rect) =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > (a.width > 0 ? 0.05 : -0.001) &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > (a.height > 0 ? 0.05 : -0.001);
