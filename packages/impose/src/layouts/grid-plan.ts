import type { Plan } from '@pdf2press/contract';
import type { MarksSettings } from '../marks/marks.ts';
import { refuse } from '../sheet/problems.ts';
import type { GridSettings } from '../sheet/settings.ts';
import { assemble, type SheetDraft } from './assemble.ts';
import type { Wanted } from './count-pages.ts';
import {
  type Block,
  chooseGrid,
  epsilon,
  gutters,
  rowLengthsOf,
  type Size,
  sheetSizes,
  turnBy,
  usableArea,
} from './grid.ts';
import type { LayoutInput } from './layout.ts';
import { listPages } from './page-list.ts';
import { cellSize, pageShape } from './pages.ts';
import type { Leaf } from './placing.ts';

export type GridLayoutSettings = GridSettings & { marks: MarksSettings };

/** The cells that a layout fills: one side of a sheet, or half of it for work-and-turn and work-and-tumble. */
export interface DealingGrid {
  /** Cells in each row, from the top; they differ only when rows are mixed. */
  rowLengths: readonly number[];
  /** Number of cells. */
  cells: number;
}

/** One filled sheet: a leaf for each cell, row by row, and the number of sheets to print. */
export interface Deal {
  leaves: Leaf[];
  quantity: number;
}

export interface Dealer {
  layout: Plan['layout'];
  /** Whether `duplex: Auto` means two-sided for this page list. */
  isDuplexByItself: (pages: readonly number[]) => boolean;
  /** Number of finished pieces or leaves, which limits the rows on a roll. */
  pieces: (pages: readonly number[], isDuplex: boolean) => number;
  deal: (pages: readonly number[], grid: DealingGrid, isDuplex: boolean) => Deal[];
  /** Whether all sheets are cut in one pile. */
  isPile?: boolean;
  /** How often each page of the list must be printed; the finished plan is counted against it. */
  wanted: (pages: readonly number[], isDuplex: boolean) => Wanted;
}

/** Sheets to print for `copies` finished copies plus overs, with `ups` copies per sheet. */
export const sheetQuantity = (copies: number, oversPercent: number, ups: number): number =>
  Math.max(1, Math.ceil((copies * (1 + oversPercent / 100)) / ups - 1e-9));

/** Plans the layouts on a grid, which differ in how `dealer` distributes pages to cells. */
export function planGrid(input: LayoutInput, given: GridLayoutSettings, dealer: Dealer): Plan {
  const list = listPages(given.pages, input.pages.length);
  const isDuplex = given.duplex === 'Auto' ? dealer.isDuplexByItself(list) : given.duplex === 'Duplex';
  // One-sided sheets pass the press once, so that they need no second gripper edge.
  const settings: GridLayoutSettings = isDuplex ? given : { ...given, workStyle: 'Sheetwise' };
  const shapes = input.pages.map((page) => pageShape(page, settings));
  const { size, problems } = cellSize(list, shapes, settings, roomPerCell(settings));
  const placed = chooseGrid(size, settings, dealer.pieces(list, isDuplex));
  const workStyle = isDuplex ? settings.workStyle : 'Simplex';
  const drafts = draftGrid({ ...placed, dealer, list, isDuplex, workStyle });
  return assemble({
    layout: dealer.layout,
    bindingEdge: 'None',
    drafts,
    input,
    settings,
    shapes,
    cell: size,
    warnings: problems,
    wanted: dealer.wanted(list, isDuplex),
    isPile: dealer.isPile ?? false,
  });
}

/**
 * The space for one cell when rows and columns are fixed, points; the whole printable area, or null for unscaled pages,
 * when one is Auto.
 */
function roomPerCell(settings: GridSettings): (() => Size) | null {
  const { rows, columns } = settings;
  if (rows === 'Auto' || columns === 'Auto') {
    return settings.pageScaling.mode === 'Proportional' || settings.pageScaling.mode === 'None'
      ? null
      : wholeSheet(settings);
  }
  return () => {
    const usable = usableArea(sheetSizes(settings)[0] ?? { width: Number.NaN, height: Number.NaN }, settings);
    const [h, v] = [gutters(settings.gutterH, settings), gutters(settings.gutterV, settings)];
    const sum = (gaps: readonly number[], count: number) =>
      Array.from({ length: count - 1 }, (_, i) => gaps[Math.min(i, gaps.length - 1)] ?? 0).reduce((a, b) => a + b, 0);
    return { width: (usable.width - sum(h, columns)) / columns, height: (usable.height - sum(v, rows)) / rows };
  };
}

