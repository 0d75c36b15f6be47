import type { Plan, PlanProblem } from '@pdf2press/contract';
import { refuse } from '../sheet/problems.ts';
import { assemble, type SheetDraft } from './assemble.ts';
import { bottleLean, bottlingWarnings } from './bottling.ts';
import type { BoundSettings } from './bound-settings.ts';
import { eachPlaced, type Wanted } from './count-pages.ts';
import { creepShift, leafPair } from './creep.ts';
import {
  type Edge,
  type FoldCell,
  type Folding,
  type FoldScheme,
  foldCatalogue,
  foldScheme,
  nestedPage,
} from './folding.ts';
import {
  type Block,
  checkFit,
  closeSheet,
  gridBlock,
  type RowSpec,
  type Size,
  type Slot,
  sheetSizes,
  turnBy,
  usableArea,
} from './grid.ts';
import { sheetQuantity } from './grid-plan.ts';
import { creasesOfHalves, rotatedOver, withOtherHalf, withTurnedOver } from './halves.ts';
import type { LayoutInput } from './layout.ts';
import { listPages } from './page-list.ts';
import { cellSize, pageShape } from './pages.ts';
import { edgesOver, type Flip, type Leaf } from './placing.ts';

/** One folded sheet of a book: its fold scheme and which book page each of its pages is. */
export interface FoldedSheet {
  scheme: FoldScheme;
  role: SheetDraft['role'];
  /** Counted from 1. */
  section: number;
  /** The position in the page list, from 0, of page `local` of this sheet, from 1. */
  position: (local: number) => number;
  /** For page `local`: its nested leaf pair, from 0 at the outside, and the number of nested pairs. */
  nesting: (local: number) => { pair: number; pairs: number };
}

export interface BoundParts {
  input: LayoutInput;
  settings: BoundSettings;
  layout: Plan['layout'];
  /** Distance from the trim to the spine on each side of it, points. */
  spineGutter: number;
  /** Extra paper at the face of one half, where the stitcher's gripper opens the section; `size` in points. */
  lip?: { half: 'LowFolio' | 'HighFolio'; size: number };
  /** Spreads printed below each other on one sheet, cut apart before folding. */
  spreads?: { count: number; isTurned: boolean };
  /** Pads the page list and distributes it to folded sheets. */
  arrange: (pages: readonly number[]) => { pages: number[]; sheets: FoldedSheet[] };
}

/**
 * The fold scheme for a number of pages per sheet.
 * @throws LayoutFault impose.signatureNotMultipleOf4, impose.signatureUnsupported, impose.foldingUnsupported
 */
export function schemeFor(signatureSize: number, { bindingEdge, folding }: BoundSettings): FoldScheme {
  if (signatureSize % 4 !== 0) refuse('impose.signatureNotMultipleOf4', 'signatureSize', { value: signatureSize });
  const known = foldCatalogue[signatureSize];
  if (!known) {
    refuse('impose.signatureUnsupported', 'signatureSize', {
      value: signatureSize,
      sizes: Object.keys(foldCatalogue).join(', '),
    });
  }
  return (
    foldScheme(signatureSize, bindingEdge, folding) ??
    refuse('impose.foldingUnsupported', 'folding', { value: signatureSize, sizes: sizesFoldedBy(folding).join(', ') })
  );
}

/** The numbers of pages per sheet that can be folded in a way. */
const sizesFoldedBy = (folding: Folding): string[] =>
  Object.entries(foldCatalogue).flatMap(([size, ways]) => (ways[folding] ? [size] : []));

/** Plans saddle stitching and perfect binding, which differ in how `arrange` distributes pages. */
export function planBound(parts: BoundParts): Plan {
  const { input, settings, layout } = parts;
  const list = listPages(settings.pages, input.pages.length);
  const shapes = input.pages.map((page) => pageShape(page, settings));
  const { size, problems } = cellSize(list, shapes, settings, null);
  const { pages, sheets } = parts.arrange(list);
  // All sheets of a scheme share one block object, so that marks that depend on the block are drawn once.
  const blocks = new Map<FoldScheme, Block>();
  const drafting: Drafting = {
    ...parts,
    pages,
    size,
    blockOf(scheme) {
      const block = blocks.get(scheme) ?? sheetBlock(scheme, drafting);
      blocks.set(scheme, block);
      return block;
    },
  };
  const drafts = groupSpreads(sheets, parts).map((group) => draftSheet(group, sheets, drafting));
  return assemble({
    layout,
    bindingEdge: settings.bindingEdge,
    drafts,
    input,
    settings,
    shapes,
    cell: size,
    warnings: [
      ...problems,
      ...creepWarnings(sheets, settings),
      ...bottlingWarnings(settings.bottling, mostPairs(sheets), size, settings.bleed.amount),
    ],
    wanted: wantedOf(list, settings),
    isPile: true,
  });
}

