/** The four edges of the trim and distances to them. */
import type { Rect } from '@pdf2press/pdf';
import { type SideName, type Sides, seenSide, sideNames } from '@pdf2press/pdf';
import type { PageArea } from './page-area.ts';

export interface Edge {
  /** Side in the displayed page, after Rotate. */
  seen: SideName;
  /** Side in default user space, before Rotate. */
  side: SideName;
  /** Index of its coordinate in a Rect, and the sign of the direction outwards. */
  index: 0 | 1 | 2 | 3;
  outward: 1 | -1;
  /** Coordinate of the edge, and its start and end along the edge, in default user space. */
  at: number;
  from: number;
  to: number;
}

const indexOf: Record<SideName, 0 | 1 | 2 | 3> = { left: 0, bottom: 1, right: 2, top: 3 };

/** The edges of the trim of a page. */
export function edgesOf(area: PageArea): Edge[] {
  return sideNames.map((side) => {
    const index = indexOf[side];
    const isUpright = index % 2 === 0;
    return {
      side,
      seen: seenSide(side, area.rotate),
      index,
      outward: index >= 2 ? 1 : -1,
      at: area.trim[index],
      from: area.trim[isUpright ? 1 : 0],
      to: area.trim[isUpright ? 3 : 2],
    };
  });
}

/** Distance by which a box extends beyond the edge, points on paper; negative if it ends inside. */
export const reach = (box: Rect, edge: Edge, scale: number): number =>
  (box[edge.index] - edge.at) * edge.outward * scale;

/** Start and end of a box along an edge, in default user space. */
export const along = (box: Rect, edge: Edge): [number, number] =>
  edge.index % 2 === 0 ? [box[1], box[3]] : [box[0], box[2]];

/** The edge at the binding: `bindingEdge`, and with `mirrorEvenPages` the opposite edge on even pages. */
export function innerSide(
  page: number,
  { bindingEdge, mirrorEvenPages }: { bindingEdge: 'Left' | 'Right'; mirrorEvenPages: boolean },
): SideName {
  const isMirrored = mirrorEvenPages && page % 2 === 0;
  return (bindingEdge === 'Left') !== isMirrored ? 'left' : 'right';
}

/** The value for an edge, by its side in the displayed page. */
export const valueAt = <T>(sides: Readonly<Sides<T>>, edge: Edge): T => sides[edge.seen];