const wholeSheet = (settings: GridSettings) => () =>
  usableArea(sheetSizes(settings)[0] ?? { width: Number.NaN, height: Number.NaN }, settings);

function draftGrid(parts: {
  sheet: Size;
  block: Block;
  dealer: Dealer;
  list: readonly number[];
  isDuplex: boolean;
  workStyle: SheetDraft['workStyle'];
}): SheetDraft[] {
  const { block, dealer, list, isDuplex, workStyle } = parts;
  const half = halfOf(block, workStyle);
  const deals = dealer.deal(list, half.grid, isDuplex);
  return deals.map(({ leaves, quantity }) => ({
    sheet: parts.sheet,
    ...half.combine(leaves),
    // With one plate for both sides each sheet yields two sets, so half the sheets are enough.
    quantity: half.isWhole ? quantity : Math.ceil(quantity / 2),
    workStyle,
    role: 'Body',
    folds: [],
    creases: [],
  }));
}

/**
 * Work-and-turn and work-and-tumble fill the left or upper half with fronts; the other half gets the backs at the
 * mirrored positions, so that they lie behind the fronts after the sheet is turned.
 */
function halfOf(block: Block, workStyle: SheetDraft['workStyle']) {
  const whole = { rowLengths: rowLengthsOf(block), cells: block.slots.length };
  if (workStyle !== 'WorkAndTurn' && workStyle !== 'WorkAndTumble') {
    return { isWhole: true, grid: whole, combine: (leaves: Leaf[]) => ({ block, leaves }) };
  }
  const isTurn = workStyle === 'WorkAndTurn';
  const [count, field] = isTurn ? [block.columns, 'columns'] : [block.rows, 'rows'];
  if (count % 2 !== 0 || block.slots.length !== block.rows * block.columns) {
    refuse('impose.workStyleNeedsEven', field, { count });
  }
  if (!isSymmetric(block, isTurn)) refuse('impose.workStyleNeedsSymmetry', isTurn ? 'gutterH' : 'gutterV');
  const half = isTurn
    ? { rows: block.rows, columns: block.columns / 2 }
    : { rows: block.rows / 2, columns: block.columns };
  const grid = { rowLengths: new Array<number>(half.rows).fill(half.columns), cells: half.rows * half.columns };
  const isFirst = (row: number, column: number) => (isTurn ? column < half.columns : row < half.rows);
  const partner = (row: number, column: number) =>
    isTurn ? ([row, block.columns - 1 - column] as const) : ([block.rows - 1 - row, column] as const);
  const rotationAt = (row: number, column: number) => block.slots[row * block.columns + column]?.rotation ?? 0;
  const turned: Block = {
    ...block,
    slots: block.slots.map((slot) => {
      if (isFirst(slot.row, slot.column)) return slot;
      return { ...slot, rotation: turnBy(isTurn ? 0 : 180, 360 - rotationAt(...partner(slot.row, slot.column))) };
    }),
  };
  return {
    isWhole: false,
    grid,
    combine: (dealt: Leaf[]) => {
      const leafAt = (row: number, column: number) => dealt[row * half.columns + column] ?? { front: 0, back: 0 };
      const leaves = block.slots.map(({ row, column }) => {
        if (isFirst(row, column)) return leafAt(row, column);
        const leaf = leafAt(...partner(row, column));
        return { ...leaf, front: leaf.back, back: leaf.front };
      });
      return { block: turned, leaves };
    },
  };
}

/** Whether gutters are symmetric about the middle; otherwise backs would not lie behind their fronts. */
const isSymmetric = (block: Block, isTurn: boolean): boolean =>
  block.slots.every((slot) => {
    const [row, column] = isTurn
      ? [slot.row, block.columns - 1 - slot.column]
      : [block.rows - 1 - slot.row, slot.column];
    const partner = block.slots[row * block.columns + column];
    const rest = isTurn
      ? slot.x + slot.width + (partner?.x ?? 0) - block.width
      : slot.y + slot.height + (partner?.y ?? 0) - block.height;
    return Math.abs(rest) < epsilon;
  });
