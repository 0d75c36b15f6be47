import type { Cell, Ink, Mark, Plan, PlanProblem, PlanSheet, Rect, Side } from '@pdf2press/contract';
import { type Crease, keepOutOf, type MarkContext, type Outline } from '../marks/mark.ts';
import { drawMarks, type MarksSettings } from '../marks/marks.ts';
import { refuse, warning } from '../sheet/problems.ts';
import type { SheetSettings } from '../sheet/settings.ts';
import { checkPages, type Wanted } from './count-pages.ts';
import type { FoldStep } from './folding.ts';
import { type Block, checkFit, epsilon, type Size, type Slot, usableArea } from './grid.ts';
import type { LayoutInput } from './layout.ts';
import { planLimits } from './page-list.ts';
import type { PageShape } from './pages.ts';
import { alignBlock, backCells, type Flip, frontCells, type Leaf, shrinkBlock } from './placing.ts';

/** A sheet without coordinates: the leaf in each slot of a block. */
export interface SheetDraft {
  sheet: Size;
  block: Block;
  leaves: Leaf[];
  quantity: number;
  workStyle: PlanSheet['workStyle'];
  role: PlanSheet['role'];
  folds: FoldStep[];
  foldCatalog?: string;
  /** Fold lines by the gap they lie in: after column (`x`) or row (`y`) `index`, counted from 0. */
  creases: { axis: 'x' | 'y'; index: number }[];
}

export interface Assembly {
  layout: Plan['layout'];
  bindingEdge: Plan['bindingEdge'];
  drafts: SheetDraft[];
  input: LayoutInput;
  settings: SheetSettings & { marks: MarksSettings };
  shapes: readonly PageShape[];
  /** Size of an unrotated cell, which pages are scaled to, points. */
  cell: Size;
  warnings: PlanProblem[];
  /** How often each page must be printed. */
  wanted: Wanted;
  /** Whether the sheets are folded, cut or punched in one pile, so that pages must lie at the same places on all. */
  isPile?: boolean;
  /** The die outline at a slot of the front, in sheet coordinates. */
  dieAt?: (slot: Slot) => Outline;
}

const twoPlates = new Set<PlanSheet['workStyle']>(['Sheetwise', 'Perfecting']);
const flips: Record<PlanSheet['workStyle'], Flip> = {
  Simplex: 'Turn',
  Sheetwise: 'Turn',
  WorkAndTurn: 'Turn',
  WorkAndTumble: 'Tumble',
  Perfecting: 'Tumble',
};

/**
 * Gives drafts their coordinates, marks and numbers: the last step of every layout.
 * @throws LayoutFault impose.noPages, impose.tooManySheets, impose.tooManyCells, impose.blockTooWide, impose.blockTooHigh,
 * impose.pageMiscounted
 */
export function assemble(assembly: Assembly): Plan {
  const { drafts, settings, input } = assembly;
  const warnings = [...assembly.warnings];
  const isAlone = settings.alignment.allSheetsIndependent && !assembly.isPile;
  if (settings.alignment.allSheetsIndependent && assembly.isPile)
    warnings.push(warning('impose.sheetsAlignedTogether', 'alignment.allSheetsIndependent'));
  if (drafts.length === 0) refuse('impose.noPages', 'pages');
  if (drafts.length > planLimits.sheets)
    refuse('impose.tooManySheets', 'pages', { count: drafts.length, limit: planLimits.sheets });
  const cells = drafts.reduce((sum, draft) => sum + draft.leaves.length * (twoPlates.has(draft.workStyle) ? 2 : 1), 0);
  if (cells > planLimits.cells) refuse('impose.tooManyCells', 'rows', { count: cells, limit: planLimits.cells });
  const ordered = settings.reverseSheets ? [...drafts].reverse() : drafts;
  const sectionCount = Math.max(1, ...drafts.flatMap((draft) => draft.leaves.map((leaf) => leaf.section ?? 1)));
  const marking = createMarking(assembly, ordered.length, sectionCount, warnings);
  const sheets = ordered.map((draft, index): PlanSheet => {
    const kept = isAlone ? shrinkBlock(draft.block, draft.leaves) : draft;
    const context = { settings, sheet: draft.sheet, shapes: assembly.shapes, cell: assembly.cell };
    const usable = usableArea(draft.sheet, { ...settings, workStyle: draft.workStyle });
    const { slots, rect } = centred(alignBlock(kept.block, usable, alignmentOf(draft, settings)), draft, usable);
    const flip = flips[draft.workStyle];
    const front = frontCells(slots, kept.leaves, context);
    const back = twoPlates.has(draft.workStyle) ? backCells(slots, kept.leaves, flip, context) : null;
    const dies = assembly.dieAt ? slots.map(assembly.dieAt) : [];
    const number = index + 1;
    const mark = (side: 'Front' | 'Back', sideCells: Cell[], block: Rect): Side => ({
      cells: sideCells,
      marks: marking({ draft, number, side, cells: sideCells, block, slots, dies, flip }),
    });
    return {
      number,
      width: draft.sheet.width,
      height: draft.sheet.height,
      workStyle: draft.workStyle,
      quantity: draft.quantity,
      role: draft.role,
      block: rect,
      folds: draft.folds.map(({ side }) => side),
      ...(draft.folds.length > 0 ? { foldSteps: draft.folds } : {}),
      ...(draft.foldCatalog ? { foldCatalog: draft.foldCatalog } : {}),
      firstSide: settings.faceDown && back ? 'Back' : 'Front',
      front: mark('Front', front, rect),
      back: back && mark('Back', back, flippedRect(rect, flip, draft.sheet, settings.backOffset)),
    };
  });
  warnings.push(...bleedWarnings(sheets, assembly));
  const plan: Plan = {
    format: 'pdf2press-plan',
    formatVersion: 1,
    layout: assembly.layout,
    bindingEdge: assembly.bindingEdge,
    cellBox: settings.cellBox,
    pageCount: input.pages.length,
    sheets,
    warnings: unique(warnings),
  };
  checkPages(plan, assembly.wanted);
  return plan;
}

