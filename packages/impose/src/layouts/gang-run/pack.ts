import { epsilon, type Size } from '../grid.ts';

/*
 * Packs rectangles so that a guillotine can cut them apart: every cut goes through the whole part that it divides. A free
 * part is always divided into a block of equal pieces, what is left beside it and what is left below it, so that no other
 * arrangement can come about.
 */

/** Equal rectangles to place; lengths in points, the gap to the next piece included. */
interface Pieces extends Size {
  count: number;
}

/** Where a rectangle lies, from the upper left corner of the area; width and height as it lies. */
export interface Place extends Size {
  /** Index of its `Pieces`. */
  pieces: number;
  x: number;
  /** Down from the top. */
  y: number;
  isTurned: boolean;
}

type Part = Pick<Place, 'x' | 'y' | 'width' | 'height'>;

/** Equal pieces in rows and columns. */
interface BlockOf extends Size {
  rows: number;
  columns: number;
  isTurned: boolean;
}

/** In what order pieces are placed: the larger value first. */
const orders: readonly ((size: Size) => number)[] = [
  ({ width, height }) => width * height,
  ({ width, height }) => Math.max(width, height),
  ({ height }) => height,
  ({ width }) => width,
];

/** Whether the first cut beside a block goes level through the whole part; `across` and `down` are left of the part. */
const cuts: readonly ((across: number, down: number) => boolean)[] = [
  () => true,
  () => false,
  (across, down) => across < down,
  (across, down) => across >= down,
];

/** How many rows and columns of `count` pieces fill a room for `across` × `down`, row by row or column by column. */
const fillings: readonly ((count: number, across: number, down: number) => { rows: number; columns: number })[] = [
  (count, across, down) => {
    const columns = Math.min(count, across);
    return { columns, rows: columns > 0 ? Math.min(down, Math.floor(count / columns)) : 0 };
  },
  (count, across, down) => {
    const rows = Math.min(count, down);
    return { rows, columns: rows > 0 ? Math.min(across, Math.floor(count / rows)) : 0 };
  },
];

interface Way {
  order: (typeof orders)[number];
  cut: (typeof cuts)[number];
  filling: (typeof fillings)[number];
}
const ways: readonly Way[] = orders.flatMap((order) =>
  cuts.flatMap((cut) => fillings.map((filling) => ({ order, cut, filling }))),
);

/** Places all pieces on an area, points; null when no way was found. */
export function pack(area: Size, all: readonly Pieces[], mayTurn: boolean): Place[] | null {
  const needed = all.reduce((sum, { width, height, count }) => sum + width * height * count, 0);
  if (needed > (area.width + epsilon) * (area.height + epsilon)) return null;
  for (const way of ways) {
    const places = packIn(way, area, all, mayTurn);
    if (places) return places;
  }
  return null;
}

function packIn({ order, cut, filling }: Way, area: Size, all: readonly Pieces[], mayTurn: boolean): Place[] | null {
  const places: Place[] = [];
  let free: Part[] = [{ x: 0, y: 0, width: area.width, height: area.height }];
  const sorted = all.map((pieces, index) => ({ pieces, index })).sort((a, b) => order(b.pieces) - order(a.pieces));
  for (const { pieces, index } of sorted) {
    for (let left = pieces.count; left > 0; ) {
      const best = bestBlock(free, { ...pieces, count: left }, mayTurn, filling);
      if (!best) return null;
      const { part, block } = best;
      places.push(...placesOf(part, block, index));
      left -= block.rows * block.columns;
      free = free.flatMap((one) => (one === part ? divided(part, block, cut) : [one]));
    }
  }
  return places;
}

/** The block that leaves the narrowest rest in its part; of equal ones the larger. */
function bestBlock(
  free: readonly Part[],
  pieces: Pieces,
  mayTurn: boolean,
  filling: Way['filling'],
): { part: Part; block: BlockOf } | null {
  let best: { part: Part; block: BlockOf; rest: number } | null = null;
  for (const part of free) {
    for (const isTurned of mayTurn && pieces.width !== pieces.height ? [false, true] : [false]) {
      const [width, height] = isTurned ? [pieces.height, pieces.width] : [pieces.width, pieces.height];
      const [across, down] = [fittingIn(part.width, width), fittingIn(part.height, height)];
      const { rows, columns } = filling(pieces.count, across, down);
      if (rows < 1 || columns < 1) continue;
      const block = { rows, columns, isTurned, width, height };
      const rest = Math.min(part.width - columns * width, part.height - rows * height);
      const isBetter =
        !best ||
        rest < best.rest - epsilon ||
        (rest < best.rest + epsilon && rows * columns > best.block.rows * best.block.columns);
      if (isBetter) best = { part, block, rest };
    }
  }
  return best;
}

const fittingIn = (room: number, length: number): number => Math.floor((room + epsilon) / length);

const placesOf = ({ x, y }: Part, { rows, columns, width, height, isTurned }: BlockOf, pieces: number): Place[] =>
  Array.from({ length: rows * columns }, (_, index) => ({
    ...{ pieces, isTurned, width, height },
    x: x + (index % columns) * width,
    y: y + Math.floor(index / columns) * height,
  }));

/** What a block leaves of its part: beside it and below it. */
function divided(part: Part, { rows, columns, width, height }: BlockOf, cut: Way['cut']): Part[] {
  const [wide, high] = [columns * width, rows * height];
  const [across, down] = [part.width - wide, part.height - high];
  const isLevel = cut(across, down);
  const beside = { x: part.x + wide, y: part.y, width: across, height: isLevel ? high : part.height };
  const below = { x: part.x, y: part.y + high, width: isLevel ? part.width : wide, height: down };
  return [beside, below].filter((rest) => rest.width > epsilon && rest.height > epsilon);
}
