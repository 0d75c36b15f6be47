/** The nine points at which something smaller is placed in something larger, and the shares of the free space to its left and below it. */
export const anchorShares = {
  TopLeft: [0, 1],
  Top: [0.5, 1],
  TopRight: [1, 1],
  Left: [0, 0.5],
  Centre: [0.5, 0.5],
  Right: [1, 0.5],
  BottomLeft: [0, 0],
  Bottom: [0.5, 0],
  BottomRight: [1, 0],
} as const satisfies Record<string, readonly [left: number, below: number]>;

type Anchor = keyof typeof anchorShares;
/** Their names, in reading order. */
export const anchors = Object.keys(anchorShares) as [Anchor, ...Anchor[]];
