import type { WorkflowStep } from '@pdf2press/contract';
import { type Ported, portsOf } from './step-kinds.ts';

/* Where steps stand on the canvas: pixels at zoom 1, from the upper left corner of the box. */

export interface Place {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}
export type Box = Place & Size;

export const grid = 20;
export const nodeSize: Size = { width: 200, height: 64 };
/** Room between two columns, for the names of ports and the button on a connection; and between two rows. */
export const gap = { x: 100, y: 36 };
/** Ports of one step stand this far apart, so that each has an area of 24 px to itself. */
const portPitch = 28;

/** A step with many ports is as high as they need. */
export const sizeOf = (step: Ported): Size => ({
  width: nodeSize.width,
  height: Math.max(nodeSize.height, (portsOf(step).length + 1) * portPitch),
});

export const boxOf = (step: Pick<WorkflowStep, 'kind' | 'settings' | 'position'>): Box => ({
  ...step.position,
  ...sizeOf(step),
});

export const overlaps = (a: Box, b: Box, room = 0): boolean =>
  a.x < b.x + b.width + room &&
  b.x < a.x + a.width + room &&
  a.y < b.y + b.height + room &&
  b.y < a.y + a.height + room;

/** The nearest place at or below the wanted one where a box of this size touches no other; on the grid. */
export function freePlace(size: Size, wanted: Place, others: readonly Box[]): Place {
  const x = Math.round(wanted.x / grid) * grid;
  let y = Math.round(wanted.y / grid) * grid;
  // Each round passes at least one of the others, so there are at most as many rounds.
  for (;;) {
    const inTheWay = others.find((other) => overlaps({ x, y, ...size }, other, grid));
    if (!inTheWay) return { x, y };
    y = Math.ceil((inTheWay.y + inTheWay.height + grid) / grid) * grid;
  }
}
