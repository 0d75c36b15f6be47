/** The four sides of a page. */
import type { Rect } from '@pdf2press/pdf';

export const sides = ['left', 'right', 'bottom', 'top'] as const;
export type Side = (typeof sides)[number];
/** A length per side in units of default user space. */
export type Amounts = Record<Side, number>;

/** The strip inside each side of `trim` that is `depth` wide. Default user space, before Rotate. */
export function edgeZones(trim: Rect, depth: Amounts): Record<Side, Rect> {
  return {
    left: [trim[0], trim[1], trim[0] + depth.left, trim[3]],
    right: [trim[2] - depth.right, trim[1], trim[2], trim[3]],
    bottom: [trim[0], trim[1], trim[2], trim[1] + depth.bottom],
    top: [trim[0], trim[3] - depth.top, trim[2], trim[3]],
  };
}
