import type { BottleAxis, Cell, Rect, Rotation } from '@pdf2press/contract';
import { anchorShares } from '@pdf2press/settings';
import type { SheetSettings } from '../sheet/settings.ts';
import { bottleOf, directions, turnedClip } from './bottling.ts';
import type { Edge } from './folding.ts';
import { type Block, rowLengthsOf, type Size, type Slot, turnBy, turnedSize } from './grid.ts';
import { type PageShape, pageScale } from './pages.ts';

/** The content of one slot: the page on the front and the page behind it, from 1; 0 is blank. */
export interface Leaf {
  front: number;
  back: number;
  /** Additional rotation of the back. */
  backTurn?: 0 | 180;
  section?: number;
  station?: number;
  /** The edges at the spine and the head of a book, seen from the front. */
  edges?: BookEdges;
  /** The distance in points that creep moves content towards the spine. */
  shift?: number;
  /** Compensate creep by narrowing the content, its spine side fixed, in place of moving it. */
  isShiftScaled?: boolean;
  /** The corner that bottling turns the page about, and the degrees by which its head leans towards its spine. */
  bottle?: { axis: BottleAxis; lean: number };
}

export interface BookEdges {
  spine: Edge;
  head: Edge;
}

export interface PlacingContext {
  settings: SheetSettings;
  sheet: Size;
  shapes: readonly PageShape[];
  /** Size of an unrotated cell, which pages are scaled to, points. */
  cell: Size;
}

/** Moves the slots of a block to their position in the printable area, by the alignment settings. */
export function alignBlock(
  block: Block,
  usable: Rect,
  settings: Pick<SheetSettings, 'alignment'>,
): { slots: Slot[]; rect: Rect } {
  const [across, up] = anchorShares[settings.alignment.point];
  const x0 = usable.x + across * (usable.width - block.width);
  const y0 = usable.y + up * (usable.height - block.height);
  const rowShift = new Map<number, number>();
  if (settings.alignment.rowByRow) {
    for (const slot of block.slots) {
      rowShift.set(slot.row, Math.max(rowShift.get(slot.row) ?? 0, slot.x + slot.width));
    }
    for (const [row, width] of rowShift) rowShift.set(row, across * (block.width - width));
  }
  const slots = block.slots.map((slot) => ({
    ...slot,
    x: x0 + slot.x + (rowShift.get(slot.row) ?? 0),
    y: y0 + slot.y,
  }));
  return { slots, rect: { x: x0, y: y0, width: block.width, height: block.height } };
}

/** Reduces a block to its occupied slots. */
export function shrinkBlock(block: Block, leaves: readonly Leaf[]): { block: Block; leaves: Leaf[] } {
  const isUsed = (index: number) => (leaves[index]?.front ?? 0) > 0 || (leaves[index]?.back ?? 0) > 0;
  const kept = block.slots.flatMap((slot, index) => (isUsed(index) ? [slot] : []));
  if (kept.length === 0 || kept.length === block.slots.length) return { block, leaves: [...leaves] };
  const minX = Math.min(...kept.map((slot) => slot.x));
  const minY = Math.min(...kept.map((slot) => slot.y));
  const inside = block.slots.flatMap((slot, index) => (isUsed(index) ? [{ slot, leaf: leaves[index] as Leaf }] : []));
  return {
    block: {
      ...block,
      width: Math.max(...kept.map((slot) => slot.x + slot.width)) - minX,
      height: Math.max(...kept.map((slot) => slot.y + slot.height)) - minY,
      slots: inside.map(({ slot }) => ({ ...slot, x: slot.x - minX, y: slot.y - minY })),
    },
    leaves: inside.map(({ leaf }) => leaf),
  };
}

/** How the sheet is turned for its back: `Turn` about the vertical axis, `Tumble` about the horizontal axis. */
export type Flip = 'Turn' | 'Tumble';

/** The position of a slot seen from the other side of the sheet. */
function flipSlot(
  slot: Slot,
  flip: Flip,
  sheet: Size,
  rowLengths: readonly number[],
  offset: { x: number; y: number },
): Slot {
  const { gaps } = slot;
  return flip === 'Turn'
    ? {
        ...slot,
        column: (rowLengths[slot.row] ?? 1) - 1 - slot.column,
        x: sheet.width - slot.x - slot.width + offset.x,
        y: slot.y + offset.y,
        rotation: turnBy(0, 360 - slot.rotation),
        gaps: { ...gaps, left: gaps.right, right: gaps.left },
      }
    : {
        ...slot,
        row: rowLengths.length - 1 - slot.row,
        x: slot.x + offset.x,
        y: sheet.height - slot.y - slot.height + offset.y,
        rotation: turnBy(180, 360 - slot.rotation),
        gaps: { ...gaps, top: gaps.bottom, bottom: gaps.top },
      };
}

/** Where an edge lies when the sheet is turned. */
export const flippedEdge: Record<Flip, Record<Edge, Edge>> = {
  Turn: { left: 'right', right: 'left', top: 'top', bottom: 'bottom' },
  Tumble: { left: 'left', right: 'right', top: 'bottom', bottom: 'top' },
};

/** The edges of a leaf seen from its other side. */
export const edgesOver = ({ edges }: Leaf, flip: Flip): Pick<Leaf, 'edges'> =>
  edges ? { edges: { spine: flippedEdge[flip][edges.spine], head: flippedEdge[flip][edges.head] } } : {};

/** The side of the page that lies at each edge of its cell, by counter-clockwise rotation. */
const pageEdges: Record<Rotation, Record<Edge, Edge>> = {
  0: { left: 'left', right: 'right', top: 'top', bottom: 'bottom' },
  90: { left: 'top', bottom: 'left', right: 'bottom', top: 'right' },
  180: { left: 'right', right: 'left', top: 'bottom', bottom: 'top' },
  270: { left: 'bottom', top: 'left', right: 'top', bottom: 'right' },
};

