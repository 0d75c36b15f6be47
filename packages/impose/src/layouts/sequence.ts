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
  /** Cells in each row, from the top. */
  rowLengths: readonly number[];
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
  const { leaves, order, stackDepth, balance } = settings;
  const lines = linesOf(settings);
  const perSheet = lines.reduce((sum, line) => sum + line.length, 0);
  const depth = stackDepth > 0 ? stackDepth : Math.ceil(leaves / perSheet);
  const deepAt = axisOrders[order].indexOf('Deep');
  const sheets: number[][] = [];
  for (let first = 0; first < leaves; first += depth * perSheet) {
    const left = Math.min(leaves - first, depth * perSheet);
    const deep = Math.ceil(left / perSheet);
    for (let sheet = 0; sheet < deep; sheet++) {
      const cells = new Array<number>(perSheet).fill(-1);
      let before = 0;
      for (const line of lines) {
        for (const [position, cell] of line.entries()) {
          const place = before + position;
          const index = [
            balance ? balanced(sheet, place, left, perSheet) : sheet + deep * place,
            before * deep + sheet * line.length + position,
            sheet * perSheet + place,
          ][deepAt] as number;
          if (index >= 0) cells[cell] = first + index;
        }
        before += line.length;
      }
      sheets.push(cells);
    }
  }
  return sheets;
}

/**
 * The cells of a sheet, numbered row by row, in the order in which they are counted: in rows or in columns, whichever
 * axis comes first. A row with fewer cells than others has none in the last columns.
 */
function linesOf({ rowLengths, order, startCorner }: SequenceSettings): number[][] {
  let count = 0;
  const rows = rowLengths.map((length) => {
    const row = Array.from({ length }, (_, column) => count + column);
    count += length;
    return startCorner.endsWith('Right') ? row.reverse() : row;
  });
  if (startCorner.startsWith('Bottom')) rows.reverse();
  const axes: readonly Axis[] = axisOrders[order];
  if (axes.indexOf('Right') < axes.indexOf('Down')) return rows;
  return Array.from({ length: Math.max(...rowLengths) }, (_, column) => rows.flatMap((row) => row[column] ?? []));
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
