import { type Box, grid, type Place } from './step-places.ts';

/** A helper line across the canvas, at a coordinate of the flow. */
export interface SnapLine {
  axis: 'x' | 'y';
  at: number;
}

/** Nearer than this, a step takes the line of another one. Pixels at zoom 1. */
const reach = 6;

const linesOf = (start: number, length: number) => [start, start + length / 2, start + length];

type Side = readonly ['x', 'width'] | readonly ['y', 'height'];

/** Runs with every movement of the pointer over all steps, so the lines of the dragged box are made once. */
function nearest(box: Box, others: readonly Box[], [start, length]: Side) {
  const own = linesOf(box[start], box[length]);
  let best: { shift: number; at: number } | null = null;
  for (const other of others) {
    const far = other[start] > box[start] + box[length] + reach || other[start] + other[length] < box[start] - reach;
    if (far) continue;
    for (const at of linesOf(other[start], other[length]))
      for (const line of own) {
        const shift = at - line;
        if (Math.abs(shift) <= reach && (!best || Math.abs(shift) < Math.abs(best.shift))) best = { shift, at };
      }
  }
  return best;
}

/**
 * Where a dragged box goes: on the edge or the middle of another box that is near, with the line to draw, else on the
 * grid. Each axis for itself.
 */
export function snapPlace(box: Box, others: readonly Box[]): { place: Place; lines: SnapLine[] } {
  const x = nearest(box, others, ['x', 'width']);
  const y = nearest(box, others, ['y', 'height']);
  return {
    place: {
      x: x ? box.x + x.shift : Math.round(box.x / grid) * grid,
      y: y ? box.y + y.shift : Math.round(box.y / grid) * grid,
    },
    lines: [...(x ? [{ axis: 'x' as const, at: x.at }] : []), ...(y ? [{ axis: 'y' as const, at: y.at }] : [])],
  };
}
