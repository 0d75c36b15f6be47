import type { Cell, Ink, Mark, Plan, Rotation, Shape, Side } from '@pdf2press/contract';

const black: Ink = { cmyk: [0, 0, 0, 1] };
const grey: Ink = { cmyk: [0, 0, 0, 0.4] };

/**
 * A folding dummy: the sheets with a frame, the page number and an arrow to the head in place of each page, to check the
 * imposition on folded paper before plates are made.
 */
export function dummyPlan(plan: Plan): Plan {
  const side = (one: Side): Side => ({ cells: [], marks: [...one.marks, numbers(one.cells)] });
  return {
    ...plan,
    sheets: plan.sheets.map((sheet) => ({ ...sheet, front: side(sheet.front), back: sheet.back && side(sheet.back) })),
  };
}

const numbers = (cells: readonly Cell[]): Mark => ({ mark: 'Slug', shapes: cells.flatMap(numbered) });

function numbered(cell: Cell): Shape[] {
  const { x, y, width, height, rotation } = cell;
  const size = Math.min(width, height) / 4;
  const label = cell.page === 0 ? '–' : String(cell.page);
  // Digits of Helvetica are 0.556 em wide and 0.72 em high.
  const [half, up] = [(label.length * size * 0.556) / 2, size * 0.36];
  const [cx, cy] = [x + width / 2, y + height / 2];
  const at = (dx: number, dy: number): [number, number] => turned(dx, dy, rotation, cx, cy);
  const [tx, ty] = at(-half, -up);
  const tip = (rotation % 180 === 0 ? height : width) / 2 - size * 0.3;
  const arrow: Shape = {
    type: 'path',
    segments: [
      ['M', at(0, tip)],
      ['L', at(-size * 0.2, tip - size * 0.4)],
      ['L', at(size * 0.2, tip - size * 0.4)],
      ['Z', []],
    ],
    fill: grey,
  };
  const frame: Shape = {
    type: 'path',
    segments: [
      ['M', [x, y]],
      ['L', [x + width, y]],
      ['L', [x + width, y + height]],
      ['L', [x, y + height]],
      ['Z', []],
    ],
    stroke: { ink: grey, width: 0.5 },
  };
  return [frame, arrow, { type: 'text', x: tx, y: ty, size, rotation, text: label, ink: black }];
}

function turned(dx: number, dy: number, rotation: Rotation, cx: number, cy: number): [number, number] {
  const turns: Record<Rotation, [number, number]> = { 0: [dx, dy], 90: [-dy, dx], 180: [-dx, -dy], 270: [dy, -dx] };
  const [x, y] = turns[rotation];
  return [cx + x, cy + y];
}