const mm = 72 / 25.4;

const mostPairs = (sheets: readonly FoldedSheet[]): number =>
  Math.max(1, ...sheets.map(({ scheme }) => scheme.cells.length / 2));

/** Content that moves further than the bleed, or than 1 mm where there is none, shows at the face. */
const creepWarnings = (sheets: readonly FoldedSheet[], { creep, bleed }: BoundSettings): PlanProblem[] => {
  const most = Math.max(
    0,
    ...sheets.map(({ nesting }) => Math.abs(creepShift(creep, nesting(1).pairs - 1, nesting(1).pairs))),
  );
  return most > Math.max(bleed.amount, mm)
    ? [{ code: 'impose.creepLarge', severity: 'Warn', field: 'creep', params: { distance: most } }]
    : [];
};

const groupSpreads = (sheets: readonly FoldedSheet[], { spreads }: BoundParts): FoldedSheet[][] => {
  const count = spreads?.count ?? 1;
  const groups: FoldedSheet[][] = [];
  for (let i = 0; i < sheets.length; i += count) groups.push(sheets.slice(i, i + count));
  return groups;
};

interface Drafting extends BoundParts {
  pages: readonly number[];
  size: Size;
  blockOf: (scheme: FoldScheme) => Block;
}

/** How a sheet's second half is the first one turned over; null for sheets without halves. */
function halvesOf({ workStyle, comeAndGo, bindingEdge }: BoundSettings): Flip | null {
  if (workStyle === 'WorkAndTurn') return 'Turn';
  if (workStyle === 'WorkAndTumble') return 'Tumble';
  // Copies lie beside each other along their spine.
  if (comeAndGo) return bindingEdge === 'Top' ? 'Turn' : 'Tumble';
  return null;
}

const isComeAndGo = ({ workStyle, comeAndGo }: BoundSettings): boolean =>
  comeAndGo && (workStyle === 'Sheetwise' || workStyle === 'Perfecting');

/**
 * The sheets of the second copy that comes and goes. Its bound book lies turned over beside the first: where that has its
 * first section it has its last, and within a sheet the pages count from the end.
 */
function goingSheets(group: readonly FoldedSheet[], sheets: readonly FoldedSheet[]): FoldedSheet[] {
  const last = sheets.at(-1)?.section ?? 1;
  return group.flatMap((own) => {
    const place = sheets.filter(({ section }) => section === own.section).indexOf(own);
    const other = sheets.filter(({ section }) => section === last + 1 - own.section)[place];
    if (!other) return [];
    const fromEnd = (local: number) => 2 * other.scheme.cells.length + 1 - local;
    return [
      {
        ...other,
        position: (local: number) => other.position(fromEnd(local)),
        nesting: (local: number) => other.nesting(fromEnd(local)),
      },
    ];
  });
}

/** Come-and-go prints every page on both halves. */
function wantedOf(list: readonly number[], settings: BoundSettings): Wanted {
  const wanted = eachPlaced(settings)(list);
  if (!isComeAndGo(settings) || !wanted.cells) return wanted;
  return { ...wanted, cells: new Map([...wanted.cells].map(([page, cells]) => [page, 2 * cells])) };
}

function draftSheet(group: readonly FoldedSheet[], sheets: readonly FoldedSheet[], parts: Drafting): SheetDraft {
  const first = group[0] ?? refuse('impose.noPages', 'pages');
  const { settings } = parts;
  const block = parts.blockOf(first.scheme);
  const flip = halvesOf(settings);
  const leaves = spreadLeaves(group, first.scheme, parts);
  const bothHalves = (): Leaf[] => {
    if (!flip) return leaves;
    if (!isComeAndGo(settings)) return withTurnedOver(leaves, flip);
    const going = spreadLeaves(goingSheets(group, sheets), first.scheme, parts);
    return [...leaves, ...going.map((leaf) => ({ ...leaf, ...edgesOver(leaf, flip) }))];
  };
  return {
    sheet: sheetFor(block, settings),
    block,
    leaves: bothHalves(),
    quantity: sheetQuantity(settings.copies, settings.oversPercent, flip ? 2 : 1),
    workStyle: settings.workStyle,
    role: first.role,
    folds: first.scheme.folds,
    ...(first.scheme.foldCatalog ? { foldCatalog: first.scheme.foldCatalog } : {}),
    creases: flip ? creasesOfHalves(first.scheme.creases, halfOf(block, flip), flip) : first.scheme.creases,
  };
}