/** How far a page and its bleed reach beyond each edge of its slot. */
function bleedAround(slot: Slot, bleed: Record<Edge, number>, content: Size): Record<Edge, number> {
  const edges = pageEdges[slot.rotation];
  const acrossSpare = Math.max(0, (slot.width - content.width) / 2);
  const upSpare = Math.max(0, (slot.height - content.height) / 2);
  return {
    left: bleed[edges.left] - acrossSpare,
    right: bleed[edges.right] - acrossSpare,
    top: bleed[edges.top] - upSpare,
    bottom: bleed[edges.bottom] - upSpare,
  };
}

const grown = ({ x, y, width, height }: Rect, by: Record<Edge, number>): Rect => ({
  x: x - by.left,
  y: y - by.bottom,
  width: width + by.left + by.right,
  height: height + by.bottom + by.top,
});

/** The part of a rectangle that is at most half the gutter away from a slot, and not beyond the sheet. */
function withinGaps(rect: Rect, slot: Slot, sheet: Size): Rect {
  const x = Math.max(0, rect.x, slot.x - slot.gaps.left / 2);
  const y = Math.max(0, rect.y, slot.y - slot.gaps.bottom / 2);
  const right = Math.min(sheet.width, rect.x + rect.width, slot.x + slot.width + slot.gaps.right / 2);
  const top = Math.min(sheet.height, rect.y + rect.height, slot.y + slot.height + slot.gaps.top / 2);
  return { x, y, width: right - x, height: top - y };
}

/** One cell of a side. The edges of the leaf are seen from this side. */
function cellOf(slot: Slot, page: number, leaf: Leaf, context: PlacingContext): Cell {
  const shape = context.shapes[page - 1];
  const base = {
    row: slot.row,
    column: slot.column,
    page,
    rotation: slot.rotation,
    x: slot.x,
    y: slot.y,
    width: slot.width,
    height: slot.height,
    ...(leaf.section === undefined ? {} : { section: leaf.section }),
    ...(leaf.station === undefined ? {} : { station: leaf.station }),
  };
  if (!shape) {
    const rect = { x: slot.x, y: slot.y, width: slot.width, height: slot.height };
    return { ...base, page: 0, clip: rect, scale: { x: 1, y: 1 }, shift: { x: 0, y: 0 } };
  }
  const scale = pageScale(page, shape, context.cell, context.settings);
  const bleed = {
    left: shape.bleed.left * scale.x,
    right: shape.bleed.right * scale.x,
    top: shape.bleed.top * scale.y,
    bottom: shape.bleed.bottom * scale.y,
  };
  const creep = creepOf(slot, leaf, scale);
  const content = turnedSize({ width: shape.width * scale.x, height: shape.height * scale.y }, slot.rotation);
  const clip = grown(slot, bleedAround(slot, bleed, content));
  const { edges, bottle } = leaf;
  const turned = edges && bottle && bottleOf(slot, edges, { ...bottle, clip });
  return {
    ...base,
    clip: withinGaps(turned ? turnedClip(turned) : clip, slot, context.sheet),
    ...creep,
    ...(turned && { bottle: turned }),
  };
}

/** Compensates creep: moves content towards the spine, or narrows it with its spine side fixed. */
function creepOf(slot: Slot, leaf: Leaf, scale: { x: number; y: number }): Pick<Cell, 'scale' | 'shift'> {
  const shift = leaf.shift ?? 0;
  if (shift === 0 || leaf.edges === undefined) return { scale, shift: { x: 0, y: 0 } };
  const direction = directions[leaf.edges.spine];
  if (!leaf.isShiftScaled) return { scale, shift: { x: direction.x * shift || 0, y: direction.y * shift || 0 } };
  const isAcross = direction.x !== 0;
  const factor = ((isAcross ? slot.width : slot.height) - shift) / (isAcross ? slot.width : slot.height);
  const isPageX = isAcross === (slot.rotation % 180 === 0);
  return {
    scale: isPageX ? { x: scale.x * factor, y: scale.y } : { x: scale.x, y: scale.y * factor },
    // Scaling is about the centre of the cell, so half of the lost width moves the content back to the spine.
    shift: { x: (direction.x * shift) / 2 || 0, y: (direction.y * shift) / 2 || 0 },
  };
}

const byPlace = (a: Cell, b: Cell) => a.row - b.row || a.column - b.column;

/** Cells of the front side. */
export const frontCells = (slots: readonly Slot[], leaves: readonly Leaf[], context: PlacingContext): Cell[] =>
  slots.map((slot, index) => {
    const leaf = leaves[index] ?? { front: 0, back: 0 };
    return cellOf(slot, leaf.front, leaf, context);
  });

/** Cells of the back side, seen after turning the sheet: each lies exactly behind its front cell. */
export function backCells(
  slots: readonly Slot[],
  leaves: readonly Leaf[],
  flip: Flip,
  context: PlacingContext,
): Cell[] {
  const lengths = rowLengthsOf({ slots });
  return slots
    .map((slot, index) => {
      const leaf = leaves[index] ?? { front: 0, back: 0 };
      const behind = flipSlot(slot, flip, context.sheet, lengths, context.settings.backOffset);
      const turned = { ...behind, rotation: turnBy(behind.rotation, leaf.backTurn ?? 0) };
      return cellOf(turned, leaf.back, { ...leaf, ...edgesOver(leaf, flip) }, context);
    })
    .sort(byPlace);
}
