import type { Cell, Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark } from '../mark.ts';
import { collationSettings } from './contract.ts';
import { messages } from './messages.ts';

/**
 * A bar on the spine of each section, one step lower from section to section, so that a missing, doubled or misplaced
 * section is visible on the gathered book. It lies in the spine gutter between the first and the last page of a section.
 */
export const collation = defineMark({
  kind: 'Collation',
  key: 'collation',
  messages,
  settings: collationSettings,
  isStatic: false,
  draw: (context, { width, height, start }) => {
    const outer = outerPair(context.cells, context.side);
    if (!outer) return { shapes: [] };
    const [left, right, section] = outer;
    const spine = (left.x + left.width + right.x) / 2;
    const fall = Math.max(0, left.height - start - height);
    const step = context.sectionCount > 1 ? Math.min(height, fall / (context.sectionCount - 1)) : 0;
    const down = start + (section - 1) * step;
    const y = left.rotation === 180 ? left.y + down : left.y + left.height - down - height;
    const bar = { x: spine - width / 2, y, width, height };
    if (!context.keepOut.isFree(bar)) {
      return {
        shapes: [],
        problems: [
          warning('impose.collationNoRoom', 'marks.collation', {
            needed: width,
            available: right.x - left.x - left.width,
          }),
        ],
      };
    }
    const shapes: Shape[] = [{ type: 'rect', ...bar, fill: context.ink }];
    return { shapes };
  },
});

/** The cells of a section's first and last page, left one first, when they are adjacent on this side. */
function outerPair(cells: readonly Cell[], side: 'Front' | 'Back'): [Cell, Cell, number] | null {
  if (side === 'Back') return null;
  const bySection = cells.filter((cell) => cell.section !== undefined && cell.page > 0);
  const first = bySection.reduce<Cell | null>((low, cell) => (low === null || cell.page < low.page ? cell : low), null);
  if (!first?.section) return null;
  const beside = cells
    .filter((cell) => cell.row === first.row && Math.abs(cell.column - first.column) === 1)
    .sort((a, b) => b.page - a.page)[0];
  if (!beside) return null;
  return first.x < beside.x ? [first, beside, first.section] : [beside, first, first.section];
}
