import type { Rotation } from '@pdf2press/contract';
import type { Outline } from '../../marks/mark.ts';
import { type Block, epsilon, type Size, type Slot, turnBy } from '../grid.ts';
import type { DieShape } from '../layout.ts';
import { pointsOf, turnedDie } from './die.ts';

/*
 * Nesting by outline: pieces of a row are pushed together until their outlines are a gap apart, rows likewise. Whether
 * every second piece is turned head down, and how rows stand to each other, is tried through; most pieces win. Outlines
 * are compared in narrow bands, a piece as seen from the side it is pushed from, so that nothing ever overlaps.
 */

interface Piece {
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: Rotation;
  outline: Outline;
}

export interface NestingRoom extends Size {
  gap: number;
  /** At most so many rows, and pieces in a row. */
  rows: number;
  columns: number;
  rotations: readonly Rotation[];
}

/** The block with the most pieces that fits the room; null when not one does. */
export function nestTrueShape(die: DieShape, room: NestingRoom): Block | null {
  let best: Piece[][] = [];
  for (const rotation of room.rotations) {
    for (const isAlternating of [false, true]) {
      const row = fillRow(die, rotation, isAlternating, room);
      for (const arrange of [sameRow, turnedRow, shiftedRow]) {
        const rows = stackRows(row, arrange(die, row, room), room);
        if (countOf(rows) > countOf(best)) best = rows;
      }
    }
  }
  return best.length === 0 ? null : blockOf(best, room.gap);
}

const countOf = (rows: readonly Piece[][]): number => rows.reduce((sum, row) => sum + row.length, 0);

const pieceOf = (die: DieShape, rotation: Rotation): Piece => {
  const { box, outline } = turnedDie(die, rotation);
  return { ...moveBy({ ...box, rotation, outline }, -box.x, -box.y) };
};

function moveBy(piece: Piece, dx: number, dy: number): Piece {
  const outline = piece.outline.map(([letter, numbers]): Outline[number] => [
    letter,
    numbers.map((value, index) => value + (index % 2 === 0 ? dx : dy)),
  ]);
  return { ...piece, x: piece.x + dx, y: piece.y + dy, outline };
}

function fillRow(die: DieShape, rotation: Rotation, isAlternating: boolean, room: NestingRoom): Piece[] {
  const kinds = [pieceOf(die, rotation), pieceOf(die, turnBy(rotation, isAlternating ? 180 : 0))] as const;
  const row: Piece[] = [];
  if (kinds[0].height > room.height + epsilon) return row;
  const band = bandOf(kinds[0]);
  const [even, odd] = [silhouetteOf([kinds[0]], room.gap, band, 'x'), silhouetteOf([kinds[1]], room.gap, band, 'x')];
  const front = createFront();
  while (row.length < room.columns) {
    const piece = kinds[row.length % 2] ?? kinds[0];
    const own = row.length % 2 === 0 ? even : odd;
    const dx = row.length === 0 ? 0 : front.clearance(own);
    const placed = moveBy(piece, dx, 0);
    if (placed.x + placed.width > room.width + epsilon) break;
    row.push(placed);
    front.add(own, dx);
  }
  return row;
}

type Arrange = (die: DieShape, row: readonly Piece[], room: NestingRoom) => Piece[];

const sameRow: Arrange = (_die, row) => [...row];

/** The row head down: mirrored through its middle, so that shapes that part above meet below. */
const turnedRow: Arrange = (die, row) => {
  const right = Math.max(0, ...row.map(({ x, width }) => x + width));
  return row
    .map((piece) => {
      const turned = pieceOf(die, turnBy(piece.rotation, 180));
      return moveBy(turned, right - piece.x - piece.width, 0);
    })
    .reverse();
};

/** The row moved by half of its pitch, without what then hangs over. */
const shiftedRow: Arrange = (_die, row, room) => {
  const [first, second] = row;
  const half = first && second ? (second.x - first.x) / 2 : 0;
  return row.map((piece) => moveBy(piece, half, 0)).filter(({ x, width }) => x + width <= room.width + epsilon);
};

