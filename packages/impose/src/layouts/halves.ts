import type { FoldScheme } from './folding.ts';
import type { Block, Slot } from './grid.ts';
import { turnBy } from './grid.ts';
import { edgesOver, type Flip, type Leaf } from './placing.ts';

/*
 * Sheets with two halves: on one plate for both sides, the second half is the first one turned over; copies that come and
 * go lie foot to foot, the second with its last page up.
 */

/**
 * A block with a second half beside (Turn) or below (Tumble) it, `gap` points apart, at the mirrored places. `rotated`
 * gives the rotation of a page there from that in the first half.
 */
export function withOtherHalf(
  block: Block,
  flip: Flip,
  gap: number,
  rotated: (rotation: Slot['rotation']) => Slot['rotation'],
): Block {
  const isTurn = flip === 'Turn';
  const [width, height] = isTurn ? [2 * block.width + gap, block.height] : [block.width, 2 * block.height + gap];
  const lift = isTurn ? 0 : block.height + gap;
  const slots = block.slots.map((slot): Slot => {
    const gaps = { ...slot.gaps };
    if (isTurn && gaps.right === Infinity) gaps.right = gap;
    if (!isTurn && gaps.bottom === Infinity) gaps.bottom = gap;
    return { ...slot, y: slot.y + lift, gaps };
  });
  const others = slots.map((slot): Slot => {
    const { gaps } = slot;
    const rotation = rotated(slot.rotation);
    return isTurn
      ? {
          ...slot,
          column: 2 * block.columns - 1 - slot.column,
          x: width - slot.x - slot.width,
          rotation,
          gaps: { ...gaps, left: gaps.right, right: gaps.left },
        }
      : {
          ...slot,
          row: 2 * block.rows - 1 - slot.row,
          y: height - slot.y - slot.height,
          rotation,
          gaps: { ...gaps, top: gaps.bottom, bottom: gaps.top },
        };
  });
  return {
    width,
    height,
    rows: isTurn ? block.rows : 2 * block.rows,
    columns: isTurn ? 2 * block.columns : block.columns,
    slots: [...slots, ...others],
  };
}

/** How pages are rotated in a half that is turned over. */
export const rotatedOver =
  (flip: Flip, backTurn: 0 | 180) =>
  (rotation: Slot['rotation']): Slot['rotation'] =>
    turnBy(turnBy(flip === 'Turn' ? 0 : 180, backTurn), 360 - rotation);

/** The leaves of both halves: those of the second lie with their backs up. */
export const withTurnedOver = (leaves: readonly Leaf[], flip: Flip): Leaf[] => [
  ...leaves,
  ...leaves.map((leaf) => ({
    ...leaf,
    front: leaf.back,
    back: leaf.front,
    ...edgesOver(leaf, flip),
  })),
];

/** Fold lines of both halves. */
export function creasesOfHalves(
  creases: FoldScheme['creases'],
  half: { rows: number; columns: number },
  flip: Flip,
): FoldScheme['creases'] {
  const [axis, count] = flip === 'Turn' ? (['x', half.columns] as const) : (['y', half.rows] as const);
  return creases.flatMap((crease) =>
    crease.axis === axis ? [crease, { axis, index: 2 * count - 2 - crease.index }] : [crease],
  );
}
