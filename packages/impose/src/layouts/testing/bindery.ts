/*
 * A simulated bindery for tests: turns, cuts, folds and reads printed sheets by the coordinates of a plan alone. It
 * shares no code with the layouts, so that both are unlikely to have the same error.
 */
import type { Cell, Plan, PlanSheet, Rect } from '@pdf2press/contract';

interface Vector {
  x: number;
  y: number;
}

/** A piece of paper with a page on each side; positions and directions seen from the front of the sheet. */
export interface Leaf extends Rect {
  front: number;
  back: number;
  frontUp: Vector;
  backUp: Vector;
}

const tolerance = 0.01;

/** The direction of a page's head on its side, by counter-clockwise rotation. */
const headOf = ({ rotation }: Cell): Vector =>
  ({ 0: { x: 0, y: 1 }, 90: { x: -1, y: 0 }, 180: { x: 0, y: -1 }, 270: { x: 1, y: 0 } })[rotation];

const isTumbled = (sheet: PlanSheet) => sheet.workStyle === 'Perfecting' || sheet.workStyle === 'WorkAndTumble';

/** Converts a rectangle of the back to front coordinates. */
const through = (sheet: PlanSheet, rect: Rect): Rect =>
  isTumbled(sheet)
    ? { ...rect, y: sheet.height - rect.y - rect.height }
    : { ...rect, x: sheet.width - rect.x - rect.width };
const throughDirection = (sheet: PlanSheet, { x, y }: Vector): Vector =>
  isTumbled(sheet) ? { x, y: -y } : { x: -x, y };

const coincide = (a: Rect, b: Rect) =>
  Math.abs(a.x - b.x) < tolerance &&
  Math.abs(a.y - b.y) < tolerance &&
  Math.abs(a.width - b.width) < tolerance &&
  Math.abs(a.height - b.height) < tolerance;

/** Finds the cell behind each front cell. Work-and-turn and work-and-tumble print one plate on both sides. */
export function printed(sheet: PlanSheet): Leaf[] {
  const isOwnBack = sheet.workStyle === 'WorkAndTurn' || sheet.workStyle === 'WorkAndTumble';
  const behind = (isOwnBack ? sheet.front : sheet.back)?.cells.map((cell) => ({
    page: cell.page,
    rect: through(sheet, cell),
    up: throughDirection(sheet, headOf(cell)),
  }));
  return sheet.front.cells.map((cell) => {
    const back = behind?.filter(({ rect }) => coincide(rect, cell)) ?? [];
    if (behind && back.length !== 1)
      throw new Error(`${back.length} cells lie behind row ${cell.row}, column ${cell.column}`);
    const { x, y, width, height } = cell;
    return {
      x,
      y,
      width,
      height,
      front: cell.page,
      back: back[0]?.page ?? 0,
      frontUp: headOf(cell),
      backUp: back[0]?.up ?? { x: 0, y: 1 },
    };
  });
}

/** A leaf in a folded pile; `isFaceUp` while its front is up. */
interface Folded extends Leaf {
  isFaceUp: boolean;
}

const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;

/** Folds one half behind the other along the middle; throws when the halves do not coincide. */
function foldOnce(pile: Folded[], fold: PlanSheet['folds'][number]): Folded[] {
  const isAcross = fold === 'L' || fold === 'R';
  const centre = (leaf: Folded) => (isAcross ? leaf.x + leaf.width / 2 : leaf.y + leaf.height / 2);
  const crease = middle(pile.map(centre));
  const goes = (leaf: Folded) => (fold === 'L' || fold === 'B' ? centre(leaf) < crease : centre(leaf) > crease);
  const turn = ({ x, y }: Vector): Vector => (isAcross ? { x: -x, y } : { x, y: -y });
  const moved = pile
    .filter(goes)
    .reverse()
    .map((leaf) => ({
      ...leaf,
      x: isAcross ? 2 * crease - leaf.x - leaf.width : leaf.x,
      y: isAcross ? leaf.y : 2 * crease - leaf.y - leaf.height,
      frontUp: turn(leaf.frontUp),
      backUp: turn(leaf.backUp),
      isFaceUp: !leaf.isFaceUp,
    }));
  const kept = pile.filter((leaf) => !goes(leaf));
  for (const leaf of moved) {
    if (!kept.some((other) => coincide(leaf, other))) throw new Error(`the fold ${fold} does not meet`);
  }
  return [...kept, ...moved];
}

/** Folds a sheet to one pile; returns its leaves from the top, the upper page of each as `front`. */
export function folded(sheet: PlanSheet): Leaf[] {
  let pile: Folded[] = printed(sheet).map((leaf) => ({ ...leaf, isFaceUp: true }));
  for (const fold of sheet.folds) pile = foldOnce(pile, fold);
  const [first] = pile;
  if (first && !pile.every((leaf) => coincide(leaf, first))) throw new Error('the folded sheet is more than one page');
  return pile.map((leaf) =>
    leaf.isFaceUp ? leaf : { ...leaf, front: leaf.back, back: leaf.front, frontUp: leaf.backUp, backUp: leaf.frontUp },
  );
}

/** Nests folded sheets, the first outermost. */
export const nested = (sheets: Leaf[][]): Leaf[] => [
  ...sheets.flatMap((leaves) => leaves.slice(0, leaves.length / 2)),
  ...[...sheets].reverse().flatMap((leaves) => leaves.slice(leaves.length / 2)),
];

/** The pages of a book in reading order; throws when one is upside down for its binding edge. */
export function read(leaves: Leaf[], bindingEdge: Plan['bindingEdge']): number[] {
  return leaves.flatMap((leaf) => {
    const backUp = bindingEdge === 'Top' ? { x: leaf.backUp.x, y: -leaf.backUp.y } : leaf.backUp;
    for (const [page, up] of [
      [leaf.front, leaf.frontUp],
      [leaf.back, backUp],
    ] as const) {
      if (page > 0 && (Math.abs(up.x) > tolerance || up.y < 1 - tolerance))
        throw new Error(`page ${page} is not upright`);
    }
    return [leaf.front, leaf.back];
  });
}

/** Every page that lies on the sheets of a plan, as often as it does, in ascending order. */
export const cellsUsed = (plan: Plan): number[] =>
  plan.sheets
    .flatMap(({ front, back }) => [...front.cells, ...(back?.cells ?? [])])
    .flatMap(({ page }) => (page > 0 ? [page] : []))
    .sort((a, b) => a - b);
