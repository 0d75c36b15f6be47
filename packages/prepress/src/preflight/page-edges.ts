/** The four edges of a page's trim as one sees the page, and distances to them. */
import type { Rect } from '@pdf2press/pdf';
import { type SideName, type Sides, seenSide, sideNames } from './geometry.ts';
import type { PageArea } from './page-area.ts';

export interface Edge {
  /** As one sees the page. */
  seen: SideName;
  /** In default user space. */
  side: SideName;
  /** Index of its coordinate in a Rect, and the direction that leads outwards. */
  index: 0 | 1 | 2 | 3;
  outward: 1 | -1;
  /** The edge's coordinate and its extent along itself, default user space. */
  at: number;
  from: number;
  to: number;
}

const indexOf: Record<SideName, 0 | 1 | 2 | 3> = { left: 0, bottom: 1, right: 2, top: 3 };

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

/** How far a box reaches beyond the edge, points on paper; negative where it ends inside. */
export const reach = (box: Rect, edge: Edge, scale: number): number =>
  (box[edge.index] - edge.at) * edge.outward * scale;

/** Extent of a box along an edge, default user space. */
export const along = (box: Rect, edge: Edge): [number, number] =>
  edge.index % 2 === 0 ? [box[1], box[3]] : [box[0], box[2]];

/** The edge that goes into the binding: the left one of right-hand (odd) pages bound on the left, mirrored on even ones. */
export function innerSide(
  page: number,
  { bindingEdge, mirrorEvenPages }: { bindingEdge: 'Left' | 'Right'; mirrorEvenPages: boolean },
): SideName {
  const isMirrored = mirrorEvenPages && page % 2 === 0;
  return (bindingEdge === 'Left') !== isMirrored ? 'left' : 'right';
}

export const valueAt = <T>(sides: Readonly<Sides<T>>, edge: Edge): T => sides[edge.seen];
