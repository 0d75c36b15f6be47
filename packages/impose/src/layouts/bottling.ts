import type { BottleAxis, Cell, PlanProblem, Rect } from '@pdf2press/contract';
import { warning } from '../sheet/problems.ts';
import type { BottlingSettings } from '../sheet/settings.ts';
import type { Edge } from './folding.ts';

/** Unit vectors towards the edges of a cell. */
export const directions: Record<Edge, { x: number; y: number }> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  top: { x: 0, y: 1 },
  bottom: { x: 0, y: -1 },
};

const mm = 72 / 25.4;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Degrees by which the head of a page leans towards its spine; `pair` counts leaf pairs from 0 at the outside. */
export const bottleLean = ({ outermost, innermost }: BottlingSettings, pair: number, pairs: number): number =>
  pairs < 2 ? outermost : outermost + ((innermost - outermost) * pair) / (pairs - 1);

/**
 * The turn of a page about a corner of its trim.
 * @param trim the cell, points
 * @param clip what of the page may be printed before it is turned, points
 * @param lean degrees by which its head leans towards its spine
 */
export function bottleOf(
  trim: Rect,
  { spine, head }: { spine: Edge; head: Edge },
  { axis, lean, clip }: { axis: BottleAxis; lean: number; clip: Rect },
): NonNullable<Cell['bottle']> {
  const [toSpine, toHead] = [directions[spine], directions[head]];
  const across = axis.startsWith('Spine') ? 1 : -1;
  const up = axis.endsWith('Head') ? 1 : -1;
  return {
    axis,
    angle: lean * (toHead.x * toSpine.y - toHead.y * toSpine.x),
    x: trim.x + (trim.width * (1 + across * toSpine.x + up * toHead.x)) / 2,
    y: trim.y + (trim.height * (1 + across * toSpine.y + up * toHead.y)) / 2,
    clip,
  };
}

/** The box around what of a turned page may be printed. */
export function turnedClip({ angle, x, y, clip }: NonNullable<Cell['bottle']>): Rect {
  const [sin, cos] = [Math.sin(radians(angle)), Math.cos(radians(angle))];
  const corners = [clip.x, clip.x + clip.width].flatMap((cx) =>
    [clip.y, clip.y + clip.height].map((cy) => ({
      x: x + (cx - x) * cos - (cy - y) * sin,
      y: y + (cx - x) * sin + (cy - y) * cos,
    })),
  );
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: bottom, width: Math.max(...xs) - left, height: Math.max(...ys) - bottom };
}

/**
 * A page whose farthest corner moves further than the bleed, or than 1 mm where there is none, shows at its edges. `pairs`
 * is the number of leaf pairs of the folded sheet that has most: one alone has no innermost pair.
 */
export function bottlingWarnings(
  settings: BottlingSettings,
  pairs: number,
  cell: { width: number; height: number },
  bleed: number,
): PlanProblem[] {
  const lean = Math.max(...[0, pairs - 1].map((pair) => Math.abs(bottleLean(settings, pair, pairs))));
  const distance = 2 * Math.hypot(cell.width, cell.height) * Math.sin(radians(lean) / 2);
  return distance > Math.max(bleed, mm) ? [warning('impose.bottlingLarge', 'bottling', { distance, angle: lean })] : [];
}
