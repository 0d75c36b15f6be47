import type { Cell, LayoutPage, Plan, Rect } from '@pdf2press/contract';
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
  // Creep and scaling move the content, not the trim, which is the cell.
  const upright = { x: 0, y: 0, width, height };
  const still = { ...cell, scale: { x: 1, y: 1 }, shift: { x: 0, y: 0 } };
  return {
    Ord: cell.page - 1,
    CTM: xmlNumbers(cellMatrix(cell, page[boxes[plan.cellBox]])),
    TrimCTM: xmlNumbers(cellMatrix(still, upright)),
    TrimSize: xmlNumbers([width, height]),
    ClipBox: rectangle(cell.clip),
  };
}

/** JDF data type rectangle: lower left and upper right corner. */
export const rectangle = ({ x, y, width, height }: Rect): string => xmlNumbers([x, y, x + width, y + height]);

/** Rows and columns of a sheet, for NumberUp. */
export function gridOf(cells: readonly Cell[]): { rows: number; columns: number } {
  let [rows, columns] = [1, 1];
  for (const { row, column } of cells) [rows, columns] = [Math.max(rows, row + 1), Math.max(columns, column + 1)];
  return { rows, columns };
}
