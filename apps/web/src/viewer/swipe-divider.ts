import type { Rotation } from './page-rotation.ts';

/**
 * Leaves of what lies on a table that part which is on the screen to the right of an upright divider.
 * @param share where it stands on the screen, percent of what is seen of the table from the left
 * @returns a `clip-path` of the table
 */
export const rightOfDivider = (share: number, rotation: Rotation): string =>
  ({
    0: `inset(0 0 0 ${share}%)`,
    90: `inset(0 0 ${share}% 0)`,
    180: `inset(0 ${share}% 0 0)`,
    270: `inset(${share}% 0 0 0)`,
  })[rotation];

/** Where that divider lies on the table: across it where the table lies on its side. */
export const dividerOnTable = (share: number, rotation: Rotation): { left: string } | { top: string } =>
  ({
    0: { left: `${share}%` },
    90: { top: `${100 - share}%` },
    180: { left: `${100 - share}%` },
    270: { top: `${share}%` },
  })[rotation];
