import type { Cell, LayoutPage, Plan, PlanSheet, Rect } from '@pdf2press/contract';
import { cellMatrix } from '@pdf2press/pdf/place';
import { xmlNumbers } from '@pdf2press/settings';

/*
 * Attributes that JDF and XJDF share. Lengths are points. The origin of a page is the lower left corner of its MediaBox
 * as displayed (after Rotate), that of a surface is the lower left corner of the sheet side.
 */

const boxes = { Trim: 'trim', Bleed: 'bleed', Media: 'media' } as const;

/**
 * Attributes of one placed page in ContentObject (JDF 1.5) and PlacedObject (XJDF 2.1).
 * @throws RangeError for an unknown page
 */
export function placement(cell: Cell, plan: Plan, pages: readonly LayoutPage[]): Record<string, string | number> {
  const page = pages[cell.page - 1];
  if (!page) throw new RangeError(`page ${cell.page}`);
  const isUpright = cell.rotation % 180 === 0;
  const [width, height] = isUpright ? [cell.width, cell.height] : [cell.height, cell.width];
  // Creep, bottling and scaling move the content, not the trim, which is the cell.
  const upright = { x: 0, y: 0, width, height };
  const { bottle: _, ...unturned } = cell;
  const still = { ...unturned, scale: { x: 1, y: 1 }, shift: { x: 0, y: 0 } };
  return {
    Ord: cell.page - 1,
    CTM: matrixText(cellMatrix(cell, page[boxes[plan.cellBox]])),
    TrimCTM: matrixText(cellMatrix(still, upright)),
    TrimSize: xmlNumbers([width, height]),
    ClipBox: rectangle(cell.clip),
  };
}

/** Width and height of the trimmed page in a cell, before it is rotated. */
export const trimSizeOf = ({ rotation, width, height }: Cell): string =>
  xmlNumbers(rotation % 180 === 0 ? [width, height] : [height, width]);

/** Whether pages of a sheet are turned to compensate for bottling. */
export const isBottled = ({ front, back }: PlanSheet): boolean =>
  [...front.cells, ...(back?.cells ?? [])].some(({ bottle }) => bottle !== undefined);

const orientations = { 0: 'Up', 90: 'Left', 180: 'Down', 270: 'Right' } as const;

/** The cells of the front of a sheet with the attributes that SignatureCell has in JDF 1.5 and in XJDF 2.1. */
export function signatureCells(
  sheet: PlanSheet,
): { cell: Cell; attributes: Record<string, string | number | undefined> }[] {
  const isTumbled = sheet.workStyle === 'Perfecting' || sheet.workStyle === 'WorkAndTumble';
  const { rows } = gridOf(sheet.front.cells);
  const rowLengths: number[] = [];
  for (const { row, column } of sheet.front.cells) rowLengths[row] = Math.max(rowLengths[row] ?? 0, column + 1);
  const key = (row: number, column: number) => `${row},${column}`;
  const backs = new Map(sheet.back?.cells.map((cell) => [key(cell.row, cell.column), cell]));
  return sheet.front.cells.map((cell) => {
    const behind = isTumbled
      ? key(rows - 1 - cell.row, cell.column)
      : key(cell.row, (rowLengths[cell.row] ?? 1) - 1 - cell.column);
    const back = backs.get(behind);
    // Seen from the front, the back turns the other way round.
    const bottle = cell.bottle ?? (back?.bottle && { ...back.bottle, angle: -back.bottle.angle });
    return {
      cell,
      attributes: {
        BackPages: back && back.page > 0 ? back.page - 1 : undefined,
        BottleAngle: bottle && xmlNumbers([bottle.angle]),
        BottleAxis: bottle?.axis,
        FrontPages: cell.page > 0 ? cell.page - 1 : undefined,
        Orientation: orientations[cell.rotation],
        StationName: cell.station,
      },
    };
  });
}

/** JDF data type matrix. Six decimals: a thousandth of a turn moves the far corner of a page by more than a point. */
const matrixText = (values: readonly number[]): string =>
  values.map((value) => String(Number(value.toFixed(6)))).join(' ');

/** JDF data type rectangle: lower left and upper right corner. */
export const rectangle = ({ x, y, width, height }: Rect): string => xmlNumbers([x, y, x + width, y + height]);

/** Rows and columns of a sheet, for NumberUp. */
export function gridOf(cells: readonly Cell[]): { rows: number; columns: number } {
  let [rows, columns] = [1, 1];
  for (const { row, column } of cells) [rows, columns] = [Math.max(rows, row + 1), Math.max(columns, column + 1)];
  return { rows, columns };
}
