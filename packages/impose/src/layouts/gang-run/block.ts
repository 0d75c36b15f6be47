import type { Edge } from '../folding.ts';
import { type Block, epsilon, type Slot, turnBy } from '../grid.ts';
import type { Flip } from '../placing.ts';
import type { PlatePlace } from './one-plate.ts';

/**
 * The block of packed pieces, and the places in the order of its slots: row by row from the top, a row being the pieces
 * whose upper edges lie on one line. Lengths are points.
 * @param gap to the next piece, which places include
 * @param bleed the largest bleed of any piece
 * @param flip how a sheet of one plate is turned, so that backs have their heads behind those of the fronts
 */
export function blockOf(
  places: readonly PlatePlace[],
  gap: number,
  bleed: number,
  flip: Flip | null,
): { block: Block; order: PlatePlace[] } {
  const height = Math.max(...places.map((place) => place.y + place.height)) - gap;
  const width = Math.max(...places.map((place) => place.x + place.width)) - gap;
  const order = [...places].sort((a, b) => (Math.abs(a.y - b.y) > epsilon ? a.y - b.y : a.x - b.x));
  let [row, column] = [0, -1];
  const bare = order.map((place, index): Omit<Slot, 'gaps'> => {
    const isNewRow = index > 0 && place.y - (order[index - 1]?.y ?? 0) > epsilon;
    [row, column] = isNewRow ? [row + 1, 0] : [row, column + 1];
    return {
      row,
      column,
      x: place.x,
      y: height - place.y - (place.height - gap),
      width: place.width - gap,
      height: place.height - gap,
      rotation: rotationOf(place, flip),
    };
  });
  const slots = bare.map((slot): Slot => ({ ...slot, gaps: gapsOf(slot, bare, bleed) }));
  return {
    block: { width, height, rows: row + 1, columns: Math.max(...bare.map((slot) => slot.column)) + 1, slots },
    order,
  };
}

function rotationOf({ isTurned, isBack }: PlatePlace, flip: Flip | null): Slot['rotation'] {
  const front = isTurned ? 90 : 0;
  return isBack ? turnBy(flip === 'Tumble' ? 180 : 0, 360 - front) : front;
}

/** The distance to the next piece on each side, of all pieces that its bleed could meet; Infinity where there is none. */
function gapsOf(slot: Omit<Slot, 'gaps'>, all: readonly Omit<Slot, 'gaps'>[], bleed: number): Record<Edge, number> {
  const gaps: Record<Edge, number> = { left: Infinity, right: Infinity, top: Infinity, bottom: Infinity };
  for (const other of all) {
    if (other === slot) continue;
    const away: Record<Edge, number> = {
      left: slot.x - other.x - other.width,
      right: other.x - slot.x - slot.width,
      bottom: slot.y - other.y - other.height,
      top: other.y - slot.y - slot.height,
    };
    const [across, up] = [Math.max(away.left, away.right), Math.max(away.bottom, away.top)];
    for (const edge of ['left', 'right', 'top', 'bottom'] as const) {
      const isLevel = edge === 'left' || edge === 'right';
      // Where pieces lie apart both ways, the wider gap is the one that keeps them apart.
      const isBetween = isLevel ? up < 2 * bleed && across >= up : across < 2 * bleed && up > across;
      if (away[edge] > -epsilon && isBetween) gaps[edge] = Math.min(gaps[edge], Math.max(0, away[edge]));
    }
  }
  return gaps;
}
