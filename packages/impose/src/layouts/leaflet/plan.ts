import type { Plan, PlanProblem, Rotation } from '@pdf2press/contract';
import { refuse, warning } from '../../sheet/problems.ts';
import { assemble, type SheetDraft } from '../assemble.ts';
import { tally } from '../count-pages.ts';
import {
  type Block,
  checkFit,
  closeSheet,
  epsilon,
  fitting,
  gutters,
  type Size,
  type Slot,
  sheetSizes,
  span,
  usableArea,
} from '../grid.ts';
import { sheetQuantity } from '../grid-plan.ts';
import { defineLayout, type LayoutInput, pagesOfSize } from '../layout.ts';
import { listPages, padPages, planLimits } from '../page-list.ts';
import { cellSize, type PageShape, pageScale, pageShape } from '../pages.ts';
import type { Leaf } from '../placing.ts';
import { type LeafletSettings, leafletSettingsSchema } from './contract.ts';
import { type FoldedLeaflet, leafletOf } from './folds.ts';
import { messages } from './messages.ts';

/** Leaflets folded without a spine: panels side by side, as many leaflets on a sheet as fit. */
export const leaflet = defineLayout({
  type: 'Leaflet',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: leafletSettingsSchema,
  // A sheet of A4 in three panels.
  usualPages: pagesOfSize(6, 99, 210),
  plan: planLeaflets,
});

function planLeaflets(input: LayoutInput, settings: LeafletSettings): Plan {
  const list = listPages(settings.pages, input.pages.length);
  const shapes = input.pages.map((page) => pageShape(page, settings));
  // The widest page is a whole panel; those of panels folded inside may be narrower.
  const widest = list.reduce((a, b) => (widthOf(shapes, b) > widthOf(shapes, a) + epsilon ? b : a));
  const { size } = cellSize([widest], shapes, settings, null);
  const folded = leafletOf(settings, size.width);
  if (folded.panels.some(({ width }) => width < 1))
    refuse('impose.panelTooNarrow', 'shorter', { width: size.width, distance: settings.shorter });
  const perLeaflet = 2 * folded.panels.length;
  const leaflets = Math.ceil(list.length / perLeaflet);
  const pages = padPages(list, leaflets * perLeaflet, settings.padding);
  const problems = checkPanels(pages, shapes, size, folded, settings);
  const { sheet, block, ups } = leafletGrid(folded, size, settings);
  const drafts = Array.from({ length: leaflets }, (_, index): SheetDraft => {
    const own = leavesOf(pages.slice(index * perLeaflet, (index + 1) * perLeaflet), folded);
    return {
      sheet,
      block,
      leaves: Array.from({ length: ups.rows * ups.columns }, () => own).flat(),
      quantity: sheetQuantity(settings.copies, settings.oversPercent, ups.rows * ups.columns),
      workStyle: settings.workStyle,
      role: 'Body',
      folds: folded.folds,
      creases: Array.from({ length: ups.columns }, (_, column) =>
        folded.creases.map((crease) => ({ axis: 'x' as const, index: column * folded.panels.length + crease })),
      ).flat(),
    };
  });
  return assemble({
    layout: 'Leaflet',
    bindingEdge: 'None',
    drafts,
    input,
    settings,
    shapes,
    cell: size,
    warnings: problems,
    wanted: {
      pieces: tally(
        list,
        (page) => page,
        () => settings.copies,
      ),
    },
    isPile: true,
  });
}

const widthOf = (shapes: readonly PageShape[], page: number): number => shapes[page - 1]?.width ?? 0;

const leavesOf = (pages: readonly number[], { panels }: FoldedLeaflet): Leaf[] =>
  panels.map(({ front, back }) => ({ front: pages[front - 1] ?? 0, back: pages[back - 1] ?? 0, section: 1 }));

/**
 * Each page must be as wide as its panel, or as a whole panel that is a little shorter inside: then it is cut on both
 * sides, which is told.
 * @throws LayoutFault impose.panelUnequal
 */
