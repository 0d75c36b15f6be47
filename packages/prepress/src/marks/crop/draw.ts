import type { Cell, Shape } from '@pdf2press/contract';
import { defineMark, type MarkContext, takeLine } from '../mark.ts';
import { cropSettings } from './contract.ts';

/** Two lines at each corner of each trim, outside every bleed (spec/impose §7). Equal lines are drawn once. */
export const crop = defineMark({
  kind: 'Crop',
  key: 'crop',
  settings: cropSettings,
  isStatic: true,
  draw: (context, { offset, length, width, inner }) => {
    const stroke = { ink: context.ink, width };
    const drawn = new Set<string>();
    const shapes: Shape[] = [];
    /** A line that starts at a point beside the page and goes outward. */
    const mark = (x: number, y: number, dx: number, dy: number): void => {
      // Pages that meet in a fold are not cut there: the fold mark alone speaks.
      const isFold = context.creases.some(
        ({ axis, at }) => Math.abs((dx === 0 ? x : y) - at) < near && (axis === 'x') === (dx === 0),
      );
      if (isFold) return;
      // One that would start inside a neighbour belongs to no gap: nothing of it is drawn beyond that page either.
      if (!context.keepOut.isFreePoint(x + dx * 0.1, y + dy * 0.1) || (!inner && isInside(x, y, context))) return;
      const key = `${Math.round(x * 20)},${Math.round(y * 20)},${dx}`;
      if (drawn.has(key)) return;
      drawn.add(key);
      // Looked at one offset further: a line that ended at the neighbour's trim would be seen on its cut edge.
      const reach = length + offset;
      const [part] = context.keepOut.free({ x1: x, y1: y, x2: x + dx * reach, y2: y + dy * reach });
      const line = part && shortened({ x, y, dx, dy }, part, { length, offset });
      if (!line) return;
      shapes.push({ type: 'line', ...line, stroke });
      takeLine(context, line);
    };
    for (const cell of context.cells) markCorners(cell, offset, mark);
    return { shapes };
  },
});

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

/** What remains of a free stretch that begins at the mark's start, `offset` kept to whatever ends it. */
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
/** A millimetre: less is a speck. */
const shortest = 72 / 25.4;
