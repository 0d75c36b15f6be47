import type { Rotation } from '@pdf2press/contract';
import { refuse } from '../../sheet/problems.ts';
import type { Block, Slot } from '../grid.ts';
import type { DieShape, DieSheet } from '../layout.ts';
import { dieDistance, turnedDie } from './die.ts';

const rotations: readonly Rotation[] = [0, 180, 90, 270];

/**
 * The stations of a die sheet as a block of the size of the sheet: rows from the top, each from the left. The rotation of
 * a station is the one at which `piece` matches its outline within `tolerance` points.
 * @throws LayoutFault impose.dieStationOdd for an outline that matches at no rotation
 */
export function stationsOf(sheet: DieSheet, piece: DieShape, tolerance: number): Block {
  const rows: DieShape[][] = [];
  const middle = ({ box }: DieShape) => box.y + box.height / 2;
  for (const die of [...sheet.dies].sort((a, b) => middle(b) - middle(a))) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && Math.abs(middle(first) - middle(die)) < first.box.height / 2) row.push(die);
    else rows.push([die]);
  }
  let station = 0;
  const slots = rows.flatMap((row, index): Slot[] =>
    row
      .sort((a, b) => a.box.x - b.box.x)
      .map((die, column) => {
        station += 1;
        const rotation =
          turnOf(die, piece, tolerance) ?? refuse('impose.dieStationOdd', 'die.snapTolerance', { station });
        const free = { left: Infinity, right: Infinity, top: Infinity, bottom: Infinity };
        return { row: index, column, ...die.box, rotation, gaps: free };
      }),
  );
  return {
    width: sheet.width,
    height: sheet.height,
    rows: rows.length,
    columns: Math.max(0, ...rows.map((row) => row.length)),
    slots: withGaps(slots),
  };
}

const turnOf = (die: DieShape, piece: DieShape, tolerance: number): Rotation | undefined =>
  rotations.find((rotation) => dieDistance(turnedDie(piece, rotation), die) <= tolerance);

/** Sets the distance to the nearest station on each side; bleed reaches half of it. */
const withGaps = (slots: readonly Slot[]): Slot[] =>
  slots.map((slot) => {
    const gaps = { left: Infinity, right: Infinity, top: Infinity, bottom: Infinity };
    for (const other of slots) {
      if (other === slot) continue;
      const beside = other.y < slot.y + slot.height && other.y + other.height > slot.y;
      const above = other.x < slot.x + slot.width && other.x + other.width > slot.x;
      const [right, left] = [other.x - slot.x - slot.width, slot.x - other.x - other.width];
      const [top, bottom] = [other.y - slot.y - slot.height, slot.y - other.y - other.height];
      if (beside && right >= 0) gaps.right = Math.min(gaps.right, right);
      if (beside && left >= 0) gaps.left = Math.min(gaps.left, left);
      if (above && top >= 0) gaps.top = Math.min(gaps.top, top);
      if (above && bottom >= 0) gaps.bottom = Math.min(gaps.bottom, bottom);
    }
    return { ...slot, gaps };
  });
