/** Where something that is added to a page stands on it. */
import type { Matrix, PageFacts } from '@pdf2press/pdf';
import type { Placement } from '../kind/placement.ts';
import { heightOf, widthOf } from './boxes.ts';
import { seenBox } from './seen-page.ts';

/** Units of default user space: the size of what is placed, before it is turned. */
export interface PlacedSize {
  width: number;
  height: number;
}

/** What is placed has this much room along its width and its height. */
export function roomOnPage(placement: Placement, page: PageFacts): PlacedSize {
  const trim = seenBox(page.rotate, page.effective.trim);
  const { across, up } = edgesOf(placement, page.number);
  const [distanceX, distanceY] = distancesOf(placement, page);
  const level = widthOf(trim) - (across === 'centre' ? 0 : distanceX);
  const upright = heightOf(trim) - (up === 'centre' ? 0 : distanceY);
  return placement.direction === 'Across' ? { width: level, height: upright } : { width: upright, height: level };
}

/** Matrix from the lower left corner of what is placed to the displayed page; lengths stay as they are. */
export function placeOnPage(placement: Placement, page: PageFacts, { width, height }: PlacedSize): Matrix {
  const trim = seenBox(page.rotate, page.effective.trim);
  const { across, up } = edgesOf(placement, page.number);
  const [distanceX, distanceY] = distancesOf(placement, page);
  const [boxWidth, boxHeight] = placement.direction === 'Across' ? [width, height] : [height, width];
  const x = along(trim[0], trim[2], boxWidth, distanceX, across);
  const y = along(trim[1], trim[3], boxHeight, distanceY, up);
  const matrices: Record<Placement['direction'], Matrix> = {
    Across: [1, 0, 0, 1, x, y],
    Up: [0, 1, -1, 0, x + height, y],
    Down: [0, -1, 1, 0, x, y + width],
  };
  return matrices[placement.direction];
}

const distancesOf = ({ distanceX, distanceY }: Placement, { userUnit }: PageFacts): [number, number] => [
  distanceX / userUnit,
  distanceY / userUnit,
];

type Edge = 'start' | 'centre' | 'end';

/** The edges that it stands at, from left to right and from bottom to top. */
function edgesOf({ position, facingPages }: Placement, pageNumber: number): { across: Edge; up: Edge } {
  const isTurned = facingPages && pageNumber % 2 === 0;
  const [near, far]: Edge[] = isTurned ? ['end', 'start'] : ['start', 'end'];
  return {
    across: (position.endsWith('Left') ? near : position.endsWith('Right') ? far : undefined) ?? 'centre',
    up: position.startsWith('Top') ? 'end' : position.startsWith('Bottom') ? 'start' : 'centre',
  };
}

/** Where a length begins that stands at an edge of a range, or in its middle. */
const along = (start: number, end: number, length: number, distance: number, edge: Edge): number =>
  ({ start: start + distance, centre: (start + end - length) / 2, end: end - distance - length })[edge];
