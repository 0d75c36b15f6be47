import type { PlanSheet, Rotation } from '@pdf2press/contract';
import { refuse } from '../sheet/problems.ts';
import type { GridSettings, SheetSettings, Turn } from '../sheet/settings.ts';
import type { Edge } from './folding.ts';
import { planLimits } from './page-list.ts';

/** Lengths that differ by less than this many points (0.004 mm) are equal; absorbs rounding from unit conversion. */
export const epsilon = 0.01;

export interface Size {
  width: number;
  height: number;
}

/** One cell position in a block, seen from the front; points from the block's lower left corner. */
export interface Slot {
  row: number;
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: Rotation;
  /** Distance to the next trim on each side; Infinity at the edge of the block. */
  gaps: Record<Edge, number>;
}

/** A group of cell positions, placed on the sheet as one. */
export interface Block extends Size {
  rows: number;
  columns: number;
  slots: Slot[];
}

/** Cells in each row, from the top; a row without any has 0. */
export function rowLengthsOf({ slots }: { slots: readonly Slot[] }): number[] {
  const lengths: number[] = [];
  for (const { row, column } of slots) lengths[row] = Math.max(lengths[row] ?? 0, column + 1);
  return Array.from(lengths, (length) => length ?? 0);
}

export interface RowSpec {
  cells: number;
  width: number;
  height: number;
  rotation: Rotation;
}

const at = (list: readonly number[], index: number): number => list[Math.min(index, list.length - 1)] ?? 0;

/** Width of `count` cells with their gaps, points. The last gap of the list repeats. */
export const span = (count: number, size: number, gaps: readonly number[]): number => {
  let total = count * size;
  for (let gap = 0; gap < count - 1; gap++) total += at(gaps, gap);
  return total;
};

/** How many cells of `size` fit into `room` points with gaps between them; the last gap of the list repeats. */
export function fitting(room: number, size: number, gaps: readonly number[]): number {
  if (size <= 0) return 0;
  let count = 0;
  let used = 0;
  while (count < 1000) {
    used += size + (count > 0 ? at(gaps, count - 1) : 0);
    if (used > room + epsilon) break;
    count++;
  }
  return count;
}

/** A block of rows below each other, counted from the top; lengths in points. */
export function gridBlock(rows: readonly RowSpec[], gutterH: readonly number[], gutterV: readonly number[]): Block {
  const width = Math.max(...rows.map((row) => span(row.cells, row.width, gutterH)));
  const height = rows.reduce((sum, row, index) => sum + row.height + (index > 0 ? at(gutterV, index - 1) : 0), 0);
  const slots: Slot[] = [];
  let top = height;
  rows.forEach((row, r) => {
    let x = 0;
    for (let column = 0; column < row.cells; column++) {
      slots.push({
        row: r,
        column,
        x,
        y: top - row.height,
        width: row.width,
        height: row.height,
        rotation: row.rotation,
        gaps: {
          left: column > 0 ? at(gutterH, column - 1) : Infinity,
          right: column < row.cells - 1 ? at(gutterH, column) : Infinity,
          top: r > 0 ? at(gutterV, r - 1) : Infinity,
          bottom: r < rows.length - 1 ? at(gutterV, r) : Infinity,
        },
      });
      x += row.width + at(gutterH, column);
    }
    top -= row.height + at(gutterV, r);
  });
  return { width, height, rows: rows.length, columns: Math.max(...rows.map((row) => row.cells)), slots };
}

/** Gutters in points; `TwiceBleed` is twice the bleed amount. */
export const gutters = (setting: GridSettings['gutterH'], settings: SheetSettings): readonly number[] =>
  setting === 'TwiceBleed' ? [2 * settings.bleed.amount] : setting;

const isTurned: Record<Turn, (index: number, count: number) => boolean> = {
  Same: () => false,
  Alternate180: (index) => index % 2 === 1,
  HeadToHead: (index) => index % 2 === 0,
  FootToFoot: (index) => index % 2 === 1,
  First: (index) => index === 0,
  Last: (index, count) => index === count - 1,
  Odd: (index) => index % 2 === 0,
  Even: (index) => index % 2 === 1,
};

export const turnBy = (rotation: Rotation, degrees: number): Rotation =>
  ((((rotation + degrees) % 360) + 360) % 360) as Rotation;

