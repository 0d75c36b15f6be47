import type { Plan, PlanSheet } from '@pdf2press/contract';
import { refuse } from '../sheet/problems.ts';
import type { SheetSettings } from '../sheet/settings.ts';

/** How often the pages of a job must be printed. */
export interface Wanted {
  /** Printed copies of each page, at least. */
  pieces: ReadonlyMap<number, number>;
  /** Cells of each page on all sheets, exactly; missing where a page may fill further cells. */
  cells?: ReadonlyMap<number, number>;
}

/** Adds up numbers by key. */
export function tally<T>(list: Iterable<T>, keyOf: (one: T) => number, amountOf: (one: T) => number = () => 1) {
  const sums = new Map<number, number>();
  for (const one of list) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + amountOf(one));
  return sums;
}

/** For layouts that give each entry of the page list one cell. With padding Repeat, pages may fill further cells. */
export const eachPlaced =
  ({ copies, padding }: Pick<SheetSettings, 'copies' | 'padding'>) =>
  (pages: readonly number[]): Wanted => {
    const cells = tally(pages, (page) => page);
    const pieces = tally(
      pages,
      (page) => page,
      () => copies,
    );
    return padding === 'Repeat' ? { pieces } : { pieces, cells };
  };

/** With one plate for both sides, each sheet carries everything on the plate twice. */
const printsPerCell: Record<PlanSheet['workStyle'], number> = {
  Simplex: 1,
  Sheetwise: 1,
  Perfecting: 1,
  WorkAndTurn: 2,
  WorkAndTumble: 2,
};

/**
 * Counts the pages of a finished plan by its cells alone, whatever put them there, because a page that is lost or printed
 * twice costs a whole run of paper.
 * @throws LayoutFault impose.pageMiscounted
 */
export function checkPages(plan: Plan, wanted: Wanted): void {
  const cells = plan.sheets.flatMap((sheet) =>
    [sheet.front, sheet.back].flatMap((side) => (side?.cells ?? []).map(({ page }) => ({ page, sheet }))),
  );
  const placed = tally(cells, ({ page }) => page);
  const printed = tally(
    cells,
    ({ page }) => page,
    ({ sheet }) => sheet.quantity * printsPerCell[sheet.workStyle],
  );
  placed.delete(0);
  for (const page of new Set([...wanted.pieces.keys(), ...placed.keys()])) {
    const [count, least] = [printed.get(page) ?? 0, wanted.pieces.get(page) ?? 0];
    if (count < least) refuse('impose.pageMiscounted', 'pages', { page, count, wanted: least });
    const [places, exact] = [placed.get(page) ?? 0, wanted.cells?.get(page) ?? 0];
    if (wanted.cells && places !== exact)
      refuse('impose.pageMiscounted', 'pages', { page, count: places, wanted: exact });
  }
}
