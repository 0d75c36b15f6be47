import type { Cell, Shape } from '@pdf2press/contract';
import { warning } from '../../sheet/problems.ts';
import { defineMark, type MarkContext, takeLine } from '../mark.ts';
import { cropSettings } from './contract.ts';
import { messages } from './messages.ts';

/** Two lines at each corner of each trim, outside all bleeds. Coinciding lines are drawn once. */
export const crop = defineMark({
  kind: 'Crop',
  key: 'crop',
  messages,
  settings: cropSettings,
  isStatic: true,
  draw: (context, { offset, length, width, inner }) => {
    const stroke = { ink: context.ink, width };
    const drawn = new Set<string>();
    const shapes: Shape[] = [];
    let overflow = 0;
    /** Draws the line from a point beside the page in direction (dx, dy). */
    const mark = (x: number, y: number, dx: number, dy: number): void => {
      // Pages that meet at a fold are not cut there; the fold mark is drawn instead.
      const isFold = context.creases.some(
        ({ axis, at }) => Math.abs((dx === 0 ? x : y) - at) < near && (axis === 'x') === (dx === 0),
      );
      if (isFold) return;
      // A line that would start inside a neighbouring page is left out, also on the far side of that page.
      if (!context.keepOut.isFreePoint(x + dx * 0.1, y + dy * 0.1) || (!inner && isInside(x, y, context))) return;
      const key = `${Math.round(x * 20)},${Math.round(y * 20)},${dx}`;
      if (drawn.has(key)) return;
      drawn.add(key);
      // Checked for one offset more: a line that reached the neighbour's trim would show on its cut edge.
      const reach = length + offset;
      const [part] = context.keepOut.free({ x1: x, y1: y, x2: x + dx * reach, y2: y + dy * reach });
      const line = part && shortened({ x, y, dx, dy }, part, { length, offset });
      if (!line) return;
      const beyond = beyondSheet(line, context.sheet);
      overflow = Math.max(overflow, beyond);
      if (beyond >= length) return;
      shapes.push({ type: 'line', ...line, stroke });
      takeLine(context, line);
    };
    for (const cell of context.cells) markCorners(cell, offset, mark);
    return overflow > near ? { shapes, problems: [warning('impose.cropCut', 'marks.crop', { overflow })] } : { shapes };
  },
});

/** How far, in points, a line reaches beyond the edges of the sheet. */
const beyondSheet = (line: { x1: number; y1: number; x2: number; y2: number }, sheet: MarkContext['sheet']): number =>
  Math.max(0, -line.x1, -line.y1, line.x2 - sheet.width, line.y2 - sheet.height);

function markCorners(
  { x, y, width, height, clip }: Cell,
  offset: number,
  mark: (x: number, y: number, dx: number, dy: number) => void,
): void {
  const [right, top] = [x + width, y + height];
  const left = Math.min(x - offset, clip.x);
  const down = Math.min(y - offset, clip.y);
  const beyond = Math.max(right + offset, clip.x + clip.width);
  const up = Math.max(top + offset, clip.y + clip.height);
  for (const at of [y, top]) {
    mark(left, at, -1, 0);
    mark(beyond, at, 1, 0);
  }
  for (const at of [x, right]) {
    mark(at, down, 0, -1);
    mark(at, up, 0, 1);
  }
}

const isInside = (x: number, y: number, { block }: MarkContext): boolean =>
  x > block.x && x < block.x + block.width && y > block.y && y < block.y + block.height;

/** The line within the free stretch at its start, `offset` away from the end of that stretch; null when too short. */
function shortened(
  { x, y, dx, dy }: { x: number; y: number; dx: number; dy: number },
  free: { x1: number; y1: number; x2: number; y2: number },
  { length, offset }: { length: number; offset: number },
): { x1: number; y1: number; x2: number; y2: number } | null {
  const far = dx + dy > 0 ? Math.max(free.x2 - x, free.y2 - y) : Math.max(x - free.x1, y - free.y1);
  const isFromStart = dx + dy > 0 ? free.x1 - x + free.y1 - y < near : x - free.x2 + y - free.y2 < near;
  const drawn = Math.min(length, far - offset);
  if (!isFromStart || drawn < shortest) return null;
  return {
    x1: Math.min(x, x + dx * drawn),
    y1: Math.min(y, y + dy * drawn),
    x2: Math.max(x, x + dx * drawn),
    y2: Math.max(y, y + dy * drawn),
  };
}

const near = 0.05;
/** 1 mm: a shorter crop mark is not usable. */
const shortest = 72 / 25.4;
