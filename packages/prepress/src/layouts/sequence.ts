/** The three ways a stack of cut sheets can be counted: through the pile, along the row, down the column. */
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
  /** How many leaves (single pages, or a page and the page behind it) there are. */
  leaves: number;
  rows: number;
  columns: number;
  order: AxisOrder;
  startCorner: StartCorner;
  /** The rule starts anew after so many sheets; 0: never (PlanetPress: stack depth). */
  stackDepth: number;
  /** Stacks differ by one leaf at most, so that blanks lie at the end of each short stack. */
  balance: boolean;
}

/**
 * Which leaf (from 0) lies in each cell (row by row) of each sheet; a number ≥ `leaves` is a blank at the end of the
 * job, -1 a blank that must stay one. N-up in sequence and cut-and-stack are the same count along different axes
 * (spec/impose §4.1, §4.3).
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

/** The leaf at height `sheet` of stack `stack` when `leaves` are dealt to `stacks` piles as evenly as can be. */
function balanced(sheet: number, stack: number, leaves: number, stacks: number): number {
  const base = Math.floor(leaves / stacks);
  const longer = leaves % stacks;
  const size = base + (stack < longer ? 1 : 0);
  return sheet < size ? stack * base + Math.min(stack, longer) + sheet : -1;
}