const flippedRect = (rect: Rect, flip: Flip, sheet: Size, offset: { x: number; y: number }): Rect =>
  flip === 'Turn'
    ? { ...rect, x: sheet.width - rect.x - rect.width + offset.x, y: rect.y + offset.y }
    : { ...rect, x: rect.x + offset.x, y: sheet.height - rect.y - rect.height + offset.y };

/**
 * Work-and-turn and work-and-tumble print both sides with one plate, so fronts and backs only coincide when the block is
 * centred: horizontally for work-and-turn, vertically for work-and-tumble. This overrides the alignment setting, and the
 * larger of the two margins (gripper included) is needed on both sides.
 */
function centred(
  placed: { slots: Slot[]; rect: Rect },
  draft: SheetDraft,
  usable: Rect,
): { slots: Slot[]; rect: Rect } {
  const { rect } = placed;
  const dx = draft.workStyle === 'WorkAndTurn' ? (draft.sheet.width - rect.width) / 2 - rect.x : 0;
  const dy = draft.workStyle === 'WorkAndTumble' ? (draft.sheet.height - rect.height) / 2 - rect.y : 0;
  const right = draft.sheet.width - usable.x - usable.width;
  const top = draft.sheet.height - usable.y - usable.height;
  if (draft.workStyle === 'WorkAndTurn') {
    const available = draft.sheet.width - 2 * Math.max(usable.x, right);
    checkFit(rect, { width: available, height: Infinity }, { width: 'margins', height: 'margins' });
  }
  if (draft.workStyle === 'WorkAndTumble') {
    const available = draft.sheet.height - 2 * Math.max(usable.y, top);
    checkFit(rect, { width: Infinity, height: available }, { width: 'gripper.size', height: 'gripper.size' });
  }
  if (dx === 0 && dy === 0) return placed;
  return {
    slots: placed.slots.map((slot) => ({ ...slot, x: slot.x + dx, y: slot.y + dy })),
    rect: { ...rect, x: rect.x + dx, y: rect.y + dy },
  };
}

/** One plate for both sides must stay the same on both halves, so none of its rows is moved by itself. */
const alignmentOf = ({ workStyle }: SheetDraft, settings: SheetSettings): Pick<SheetSettings, 'alignment'> =>
  twoPlates.has(workStyle) || workStyle === 'Simplex'
    ? settings
    : { alignment: { ...settings.alignment, rowByRow: false } };

interface SideToMark {
  draft: SheetDraft;
  number: number;
  side: 'Front' | 'Back';
  cells: Cell[];
  block: Rect;
  slots: Slot[];
  dies: Outline[];
  flip: Flip;
}