function checkPanels(
  pages: readonly number[],
  shapes: readonly PageShape[],
  cell: Size,
  { panels }: FoldedLeaflet,
  settings: LeafletSettings,
): PlanProblem[] {
  const tolerance = settings.pageSizeTolerance + epsilon;
  const problems: PlanProblem[] = [];
  pages.forEach((page, index) => {
    const shape = shapes[page - 1];
    const local = (index % (2 * panels.length)) + 1;
    const panel = panels.find(({ front, back }) => front === local || back === local);
    if (!shape || !panel) return;
    const scale = pageScale(page, shape, cell, settings);
    const [width, height] = [shape.width * scale.x, shape.height * scale.y];
    const over = width - panel.width;
    const isWhole = Math.abs(width - cell.width) <= tolerance && panel.width > cell.width / 2;
    if (Math.abs(height - cell.height) > tolerance || (Math.abs(over) > tolerance && !isWhole)) {
      refuse('impose.panelUnequal', 'fold', { page, width, height, otherWidth: panel.width, otherHeight: cell.height });
    }
    if (over > tolerance && problems.length === 0)
      problems.push(warning('impose.panelShorter', 'shorter', { page, distance: over }));
  });
  return problems;
}

/** The orientation of the sheet that holds the most leaflets, and the block of their panels. */
function leafletGrid(
  folded: FoldedLeaflet,
  size: Size,
  settings: LeafletSettings,
): { sheet: Size; block: Block; ups: { rows: number; columns: number } } {
  const one = { width: folded.panels.reduce((sum, { width }) => sum + width, 0), height: size.height };
  const [gutterH, gutterV] = [gutters(settings.gutterH, settings), gutters(settings.gutterV, settings)];
  const counted = (count: number | 'Auto', room: number, length: number, gaps: readonly number[]) => {
    if (count !== 'Auto') return count;
    // A sheet that grows with its block takes one, unless more are asked for.
    return Number.isNaN(room) ? 1 : Math.max(1, fitting(room, length, gaps));
  };
  const tries = sheetSizes(settings).map((open) => {
    const usable = usableArea(open, settings);
    const rows = counted(settings.rows, usable.height, one.height, gutterV);
    const columns = counted(settings.columns, usable.width, one.width, gutterH);
    const cells = rows * columns * folded.panels.length;
    if (cells > planLimits.cellsPerSide)
      refuse('impose.tooManyCells', 'rows', { count: cells, limit: planLimits.cellsPerSide });
    const block = panelBlock(folded, size, { rows, columns, gutterH, gutterV });
    const sheet = closeSheet(open, block, settings);
    const room = usableArea(sheet, settings);
    const over = Math.max(0, block.width - room.width) + Math.max(0, block.height - room.height);
    return { sheet, block, ups: { rows, columns }, over };
  });
  const best = tries.reduce((a, b) => {
    if (a.over > epsilon || b.over > epsilon) return b.over < a.over - epsilon ? b : a;
    return b.ups.rows * b.ups.columns > a.ups.rows * a.ups.columns ? b : a;
  });
  checkFit(best.block, usableArea(best.sheet, settings), { width: 'sheet.width', height: 'sheet.height' });
  return best;
}

/** Panels without a gap between them, leaflets with gutters. */
function panelBlock(
  { panels }: FoldedLeaflet,
  { height }: Size,
  grid: { rows: number; columns: number; gutterH: readonly number[]; gutterV: readonly number[] },
): Block {
  const { rows, columns, gutterH, gutterV } = grid;
  const wide = panels.reduce((sum, panel) => sum + panel.width, 0);
  const last = panels.length - 1;
  const gapAfter = (gaps: readonly number[], index: number, count: number) =>
    index < 0 || index >= count - 1 ? Infinity : (gaps[Math.min(index, gaps.length - 1)] ?? 0);
  const block = { width: span(columns, wide, gutterH), height: span(rows, height, gutterV) };
  const rotation: Rotation = 0;
  const slots: Slot[] = [];
  for (let row = 0; row < rows; row++) {
    const y = block.height - span(row + 1, height, gutterV);
    for (let column = 0; column < columns; column++) {
      let x = column === 0 ? 0 : span(column + 1, wide, gutterH) - wide;
      panels.forEach(({ width }, panel) => {
        slots.push({
          row,
          column: column * panels.length + panel,
          x,
          y,
          width,
          height,
          rotation,
          gaps: {
            left: panel > 0 ? 0 : gapAfter(gutterH, column - 1, columns),
            right: panel < last ? 0 : gapAfter(gutterH, column, columns),
            top: gapAfter(gutterV, row - 1, rows),
            bottom: gapAfter(gutterV, row, rows),
          },
        });
        x += width;
      });
    }
  }
  return { ...block, rows, columns: columns * panels.length, slots };
}