/** The leaves of the spreads of one sheet, or of one half of it, row by row. */
function spreadLeaves(group: readonly FoldedSheet[], scheme: FoldScheme, parts: Drafting): Leaf[] {
  return Array.from({ length: parts.spreads?.count ?? 1 }, (_, row) => {
    const folded = group[row];
    const own = folded ? leavesOf(folded, parts) : new Array<Leaf>(scheme.cells.length).fill({ front: 0, back: 0 });
    return isTurnedSpread(row, parts) ? own.reverse().map(turnedLeaf) : own;
  }).flat();
}

/** Rows and columns of one half. */
const halfOf = ({ rows, columns }: Block, flip: Flip): { rows: number; columns: number } =>
  flip === 'Turn' ? { rows, columns: columns / 2 } : { rows: rows / 2, columns };

const isTurnedSpread = (row: number, { spreads }: BoundParts): boolean => (spreads?.isTurned ?? false) && row % 2 === 1;

const turnedLeaf = ({ edges, ...leaf }: Leaf): Leaf => ({
  ...leaf,
  ...(edges && { edges: { spine: opposite[edges.spine], head: opposite[edges.head] } }),
});

/** The first sheet orientation that holds the block; refuses with the smallest overflow when none does. */
function sheetFor(block: Size, settings: BoundSettings): Size {
  const sheets = sheetSizes(settings).map((sheet) => closeSheet(sheet, block, settings));
  const over = (sheet: Size): number => {
    const usable = usableArea(sheet, settings);
    return Math.max(0, block.width - usable.width) + Math.max(0, block.height - usable.height);
  };
  const best = sheets.reduce((a, b) => (over(b) < over(a) - 0.01 ? b : a));
  checkFit(block, usableArea(best, settings), { width: 'sheet.width', height: 'sheet.height' });
  return best;
}

/** What an edge of a cell is; the width of a gap follows from the two edges that meet there. */
type EdgeKind = 'spine' | 'face' | 'head' | 'foot';

const opposite: Record<Edge, Edge> = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' };

function edgeKind(cell: FoldCell, edge: Edge): EdgeKind {
  if (edge === cell.spine) return 'spine';
  if (edge === opposite[cell.spine]) return 'face';
  if (edge === 'left' || edge === 'right') return 'head';
  return (edge === 'top') === (cell.rotation === 0) ? 'head' : 'foot';
}

/** What is cut or milled off at an edge, points. */
function trimOff(kind: EdgeKind, { settings, spineGutter }: BoundParts): number {
  if (kind === 'spine') return spineGutter;
  const off = settings.trim[kind];
  return off === 'Bleed' ? settings.bleed.amount : off;
}

/** The block of one folded section. */
function sectionBlock(scheme: FoldScheme, parts: Drafting): Block {
  const { size, lip } = parts;
  const { rows, columns, cells } = scheme;
  const amount = (kind: EdgeKind): number => trimOff(kind, parts);
  const at = (row: number, column: number): FoldCell => cells[row * columns + column] as FoldCell;
  const meeting = (one: FoldCell, edge: Edge, other: FoldCell): number =>
    amount(edgeKind(one, edge)) + amount(edgeKind(other, opposite[edge]));
  const most = (count: number, gap: (index: number) => number) =>
    Math.max(0, ...Array.from({ length: count }, (_, i) => gap(i)));
  const gutterH = Array.from({ length: columns - 1 }, (_, c) =>
    most(rows, (r) => meeting(at(r, c), 'right', at(r, c + 1))),
  );
  const gutterV = Array.from({ length: rows - 1 }, (_, r) =>
    most(columns, (c) => meeting(at(r, c), 'bottom', at(r + 1, c))),
  );
  const row: RowSpec = { cells: columns, ...size, rotation: 0 };
  const block = gridBlock(new Array<RowSpec>(rows).fill(row), gutterH, gutterV);
  const slots = block.slots.map((slot, index) => ({ ...slot, rotation: cells[index]?.rotation ?? 0 }));
  return withLip({ ...block, slots }, scheme, lip);
}

/** Adds a lip: extra paper at the face of the front half (low folio) or the back half (high folio). */
function withLip(block: Block, scheme: FoldScheme, lip: BoundParts['lip']): Block {
  if (!lip || lip.size === 0) return block;
  if (scheme.columns !== 2) refuse('impose.lipNeedsTwoColumns', 'lip.size', { count: scheme.columns });
  const low = scheme.cells.find((cell) => cell.front === 1 || cell.back === 1);
  const isRight = low?.column === 1;
  const isLeftLip = (lip.half === 'LowFolio') !== isRight;
  return {
    ...block,
    width: block.width + lip.size,
    slots: isLeftLip ? block.slots.map((slot) => ({ ...slot, x: slot.x + lip.size })) : block.slots,
  };
}

