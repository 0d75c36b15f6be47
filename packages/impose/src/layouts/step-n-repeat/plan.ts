import type { Plan, PlanProblem } from '@pdf2press/contract';
import { refuse, warning } from '../../sheet/problems.ts';
import { tally, type Wanted } from '../count-pages.ts';
import { type Deal, type DealingGrid, planGrid, sheetQuantity } from '../grid-plan.ts';
import { kindsOf } from '../kinds.ts';
import { defineLayout } from '../layout.ts';
import type { Leaf } from '../placing.ts';
import { readTimes, type StepNRepeatSettings, stepNRepeatSettingsSchema, type Times } from './contract.ts';
import { messages } from './messages.ts';

/** Each kind fills its own sheet, or kinds share one sheet by cells or by quantity. */
export const stepNRepeat = defineLayout({
  type: 'StepNRepeat',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: stepNRepeatSettingsSchema,
  plan: (input, settings) => {
    const plan = planGrid(input, settings, {
      layout: 'StepNRepeat',
      // Two-sided cards and labels are supplied as front, back, front, back: an even page count.
      isDuplexByItself: (pages) => pages.length % 2 === 0,
      pieces: () => settings.copies,
      deal: (pages, grid, isDuplex) => dealKinds(kindsOf(pages, isDuplex), grid, settings),
      wanted: (pages, isDuplex) => wantedOf(kindsOf(pages, isDuplex), settings),
    });
    return { ...plan, warnings: [...plan.warnings, ...wasteOf(plan, settings)] };
  },
});

/** Tells what a shared sheet makes beyond the order: every place of every sheet costs paper, whatever is printed there. */
function wasteOf(plan: Plan, settings: StepNRepeatSettings): PlanProblem[] {
  const { gang, fill, oversPercent, wastePercent } = settings;
  if (gang !== 'Gang' || fill !== '') return [];
  const places = plan.sheets.reduce((sum, sheet) => sum + piecesOn(sheet), 0);
  const wanted = readTimes(settings.quantities).reduce((sum, { times }) => sum + times, 0) * (1 + oversPercent / 100);
  const percent = ((places - wanted) / places) * 100;
  if (percent <= wastePercent) return [];
  const shown = { percent: Number(percent.toFixed(1)), made: places, wanted: Math.ceil(wanted - 1e-9) };
  return [warning('impose.gangWaste', 'quantities', shown)];
}

/** Pieces cut from all copies of a sheet: on one plate for both sides each piece lies twice, with either side up. */
const piecesOn = ({ front, quantity }: Plan['sheets'][number]): number => front.cells.length * quantity;

function dealKinds(kinds: readonly Leaf[], grid: DealingGrid, settings: StepNRepeatSettings): Deal[] {
  const wanted = (kind: number): number => quantityOf(kind, settings);
  if (settings.fill !== '') return [fillList(readTimes(settings.fill), kinds, grid, wanted, settings)];
  if (settings.gang === 'Gang') return [gangSheet(kinds, grid, settings)];
  return kinds.map((leaf, kind) => ({
    leaves: new Array<Leaf>(grid.cells).fill(leaf),
    quantity: sheetQuantity(wanted(kind + 1), settings.oversPercent, grid.cells),
  }));
}

/** Each kind in its quantity; a list of cells asks only for the kinds that it names. */
function wantedOf(kinds: readonly Leaf[], settings: StepNRepeatSettings): Wanted {
  const named = new Set(readTimes(settings.fill).flatMap(({ kind, times }) => (times > 0 ? [kind] : [])));
  const pieces = kinds.flatMap(({ front, back }, index) => {
    if (settings.fill !== '' && !named.has(index + 1)) return [];
    const quantity = quantityOf(index + 1, settings);
    return [front, back].filter((page) => page > 0).map((page) => ({ page, quantity }));
  });
  return {
    pieces: tally(
      pieces,
      ({ page }) => page,
      ({ quantity }) => quantity,
    ),
  };
}

function quantityOf(kind: number, settings: StepNRepeatSettings): number {
  const list = readTimes(settings.quantities);
  if (list.length === 0) return settings.copies;
  return list.find((entry) => entry.kind === kind)?.times ?? refuse('impose.quantityMissing', 'quantities', { kind });
}

/** Fills cells by a list such as `1×6, 2×2`; the number of sheets satisfies the kind that needs the most. */
function fillList(
  list: readonly Times[],
  kinds: readonly Leaf[],
  grid: DealingGrid,
  wanted: (kind: number) => number,
  settings: StepNRepeatSettings,
): Deal {
  const total = list.reduce((sum, { times }) => sum + times, 0);
  if (total > grid.cells) refuse('impose.fillTooLong', 'fill', { count: total, limit: grid.cells });
  const leaves = list.flatMap(({ kind, times }) => {
    const leaf = kinds[kind - 1] ?? refuse('impose.kindUnknown', 'fill', { kind, count: kinds.length });
    return new Array<Leaf>(times).fill(leaf);
  });
  const quantity = Math.max(
    ...list.map(({ kind, times }) => sheetQuantity(wanted(kind), settings.oversPercent, Math.max(1, times))),
  );
  return { leaves: padLeaves(leaves, grid.cells, settings), quantity };
}

/**
 * Divides one sheet by quantity for the fewest sheets: each further cell goes to the kind that needs the most sheets.
 */
function gangSheet(kinds: readonly Leaf[], grid: DealingGrid, settings: StepNRepeatSettings): Deal {
  if (settings.quantities === '') refuse('impose.quantityMissing', 'quantities', { kind: 1 });
  if (kinds.length > grid.cells) refuse('impose.gangTooMany', 'rows', { count: kinds.length, limit: grid.cells });
  const wanted = kinds.map((_, kind) => quantityOf(kind + 1, settings));
  const cells = kinds.map(() => 1);
  const sheets = (kind: number) => (wanted[kind] ?? 0) / (cells[kind] ?? 1);
  for (let spare = grid.cells - kinds.length; spare > 0; spare--) {
    const scarcest = kinds.reduce((worst, _, kind) => (sheets(kind) > sheets(worst) ? kind : worst), 0);
    cells[scarcest] = (cells[scarcest] ?? 0) + 1;
  }
  const leaves = kinds.flatMap((leaf, kind) => new Array<Leaf>(cells[kind] ?? 0).fill(leaf));
  const quantity = Math.max(
    ...kinds.map((_, kind) => sheetQuantity(wanted[kind] ?? 1, settings.oversPercent, cells[kind] ?? 1)),
  );
  return { leaves, quantity };
}

/** Fills the cells that a list leaves free, by the padding setting. @throws LayoutFault impose.incomplete */
function padLeaves(leaves: readonly Leaf[], cells: number, { padding }: StepNRepeatSettings): Leaf[] {
  const missing = cells - leaves.length;
  if (missing > 0 && padding === 'FailIfIncomplete') {
    refuse('impose.incomplete', 'padding', { count: leaves.length, places: cells, missing });
  }
  const blank: Leaf = { front: 0, back: 0 };
  const spare = Array.from({ length: missing }, (_, i) =>
    padding === 'Repeat' ? (leaves[i % leaves.length] ?? blank) : blank,
  );
  return padding === 'BlankBeforeLast'
    ? [...leaves.slice(0, -1), ...spare, ...leaves.slice(-1)]
    : [...leaves, ...spare];
}
