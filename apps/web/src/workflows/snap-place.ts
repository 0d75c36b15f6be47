import { type Box, grid, type Place } from './step-places.ts';

/** A helper line across the canvas, at a coordinate of the flow. */
export interface SnapLine {
  axis: 'x' | 'y';
  at: number;
}

/** Nearer than this, a step takes the line of another one. Pixels at zoom 1. */
const reach = 6;

const linesOf = (start: number, length: number) => [start, start + length / 2, start + length];

function nearest(start: number, length: number, others: readonly (readonly [number, number])[]) {
  let best: { shift: number; at: number } | null = null;
  for (const [otherStart, otherLength] of others)
    for (const at of linesOf(otherStart, otherLength))
      for (const own of linesOf(start, length)) {
        const shift = at - own;
        if (Math.abs(shift) <= reach && (!best || Math.abs(shift) < Math.abs(best.shift))) best = { shift, at };
      }
  return best;
}

/**
 * Where a dragged box goes: on the edge or the middle of another box that is near, with the line to draw, else on the
 * grid. Each axis for itself.
 */
export function snapPlace(box: Box, others: readonly Box[]): { place: Place; lines: SnapLine[] } {
  const x = nearest(
    box.x,
    box.width,
    others.map((other) => [other.x, other.width] as const),
  );
  const y = nearest(
    box.y,
    box.height,
    others.map((other) => [other.y, other.height] as const),
  );
  return {
    place: {
      x: x ? box.x + x.shift : Math.round(box.x / grid) * grid,
      y: y ? box.y + y.shift : Math.round(box.y / grid) * grid,
    },
    lines: [...(x ? [{ axis: 'x' as const, at: x.at }] : []), ...(y ? [{ axis: 'y' as const, at: y.at }] : [])],
  };
}
