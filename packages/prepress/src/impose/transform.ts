import type { Cell } from '@pdf2press/contract';
import { xmlNumber } from './xml.ts';

const turns = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const;

/**
 * The matrix that carries a page, its cut box at the origin, to its cell (JDF CTM): six numbers. The page's own size is
 * the cell's, turned and scaled back.
 */
export function cellTransform(cell: Cell): string {
  const [a, b, c, d] = turns[cell.rotation];
  const { scale, shift } = cell;
  const isUpright = cell.rotation % 180 === 0;
  const [width, height] = isUpright ? [cell.width, cell.height] : [cell.height, cell.width];
  const [ax, bx, cy, dy] = [a * scale.x, b * scale.x, c * scale.y, d * scale.y];
  const middle = { x: width / scale.x / 2, y: height / scale.y / 2 };
  const e = cell.x + cell.width / 2 + shift.x - (ax * middle.x + cy * middle.y);
  const f = cell.y + cell.height / 2 + shift.y - (bx * middle.x + dy * middle.y);
  return [ax, bx, cy, dy, e, f].map(xmlNumber).join(' ');
}