/** Turns rows and columns by 180°; a cell that both turn stays as it is. */
export function orientRows(block: Block, rows: Turn, columns: Turn): Block {
  if (rows === 'Same' && columns === 'Same') return block;
  const slots = block.slots.map((slot) => {
    const turns = Number(isTurned[rows](slot.row, block.rows)) + Number(isTurned[columns](slot.column, block.columns));
    return { ...slot, rotation: turnBy(slot.rotation, turns * 180) };
  });
  return { ...block, slots };
}

/** The size of a cell on the sheet at a rotation. */
export const turnedSize = (cell: Size, rotation: Rotation): Size =>
  rotation % 180 === 0 ? cell : { width: cell.height, height: cell.width };

/**
 * Rows of upright cells above rows of cells turned by 90°, in the numbers that place the most cells. Lengths are points.
 */
export function mixedRows(usable: Size, cell: Size, gutterH: readonly number[], gutterV: readonly number[]): RowSpec[] {
  const turned = turnedSize(cell, 90);
  const spec = (size: Size, rotation: Rotation): RowSpec => ({
    cells: fitting(usable.width, size.width, gutterH),
    ...size,
    rotation,
  });
  const [upright, side] = [spec(cell, 0), spec(turned, 90)];
  let best: RowSpec[] = [];
  const copies = (rows: RowSpec[]) => rows.reduce((sum, row) => sum + row.cells, 0);
  const gap = at(gutterV, 0);
  for (let count = 0; count <= fitting(usable.height, cell.height, gutterV); count++) {
    const used = count * (cell.height + gap);
    const others = fitting(usable.height - used, turned.height, gutterV);
    const rows = [
      ...(upright.cells > 0 ? new Array<RowSpec>(count).fill(upright) : []),
      ...(side.cells > 0 ? new Array<RowSpec>(others).fill(side) : []),
    ];
    // For equal numbers of cells, fewer turned ones win.
    if (copies(rows) >= copies(best)) best = rows;
  }
  return best;
}

/** Settings of the printable area; `workStyle` is missing where a layout has no choice of it. */
type AreaSettings = Pick<SheetSettings, 'margins' | 'gripper'> & { workStyle?: PlanSheet['workStyle'] };

const tails: Record<string, Edge> = { Bottom: 'top', Top: 'bottom' };

/**
 * The unprintable width at each edge in points: the margin, at the gripper edge at least the gripper. A perfecting press
 * grips the tail of the sheet for its back, so there both edges keep the gripper.
 */
function borders({ margins, gripper, workStyle }: AreaSettings): Record<Edge, number> {
  const held = new Set<string>([gripper.edge.toLowerCase()]);
  const tail = tails[gripper.edge];
  if (workStyle === 'Perfecting' && tail) held.add(tail);
  const side = (edge: Edge) => (held.has(edge) ? Math.max(margins[edge], gripper.size) : margins[edge]);
  return { left: side('left'), right: side('right'), top: side('top'), bottom: side('bottom') };
}

/** The printable area in points: the sheet without its borders. */
export function usableArea(sheet: Size, settings: AreaSettings): { x: number; y: number } & Size {
  const { left, right, top, bottom } = borders(settings);
  return { x: left, y: bottom, width: sheet.width - left - right, height: sheet.height - top - bottom };
}

/** Sheet sizes to try, the given orientation first. `Auto` sides are NaN until `closeSheet`. */
export function sheetSizes(settings: SheetSettings): Size[] {
  const { width, height, orientation, kind } = settings.sheet;
  const [w, h] = [width === 'Auto' ? Number.NaN : width, height === 'Auto' ? Number.NaN : height];
  const given = { width: w, height: h };
  if (kind === 'Roll' || Number.isNaN(w) || Number.isNaN(h)) return [given];
  const [short, long] = [Math.min(w, h), Math.max(w, h)];
  if (orientation === 'Portrait') return [{ width: short, height: long }];
  if (orientation === 'Landscape') return [{ width: long, height: short }];
  return orientation === 'AsGiven' || w === h ? [given] : [given, { width: h, height: w }];
}

/**
 * Sets `Auto` sides of a sheet to what block, margins and gripper need. One plate for both sides has its block in the
 * middle, so the larger of two opposite borders counts at both.
 */
export function closeSheet(sheet: Size, block: Size, settings: AreaSettings): Size {
  const { left, right, top, bottom } = borders(settings);
  const across = settings.workStyle === 'WorkAndTurn' ? 2 * Math.max(left, right) : left + right;
  const up = settings.workStyle === 'WorkAndTumble' ? 2 * Math.max(top, bottom) : top + bottom;
  return {
    width: Number.isNaN(sheet.width) ? block.width + across : sheet.width,
    height: Number.isNaN(sheet.height) ? block.height + up : sheet.height,
  };
}

