/** One plate for both sides of a sheet: fronts on one half, and on the other their backs, which come to lie behind them. */
import type { PlanWorkStyle } from '@pdf2press/contract';
import { type Size, usableArea } from '../grid.ts';
import type { Flip } from '../placing.ts';
import type { Place } from './pack.ts';

/** A place, and whether the back of its piece is printed there. */
export interface PlatePlace extends Place {
  isBack: boolean;
}

const flips: Partial<Record<PlanWorkStyle, Flip>> = { WorkAndTurn: 'Turn', WorkAndTumble: 'Tumble' };

/** How a sheet of one plate is turned for its second pass; null where each side has a plate. */
export const flipOf = (workStyle: PlanWorkStyle): Flip | null => flips[workStyle] ?? null;

/**
 * The area for pieces with the gap to the next one, points. Of one plate it is half of what lies in the middle of the
 * sheet, because both halves must coincide when the sheet is turned.
 */
export function roomFor(sheet: Size, settings: Parameters<typeof usableArea>[1], flip: Flip | null, gap: number): Size {
  const { x, y, width, height } = usableArea(sheet, settings);
  const middle = (whole: number, low: number, size: number) => whole - 2 * Math.max(low, whole - low - size);
  return {
    width: flip === 'Turn' ? (middle(sheet.width, x, width) + gap) / 2 : width + gap,
    height: flip === 'Tumble' ? (middle(sheet.height, y, height) + gap) / 2 : height + gap,
  };
}

/** Both halves of the plate: the places, and on the other side of its middle their mirror images for the backs. */
export function bothHalves(places: readonly Place[], flip: Flip | null): PlatePlace[] {
  const fronts = places.map((place): PlatePlace => ({ ...place, isBack: false }));
  if (!flip) return fronts;
  const wide = 2 * Math.max(...places.map(({ x, width }) => x + width));
  const high = 2 * Math.max(...places.map(({ y, height }) => y + height));
  const backs = places.map((place): PlatePlace => {
    const { x, y, width, height } = place;
    return { ...place, ...(flip === 'Turn' ? { x: wide - x - width } : { y: high - y - height }), isBack: true };
  });
  return [...fronts, ...backs];
}