/** Draws marks. Sheets of equal geometry share one array of static marks, so that the writer stores them once. */
function createMarking(assembly: Assembly, sheetCount: number, sectionCount: number, warnings: PlanProblem[]) {
  const { settings } = assembly;
  const known = new Map<string, { context: MarkContext; marks: Mark[] }>();
  const ink: Ink = settings.marks.color === 'All' ? { all: 1 } : { cmyk: [0, 0, 0, 1] };

  const pageLooks = assembly.shapes.map(numbered((shape: PageShape) => JSON.stringify(shape)));
  const blockNumber = numbered((block: Block) => block);

  const staticMarks = (side: SideToMark) => {
    const { draft, cells } = side;
    const key = [
      side.side,
      ...looks(cells, pageLooks),
      blockNumber(draft.block),
      draft.sheet.width,
      draft.sheet.height,
    ].join();
    const drawn = known.get(key);
    if (drawn) return drawn;
    const context: MarkContext = {
      sheet: draft.sheet,
      side: side.side,
      cells,
      block: side.block,
      usable: usableArea(draft.sheet, { ...settings, workStyle: draft.workStyle }),
      creases: creasesOf(side, settings.backOffset),
      gripperEdge: settings.gripper.edge,
      isTumbled: side.flip === 'Tumble',
      ink,
      keepOut: keepOutOf(
        cells.map((cell) => cell.clip),
        draft.sheet,
      ),
      taken: [],
      variables: {},
      dies: side.dies,
      sectionCount,
      ...(assembly.input.strip ? { strip: assembly.input.strip } : {}),
    };
    const { marks, problems } = drawMarks(context, settings.marks, true);
    warnings.push(...problems);
    const kept = { context, marks };
    known.set(key, kept);
    return kept;
  };

  return (side: SideToMark): Mark[] => {
    const { context, marks } = staticMarks(side);
    const variables = {
      ...assembly.input.variables,
      'sheet.no': String(side.number),
      'sheet.count': String(sheetCount),
      'sheet.qty': String(side.draft.quantity),
      side: side.side,
    };
    const own = drawMarks(
      { ...context, cells: side.cells, taken: [...context.taken], variables },
      settings.marks,
      false,
    );
    warnings.push(...own.problems);
    return own.marks.length === 0 ? marks : [...marks, ...own.marks];
  };
}

/** Returns a function that gives equal numbers to values with equal keys. */
function numbered<T>(look: (thing: T) => unknown): (thing: T) => number {
  const known = new Map<unknown, number>();
  return (thing) => {
    const key = look(thing);
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    return number;
  };
}

/** The shape number of each page of a side, 0 for blanks; shortened to count and number when all are equal. */
function looks(cells: readonly Cell[], pageLooks: readonly number[]): number[] {
  const list = cells.map(({ page }) => (page === 0 ? 0 : (pageLooks[page - 1] ?? 0)));
  return list.every((look) => look === list[0]) ? [cells.length, list[0] ?? 0] : list;
}

/** Fold lines in the coordinates of one side: the middle of the gap that each lies in. */
function creasesOf({ draft, slots, side, flip }: SideToMark, offset: { x: number; y: number }): Crease[] {
  return draft.creases.flatMap(({ axis, index }): Crease[] => {
    const [before, after] =
      axis === 'x'
        ? [slots.find((slot) => slot.column === index), slots.find((slot) => slot.column === index + 1)]
        : [slots.find((slot) => slot.row === index + 1), slots.find((slot) => slot.row === index)];
    if (!before || !after) return [];
    const middle = axis === 'x' ? (before.x + before.width + after.x) / 2 : (before.y + before.height + after.y) / 2;
    if (side === 'Front') return [{ axis, at: middle }];
    if (axis === 'x') return [{ axis, at: (flip === 'Turn' ? draft.sheet.width - middle : middle) + offset.x }];
    return [{ axis, at: (flip === 'Tumble' ? draft.sheet.height - middle : middle) + offset.y }];
  });
}

/** Warns about the first scaled page and the first page whose bleed is cut by a gutter. */
function bleedWarnings(sheets: readonly PlanSheet[], { shapes }: Assembly): PlanProblem[] {
  const found: PlanProblem[] = [];
  for (const cell of sheets.flatMap((sheet) => [...sheet.front.cells, ...(sheet.back?.cells ?? [])])) {
    if (found.length === 2) break;
    const shape = shapes[cell.page - 1];
    if (!shape) continue;
    if (
      Math.abs(cell.scale.x - 1) + Math.abs(cell.scale.y - 1) > 0.0005 &&
      !found.some(({ code }) => code === 'impose.scaled')
    ) {
      found.push(
        warning('impose.scaled', 'pageScaling.mode', {
          page: cell.page,
          percent: Number((cell.scale.x * 100).toFixed(2)),
        }),
      );
    }
    const least = Math.min(shape.bleed.left, shape.bleed.right, shape.bleed.top, shape.bleed.bottom);
    const cut = Math.min(
      cell.x - cell.clip.x,
      cell.y - cell.clip.y,
      cell.clip.x + cell.clip.width - cell.x - cell.width,
      cell.clip.y + cell.clip.height - cell.y - cell.height,
    );
    if (least > 0 && cut < least * Math.min(cell.scale.x, cell.scale.y) - epsilon && cell.section === undefined) {
      if (!found.some(({ code }) => code === 'impose.bleedCut')) {
        found.push(
          warning('impose.bleedCut', 'gutterH', { page: cell.page, bleed: least, available: Math.max(0, cut) }),
        );
      }
    }
  }
  return found;
}

const unique = (problems: PlanProblem[]): PlanProblem[] => [
  ...new Map(problems.map((problem) => [`${problem.code} ${problem.field}`, problem])).values(),
];
