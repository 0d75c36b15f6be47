import type { LayoutPage, PlanProblem, Rect } from '@pdf2press/contract';
import { refuse, warning } from '../sheet/problems.ts';
import type { SheetSettings } from '../sheet/settings.ts';
import type { Edge } from './folding.ts';
import { epsilon, type Size } from './grid.ts';

const mm = 72 / 25.4;

/** A page as a layout uses it: the size of its cell box and the bleed around it, points. */
export interface PageShape extends Size {
  /** Bleed beyond the cell box, by side of the unrotated page. */
  bleed: Record<Edge, number>;
}

const boxOf = (page: LayoutPage, box: SheetSettings['cellBox']): Rect =>
  box === 'Trim' ? page.trim : box === 'Bleed' ? page.bleed : page.media;

/** The shape of a page by the settings' cell box and bleed policy. */
export function pageShape(page: LayoutPage, settings: SheetSettings): PageShape {
  const box = boxOf(page, settings.cellBox);
  const { policy, amount } = settings.bleed;
  // Without a BleedBox the whole area around the trim, including slug and printer's marks, would count as bleed.
  const most = policy === 'FromPage' && page.hasBleedBox ? Infinity : amount;
  const around: Record<Edge, number> = {
    left: box.x - page.bleed.x,
    bottom: box.y - page.bleed.y,
    right: page.bleed.x + page.bleed.width - box.x - box.width,
    top: page.bleed.y + page.bleed.height - box.y - box.height,
  };
  const side = (edge: Edge): number => {
    if (policy === 'None') return 0;
    return policy === 'FromPage' ? Math.min(Math.max(0, around[edge]), most) : amount;
  };
  return {
    width: box.width,
    height: box.height,
    bleed: { left: side('left'), right: side('right'), top: side('top'), bottom: side('bottom') },
  };
}

const settled = (value: number | 'Auto', fallback: number): number => (value === 'Auto' ? fallback : value);

/**
 * The size of one cell in points. `room` gives the space that rows and columns leave for a cell, for scaling without a
 * set cell size.
 * @throws LayoutFault impose.pagesUnequal unless `mixedSizes` allows it, impose.pageTooSmall, impose.noRoom
 */
export function cellSize(
  list: readonly number[],
  shapes: readonly PageShape[],
  settings: SheetSettings,
  room: (() => Size) | null,
): { size: Size; problems: PlanProblem[] } {
  const used = [...new Set(list.filter((page) => page > 0))];
  const first = shapes[(used[0] ?? 1) - 1] ?? refuse('impose.noPages', 'pages');
  const problems: PlanProblem[] = [];
  let size: Size = { width: first.width, height: first.height };
  for (const page of used) {
    const shape = shapes[page - 1];
    if (!shape) continue;
    if (shape.width < 1 || shape.height < 1) refuse('impose.pageTooSmall', 'pages', { page, min: 1 });
    const differs =
      Math.max(Math.abs(shape.width - first.width), Math.abs(shape.height - first.height)) >
      settings.pageSizeTolerance + epsilon;
    if (!differs) continue;
    const params = {
      page,
      width: shape.width,
      height: shape.height,
      otherWidth: first.width,
      otherHeight: first.height,
    };
    if (settings.mixedSizes === 'Fail') refuse('impose.pagesUnequal', 'mixedSizes', params);
    if (problems.length === 0) problems.push(warning('impose.pagesUnequal', 'mixedSizes', params));
    if (settings.mixedSizes === 'Centre') {
      size = { width: Math.max(size.width, shape.width), height: Math.max(size.height, shape.height) };
    }
  }
  const { mode, percent } = settings.pageScaling;
  if (mode === 'Proportional') size = { width: (size.width * percent) / 100, height: (size.height * percent) / 100 };
  const isOpen = settings.cell.width === 'Auto' || settings.cell.height === 'Auto';
  if (isOpen && room && (mode === 'Fit' || mode === 'Fill' || mode === 'Stretch')) {
    const left = room();
    if (Number.isFinite(left.width + left.height)) {
      if (left.width < mm || left.height < mm)
        refuse('impose.noRoom', 'sheet.width', { width: left.width, height: left.height });
      size = left;
    }
  }
  return {
    size: { width: settled(settings.cell.width, size.width), height: settled(settings.cell.height, size.height) },
    problems,
  };
}

/** Scale factors of a page along its own x and y. @throws LayoutFault impose.distortion */
export function pageScale(
  page: number,
  shape: PageShape,
  cell: Size,
  settings: SheetSettings,
): { x: number; y: number } {
  const { mode, percent, maxDistortionPercent } = settings.pageScaling;
  const [x, y] = [cell.width / shape.width, cell.height / shape.height];
  // Pages of another size than the first are scaled to its cell.
  const fixed = (factor: number) =>
    settings.mixedSizes === 'Scale' && Math.abs(x - factor) + Math.abs(y - factor) > 0.001 ? Math.min(x, y) : factor;
  const scale = {
    None: () => fixed(1),
    Proportional: () => fixed(percent / 100),
    Fit: () => Math.min(x, y),
    Fill: () => Math.max(x, y),
    Stretch: () => Number.NaN,
  }[mode]();
  if (mode === 'Stretch') {
    const distortion = Math.abs(x / y - 1) * 100;
    if (distortion > maxDistortionPercent + 1e-6) {
      refuse('impose.distortion', 'pageScaling.maxDistortionPercent', {
        page,
        percent: Number(distortion.toFixed(2)),
        limit: maxDistortionPercent,
      });
    }
    return pulled({ x, y }, cell, settings);
  }
  return pulled({ x: scale, y: scale }, cell, settings);
}

/** Bleed policy Pull: enlarges the page until it fills its cell and the bleed around it. */
function pulled(scale: { x: number; y: number }, cell: Size, settings: SheetSettings): { x: number; y: number } {
  if (settings.bleed.policy !== 'Pull') return scale;
  const twice = 2 * settings.bleed.amount;
  return { x: (scale.x * (cell.width + twice)) / cell.width, y: (scale.y * (cell.height + twice)) / cell.height };
}