function stackRows(first: readonly Piece[], second: readonly Piece[], room: NestingRoom): Piece[][] {
  const rows: Piece[][] = [];
  const [piece] = first;
  if (!piece || second.length === 0) return rows;
  const band = bandOf(piece);
  const [even, odd] = [silhouetteOf(first, room.gap, band, 'y'), silhouetteOf(second, room.gap, band, 'y')];
  const front = createFront();
  while (rows.length < room.rows) {
    const row = rows.length % 2 === 0 ? first : second;
    const own = rows.length % 2 === 0 ? even : odd;
    const dy = rows.length === 0 ? 0 : front.clearance(own);
    const placed = row.map((one) => moveBy(one, 0, dy));
    if (placed.some(({ y, height }) => y + height > room.height + epsilon)) break;
    rows.push(placed);
    front.add(own, dy);
  }
  return rows;
}

/** Fine enough to lose less than a hundredth of a piece, coarse enough to be quick. */
const bandOf = ({ width, height }: Piece): number => Math.max(0.5, Math.max(width, height) / 200);

/** Pieces as seen along one axis, band by band across it: where they begin, and how far they and the gap reach. */
interface Silhouette {
  begins: ReadonlyMap<number, number>;
  reaches: ReadonlyMap<number, number>;
}

function silhouetteOf(pieces: readonly Piece[], gap: number, band: number, along: 'x' | 'y'): Silhouette {
  const begins = new Map<number, number>();
  const reaches = new Map<number, number>();
  const near = Math.ceil(gap / band);
  for (const [at, { low, high }] of bandsOf(pieces, band, along)) {
    begins.set(at, low);
    for (let k = -near; k <= near; k++) {
      // Points of two bands are nearer to each other than their numbers by up to one band.
      const apart = Math.max(0, Math.abs(k) - 1) * band;
      const reach = high + Math.sqrt(Math.max(0, gap ** 2 - apart ** 2));
      reaches.set(at + k, Math.max(reaches.get(at + k) ?? -Infinity, reach));
    }
  }
  return { begins, reaches };
}

/** What stands already, along one axis. */
function createFront() {
  const reached = new Map<number, number>();
  return {
    /** Adds pieces that were moved by `offset`. */
    add({ reaches }: Silhouette, offset: number): void {
      for (const [at, reach] of reaches) reached.set(at, Math.max(reached.get(at) ?? -Infinity, reach + offset));
    },
    /** How far pieces have to be moved along the axis to stand clear of all that was added. */
    clearance({ begins }: Silhouette): number {
      let least = 0;
      for (const [at, low] of begins) {
        const reach = reached.get(at);
        if (reach !== undefined) least = Math.max(least, reach - low);
      }
      return least;
    },
  };
}

/** Every band that outlines touch. */
function bandsOf(pieces: readonly Piece[], band: number, along: 'x' | 'y'): Map<number, { low: number; high: number }> {
  const bands = new Map<number, { low: number; high: number }>();
  const see = ({ x, y }: { x: number; y: number }): void => {
    const [across, value] = along === 'x' ? [y, x] : [x, y];
    const key = Math.floor(across / band);
    const known = bands.get(key);
    if (known) [known.low, known.high] = [Math.min(known.low, value), Math.max(known.high, value)];
    else bands.set(key, { low: value, high: value });
  };
  for (const { outline } of pieces) {
    let last: { x: number; y: number } | null = null;
    for (const point of pointsOf(outline)) {
      // A path that begins anew is joined to the one before: more than is there, never less.
      const from = last ?? point;
      const steps = Math.max(1, Math.ceil(Math.hypot(point.x - from.x, point.y - from.y) / (band / 2)));
      for (let step = 1; step <= steps; step++) {
        const t = step / steps;
        see({ x: from.x + (point.x - from.x) * t, y: from.y + (point.y - from.y) * t });
      }
      last = point;
    }
  }
  return bands;
}

/** Rows were stacked upwards; as a block they count from the top. */
function blockOf(rows: readonly Piece[][], gap: number): Block {
  const pieces = rows.flat();
  const gaps = { left: gap, right: gap, top: gap, bottom: gap };
  const slots = [...rows].reverse().flatMap((row, index): Slot[] =>
    row.map(({ x, y, width, height, rotation }, column) => ({
      row: index,
      column,
      x,
      y,
      width,
      height,
      rotation,
      gaps,
    })),
  );
  return {
    width: Math.max(...pieces.map(({ x, width }) => x + width)),
    height: Math.max(...pieces.map(({ y, height }) => y + height)),
    rows: rows.length,
    columns: Math.max(...rows.map((row) => row.length)),
    slots,
  };
}
