import type { Cell, LayoutPage, Plan, Rect } from '@pdf2press/contract';
import { cellMatrix } from '@pdf2press/pdf/place';
import { xmlNumber } from './xml.ts';

/*
 * The placement words that JDF and XJDF share. Lengths are points; the source's origin is the lower left corner of the
 * page's MediaBox as one sees it, the surface's the lower left corner of the sheet side.
 */

const boxes = { Trim: 'trim', Bleed: 'bleed', Media: 'media' } as const;

/** Attributes of one placed page, as ContentObject (JDF 1.5) and PlacedObject (XJDF 2.1) call them. */
export function placement(cell: Cell, plan: Plan, pages: readonly LayoutPage[]): Record<string, string | number> {
  const page = pages[cell.page - 1];
  if (!page) throw new RangeError(`page ${cell.page}`);
  const isUpright = cell.rotation % 180 === 0;
  const [width, height] = isUpright ? [cell.width, cell.height] : [cell.height, cell.width];
  // The cut does not creep: it is the cell itself, turned with its page.
  const upright = { x: 0, y: 0, width, height };
  const still = { ...cell, scale: { x: 1, y: 1 }, shift: { x: 0, y: 0 } };
  return {
    Ord: cell.page - 1,
    CTM: numbers(cellMatrix(cell, page[boxes[plan.cellBox]])),
    TrimCTM: numbers(cellMatrix(still, upright)),
    TrimSize: numbers([width, height]),
    ClipBox: rectangle(cell.clip),
  };
}

/** JDF `rectangle`: lower left and upper right corner. */
export const rectangle = ({ x, y, width, height }: Rect): string => numbers([x, y, x + width, y + height]);
export const numbers = (values: readonly number[]): string => values.map(xmlNumber).join(' ');

/** Rows and columns of a sheet, as NumberUp says them. */
export function gridOf(cells: readonly Cell[]): { rows: number; columns: number } {
  let [rows, columns] = [1, 1];
  for (const { row, column } of cells) [rows, columns] = [Math.max(rows, row + 1), Math.max(columns, column + 1)];
  return { rows, columns };
}

/** What may stand in an NMTOKEN; anything else becomes a dash. */
export const token = (text: string): string => text.replace(/[^\p{L}\p{N}._:-]+/gu, '-') || 'job';
