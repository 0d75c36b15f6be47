import type { Rotation } from '@pdf2press/contract';
import type { Outline } from '../../marks/mark.ts';
import { type Block, epsilon, type Size, type Slot, turnBy } from '../grid.ts';
import type { DieShape } from '../layout.ts';
import { pointsOf, turnedDie } from './die.ts';

/*
 * Nesting by outline: the pieces of a row are moved together until their outlines are one gap apart, then the rows.
 * Every second piece turned by 180° or not, and three arrangements of every second row, are tried; the one with the most
 * pieces wins. Outlines are compared in narrow bands by their extreme points, which never lets pieces overlap.
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
  /** Largest number of rows, and of pieces in a row. */
  rows: number;
  columns: number;
  rotations: readonly Rotation[];
}

/** The block with the most pieces that fits the room; null when no piece fits. Lengths are points. */
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

/** The row turned by 180° about its centre. */
const turnedRow: Arrange = (die, row) => {
  const right = Math.max(0, ...row.map(({ x, width }) => x + width));
  return row
    .map((piece) => {
      const turned = pieceOf(die, turnBy(piece.rotation, 180));
      return moveBy(turned, right - piece.x - piece.width, 0);
    })
    .reverse();
};

/** The row moved by half of its pitch, without pieces that no longer fit. */
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

/**
 * Band width in points: 1/200 of a piece, so that the loss stays below 1 % of a piece, and at least 0.5 pt for speed.
 */
const bandOf = ({ width, height }: Piece): number => Math.max(0.5, Math.max(width, height) / 200);

/** Per band across one axis: where pieces begin along the axis, and where they end including the gap. */
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
      // Two points may be up to one band nearer to each other than the difference of their band numbers.
      const apart = Math.max(0, Math.abs(k) - 1) * band;
      const reach = high + Math.sqrt(Math.max(0, gap ** 2 - apart ** 2));
      reaches.set(at + k, Math.max(reaches.get(at + k) ?? -Infinity, reach));
    }
  }
  return { begins, reaches };
}

/** The end of all placed pieces along one axis, band by band. */
function createFront() {
  const reached = new Map<number, number>();
  return {
    /** Adds pieces moved by `offset`. */
    add({ reaches }: Silhouette, offset: number): void {
      for (const [at, reach] of reaches) reached.set(at, Math.max(reached.get(at) ?? -Infinity, reach + offset));
    },
    /** The distance that pieces must move along the axis to be clear of all added ones. */
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

/** Lowest and highest point in every band that outlines touch. */
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
      // Subpaths are joined by a line; this can only enlarge the piece.
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

/** Rows were stacked upwards; a block counts them from the top. */
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