/**
 * Refuses a block that is larger than the printable area; lengths in points.
 * @throws LayoutFault impose.marginsTooLarge, impose.blockTooWide, impose.blockTooHigh
 */
export function checkFit(block: Size, usable: Size, fields: { width: string; height: string }): void {
  if (usable.width <= 0 || usable.height <= 0) {
    refuse('impose.marginsTooLarge', 'margins', { overflow: -Math.min(usable.width, usable.height) });
  }
  const over = { width: block.width - usable.width, height: block.height - usable.height };
  if (over.width > epsilon) {
    refuse('impose.blockTooWide', fields.width, { overflow: over.width, needed: block.width, available: usable.width });
  }
  if (over.height > epsilon) {
    refuse('impose.blockTooHigh', fields.height, {
      overflow: over.height,
      needed: block.height,
      available: usable.height,
    });
  }
}

export interface PlacedBlock {
  sheet: Size;
  block: Block;
}

/**
 * Chooses sheet orientation, page rotation, rows and columns: most cells win, then fewer turned pages, then the given
 * sheet orientation. `leaves` limits the rows on a roll. Lengths are points.
 * @throws LayoutFault impose.blockTooWide or impose.blockTooHigh with the smallest overflow, impose.tooManyCells,
 * impose.autoNeedsCount
 */
export function chooseGrid(cell: Size, settings: GridSettings, leaves: number): PlacedBlock {
  const [gutterH, gutterV] = [gutters(settings.gutterH, settings), gutters(settings.gutterV, settings)];
  const rotations: Rotation[] = settings.rotation === 'Auto' ? [0, 90] : [settings.rotation];
  const tries: (PlacedBlock & { copies: number; turned: boolean; over: number })[] = [];
  for (const sheet of sheetSizes(settings)) {
    const open = { width: sheet.width, height: sheet.height };
    const usable = usableArea(open, settings);
    for (const rotation of rotations) {
      const size = turnedSize(cell, rotation);
      const columns =
        settings.columns === 'Auto' ? autoCount(usable.width, size.width, gutterH, 'columns') : settings.columns;
      const rowsFit = Number.isNaN(usable.height)
        ? Math.ceil(leaves / Math.max(columns, 1))
        : fitting(usable.height, size.height, gutterV);
      const rows = settings.rows === 'Auto' ? Math.max(rowsFit, Number.isNaN(usable.height) ? 1 : 0) : settings.rows;
      if (rows * columns > planLimits.cellsPerSide) {
        refuse('impose.tooManyCells', 'rows', { count: rows * columns, limit: planLimits.cellsPerSide });
      }
      const block = gridBlock(
        new Array<RowSpec>(Math.max(rows, 1)).fill({ cells: Math.max(columns, 1), ...size, rotation }),
        gutterH,
        gutterV,
      );
      const closed = closeSheet(sheet, block, settings);
      const room = usableArea(closed, settings);
      const over = Math.max(0, block.width - room.width) + Math.max(0, block.height - room.height);
      tries.push({
        sheet: closed,
        block,
        copies: over > epsilon ? 0 : rows * columns,
        turned: rotation % 180 !== 0,
        over,
      });
    }
    if (
      settings.mixedRotation &&
      settings.rows === 'Auto' &&
      settings.columns === 'Auto' &&
      !Number.isNaN(usable.width + usable.height)
    ) {
      const rows = mixedRows(usable, cell, gutterH, gutterV);
      if (rows.length > 0) {
        const block = gridBlock(rows, gutterH, gutterV);
        tries.push({ sheet, block, copies: block.slots.length, turned: true, over: 0 });
      }
    }
  }
  const fits = tries.filter((one) => one.copies > 0);
  const best =
    fits.length > 0
      ? fits.reduce((a, b) => (b.copies > a.copies || (b.copies === a.copies && a.turned && !b.turned) ? b : a))
      : tries.reduce((a, b) => (b.over < a.over - epsilon ? b : a));
  const usable = usableArea(best.sheet, settings);
  checkFit(best.block, usable, {
    width: settings.columns === 'Auto' ? 'sheet.width' : 'columns',
    height: settings.rows === 'Auto' ? 'sheet.height' : 'rows',
  });
  return { sheet: best.sheet, block: orientRows(best.block, settings.rowsOrientation, settings.columnsOrientation) };
}

function autoCount(room: number, size: number, gaps: readonly number[], field: string): number {
  if (Number.isNaN(room)) return refuse('impose.autoNeedsCount', field);
  return fitting(room, size, gaps);
}
