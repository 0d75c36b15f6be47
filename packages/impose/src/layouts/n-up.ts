import type { ImposeLayout, Plan } from '@pdf2press/contract';
import { z } from 'zod';
import { marksSchema } from '../marks/marks.ts';
import { flag, gridSettings, startCornerSchema } from '../sheet/settings.ts';
import { eachPlaced } from './count-pages.ts';
import { type Deal, type DealingGrid, planGrid, sheetQuantity } from './grid-plan.ts';
import type { LayoutInput } from './layout.ts';
import { padPages } from './page-list.ts';
import { type AxisOrder, sequence } from './sequence.ts';

/** Settings of AcrossDown and DownAcross. */
export const nUpSettingsSchema = z.object({
  ...gridSettings,
  startCorner: startCornerSchema,
  /** Fill the whole front before the back, in place of front and back of each leaf in turn. */
  sequentialSides: flag(false),
  marks: marksSchema,
});
export type NUpSettings = z.output<typeof nUpSettingsSchema>;

/** N-up in sequence: row by row (AcrossDown) or column by column (DownAcross). */
export const planNUp = (input: LayoutInput, settings: NUpSettings, layout: ImposeLayout, order: AxisOrder): Plan =>
  planGrid(input, settings, {
    layout,
    // The page sequence does not tell which pages belong back to back, so Auto is one-sided.
    isDuplexByItself: () => false,
    pieces: (pages, isDuplex) => Math.ceil(pages.length / (isDuplex ? 2 : 1)),
    wanted: eachPlaced(settings),
    deal: (pages, grid, isDuplex) => dealNUp(pages, grid, isDuplex, settings, order),
  });

function dealNUp(
  pages: readonly number[],
  grid: DealingGrid,
  isDuplex: boolean,
  settings: NUpSettings,
  order: AxisOrder,
): Deal[] {
  const { rowLengths, cells: perSide } = grid;
  const sides = isDuplex ? 2 : 1;
  const leaves = Math.ceil(pages.length / sides);
  const inOrder = (lengths: readonly number[]) =>
    sequence({
      leaves,
      rowLengths: lengths,
      order,
      startCorner: settings.startCorner,
      stackDepth: 0,
      balance: false,
    });
  const sheets = inOrder(rowLengths);
  const padded = padPages(pages, sheets.length * perSide * sides, settings.padding);
  const quantity = sheetQuantity(settings.copies, settings.oversPercent, 1);
  const isTumbled = settings.workStyle === 'Perfecting' || settings.workStyle === 'WorkAndTumble';
  const behind = isTumbled ? tumbled(rowLengths) : mirrored(rowLengths);
  const backs = isTumbled ? inOrder([...rowLengths].reverse()) : sheets;
  return sheets.map((cells, sheet) => ({
    quantity,
    leaves: cells.map((leaf, cell) => {
      if (!isDuplex) return { front: padded[leaf] ?? 0, back: 0 };
      if (!settings.sequentialSides) return { front: padded[2 * leaf] ?? 0, back: padded[2 * leaf + 1] ?? 0 };
      // The leaves of sheet n are the cells from n × perSide; its two sides take twice as many pages.
      const first = sheet * perSide;
      return {
        front: padded[first + leaf] ?? 0,
        back: padded[first + perSide + (backs[sheet]?.[behind[cell] ?? 0] ?? 0)] ?? 0,
      };
    }),
  }));
}

/** For each cell, numbered row by row, the cell in the mirrored column of its row, which lies behind it. */
const mirrored = (rowLengths: readonly number[]): number[] => {
  let count = 0;
  return rowLengths.flatMap((length) => {
    const first = count;
    count += length;
    return Array.from({ length }, (_, column) => first + length - 1 - column);
  });
};

/** The same for a sheet that is turned about its level axis: the cell in the mirrored row of its column. */
const tumbled = (rowLengths: readonly number[]): number[] => {
  let after = rowLengths.reduce((sum, length) => sum + length, 0);
  return rowLengths.flatMap((length) => {
    after -= length;
    const first = after;
    return Array.from({ length }, (_, column) => first + column);
  });
};