function leavesOf(folded: FoldedSheet, { settings, pages }: Drafting): Leaf[] {
  const { cells } = folded.scheme;
  return cells.map((cell): Leaf => {
    const { pair, pairs } = folded.nesting(cell.front);
    // Each sheet is folded by itself, so its leaves skew by their depth in it, however sheets are nested afterwards.
    const lean = bottleLean(settings.bottling, leafPair(cell.front, 2 * cells.length), cells.length / 2);
    return {
      front: pages[folded.position(cell.front)] ?? 0,
      back: pages[folded.position(cell.back)] ?? 0,
      backTurn: cell.backTurn,
      section: folded.section,
      edges: { spine: cell.spine, head: cell.head },
      shift: creepShift(settings.creep, pair, pairs),
      isShiftScaled: settings.creep.method === 'ScaleHorizontally',
      ...(lean !== 0 && { bottle: { axis: settings.bottling.axis, lean } }),
    };
  });
}

/** The block of a whole sheet: that of its spreads, and beside or below it the half that is turned over. */
function sheetBlock(scheme: FoldScheme, parts: Drafting): Block {
  const { settings } = parts;
  const block = spreadBlock(scheme, parts);
  const flip = halvesOf(settings);
  if (!flip) return block;
  if (isComeAndGo(settings) && (flip === 'Turn' ? block.columns : block.rows) > 1)
    refuse('impose.comeAndGoNeedsOneRow', 'comeAndGo');
  // What both halves lose where they are cut apart.
  const edge = flip === 'Turn' ? 'right' : 'bottom';
  const outer = scheme.cells.filter(({ row, column }) =>
    flip === 'Turn' ? column === scheme.columns - 1 : row === scheme.rows - 1,
  );
  const off = Math.max(...outer.map((cell) => trimOff(edgeKind(cell, edge), parts)));
  const rotated = isComeAndGo(settings)
    ? (rotation: Slot['rotation']) => turnBy(rotation, 180)
    : rotatedOver(flip, scheme.cells[0]?.backTurn ?? 0);
  return withOtherHalf(block, flip, 2 * off, rotated);
}

/** The section's block, repeated downwards for several spreads per sheet; every second one may be turned by 180°. */
function spreadBlock(scheme: FoldScheme, parts: Drafting): Block {
  const section = sectionBlock(scheme, parts);
  const count = parts.spreads?.count ?? 1;
  if (count === 1) return section;
  if (section.rows !== 1) refuse('impose.spreadsNeedSignature4', 'spreads.count', { rows: section.rows });
  const { trim, bleed } = parts.settings;
  const off = (kind: 'head' | 'foot') => (trim[kind] === 'Bleed' ? bleed.amount : trim[kind]);
  const isDown = (row: number) => isTurnedSpread(row, parts);
  const gaps = Array.from(
    { length: count - 1 },
    (_, row) => (isDown(row) ? off('head') : off('foot')) + (isDown(row + 1) ? off('foot') : off('head')),
  );
  const height = count * section.height + gaps.reduce((a, b) => a + b, 0);
  const slots: Slot[] = [];
  let y = height;
  for (let row = 0; row < count; row++) {
    y -= section.height;
    for (const slot of section.slots) {
      const gapsHere = { ...slot.gaps, top: gaps[row - 1] ?? Infinity, bottom: gaps[row] ?? Infinity };
      slots.push({ ...slot, row, y, rotation: turnBy(slot.rotation, isDown(row) ? 180 : 0), gaps: gapsHere });
    }
    y -= gaps[row] ?? 0;
  }
  return { width: section.width, height, rows: count, columns: section.columns, slots };
}

/**
 * Sheets of `sheetPages` pages nested into one section; `base` is the position of the section's first page in the page
 * list.
 */
export function nestSheets(parts: {
  scheme: FoldScheme;
  sheetPages: number;
  sectionPages: number;
  base: number;
  section: number;
  isPerSignature: boolean;
}): FoldedSheet[] {
  const { scheme, sheetPages, sectionPages, base, section, isPerSignature } = parts;
  return Array.from({ length: sectionPages / sheetPages }, (_, sheet): FoldedSheet => {
    const page = (local: number) => nestedPage(local, sheet, sheetPages, sectionPages);
    return {
      scheme,
      role: 'Body',
      section,
      position: (local) => base + page(local) - 1,
      nesting: (local) =>
        isPerSignature
          ? { pair: leafPair(local, sheetPages), pairs: sheetPages / 4 }
          : { pair: leafPair(page(local), sectionPages), pairs: sectionPages / 4 },
    };
  });
}
