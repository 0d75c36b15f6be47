/** A direction that cells are counted in: through the pile of sheets, along a row, down a column. */
export type Axis = 'Deep' | 'Right' | 'Down';

export const axisOrders = {
  DeepRightDown: ['Deep', 'Right', 'Down'],
  DeepDownRight: ['Deep', 'Down', 'Right'],
  RightDownDeep: ['Right', 'Down', 'Deep'],
  RightDeepDown: ['Right', 'Deep', 'Down'],
  DownRightDeep: ['Down', 'Right', 'Deep'],
  DownDeepRight: ['Down', 'Deep', 'Right'],
} as const satisfies Record<string, readonly [Axis, Axis, Axis]>;
export type AxisOrder = keyof typeof axisOrders;

export type StartCorner = 'TopLeft' | 'TopRight' | 'BottomLeft' | 'BottomRight';

export interface SequenceSettings {
  /** Number of leaves: single pages, or pairs of a page and the page behind it. */
  leaves: number;
  rows: number;
  columns: number;
  order: AxisOrder;
  startCorner: StartCorner;
  /** Number of sheets after which the order starts again; 0: never. */
  stackDepth: number;
  /** Distribute leaves evenly: stacks differ by one leaf at most. Applies to orders that begin with Deep. */
  balance: boolean;
}

/**
 * The leaf, from 0, in each cell (row by row) of each sheet. A number ≥ `leaves` is a place at the end of the job that
 * padding may fill; -1 always stays blank. N-up and cut-and-stack differ in the order of the axes only.
 */
export function sequence(settings: SequenceSettings): number[][] {
  const { leaves, rows, columns, order, startCorner, stackDepth, balance } = settings;
  const perSheet = rows * columns;
  const depth = stackDepth > 0 ? stackDepth : Math.ceil(leaves / perSheet);
  const sheets: number[][] = [];
  for (let first = 0; first < leaves; first += depth * perSheet) {
    const left = Math.min(leaves - first, depth * perSheet);
    const deep = Math.ceil(left / perSheet);
    const sizes: Record<Axis, number> = { Deep: deep, Right: columns, Down: rows };
    const axes = axisOrders[order];
    for (let sheet = 0; sheet < deep; sheet++) {
      const cells: number[] = [];
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const at: Record<Axis, number> = {
            Deep: sheet,
            Right: startCorner.endsWith('Right') ? columns - 1 - column : column,
            Down: startCorner.startsWith('Bottom') ? rows - 1 - row : row,
          };
          const [a, b, c] = axes;
          const index =
            balance && a === 'Deep'
              ? balanced(sheet, at[b] + sizes[b] * at[c], left, perSheet)
              : at[a] + sizes[a] * (at[b] + sizes[b] * at[c]);
          cells.push(index < 0 ? -1 : first + index);
        }
      }
      sheets.push(cells);
    }
  }
  return sheets;
}

/**
 * The leaf on sheet `sheet` of stack `stack` when `leaves` are distributed evenly to `stacks` stacks; -1 for a blank.
 */
function balanced(sheet: number, stack: number, leaves: number, stacks: number): number {
  const base = Math.floor(leaves / stacks);
  const longer = leaves % stacks;
  const size = base + (stack < longer ? 1 : 0);
  return sheet < size ? stack * base + Math.min(stack, longer) + sheet : -1;
}
