import type { Cell, Ink, Mark, MarkKind, PlanProblem, Rect, Shape } from '@pdf2press/contract';
import type { z } from 'zod';

/** A crease of the sheet as it lies on this side: at `at`, along the whole block. */
export interface Crease {
  axis: 'x' | 'y';
  at: number;
}

/** What a mark may know of the side it is drawn on. Lengths are points, the origin is the sheet's lower left corner. */
export interface MarkContext {
  sheet: { width: number; height: number };
  side: 'Front' | 'Back';
  cells: readonly Cell[];
  /** Trims of the outermost cells. */
  block: Rect;
  /** The printable area. */
  usable: Rect;
  creases: readonly Crease[];
  /** The edge that the press takes the sheet by, as seen from the front. */
  gripperEdge: SheetEdge;
  /** The back was turned over top to bottom. */
  isTumbled: boolean;
  /** All plates, or black. */
  ink: Ink;
  keepOut: KeepOut;
  /** Where marks already stand; whoever places one by `edgeStrip` adds to it. */
  taken: Rect[];
  variables: Readonly<Record<string, string>>;
  /** Outlines of dies at their stations, sheet coordinates. */
  dies: readonly Outline[];
  /** Sections of the whole job, for marks that step from one to the next. */
  sectionCount: number;
  /** The size of the colour bar that the profile brings along, lying; only who opened it knows. */
  strip?: { width: number; height: number };
}

export type Outline = readonly ['M' | 'L' | 'C' | 'Z', number[]][];

/** A kind of mark: its key among the settings, what it asks, and how it is drawn. */
export interface MarkDefinition<S extends z.ZodType> {
  kind: MarkKind;
  key: string;
  settings: S;
  /** Same on every sheet of the same geometry, so that it is drawn once. */
  isStatic: boolean;
  /** Whether creeping into bleed is impossible by nature, or is the point (cut and die lines). */
  draw: (
    context: MarkContext,
    settings: z.output<S>,
  ) => { shapes: Shape[]; problems?: PlanProblem[]; processingStep?: NonNullable<Mark['processingStep']> };
}

export const defineMark = <S extends z.ZodType>(definition: MarkDefinition<S>): MarkDefinition<S> => definition;

/** Areas that no mark may touch: every page's trim and bleed. */
export interface KeepOut {
  isFree: (rect: Rect) => boolean;
  isFreePoint: (x: number, y: number) => boolean;
  /** The parts of a horizontal or vertical line that lie outside all areas, shortest kept length 1 mm. */
  free: (line: {
    x1: number;
    y1: number;
    x2: number;
    y2: number;
  }) => { x1: number; y1: number; x2: number; y2: number }[];
}

const shortest = 72 / 25.4;
const touch = 0.02;

/**
 * Areas by the squares of a coarse grid they touch: ten thousand cells ask a few neighbours each instead of everybody.
 */
export function keepOutOf(areas: readonly Rect[], sheet: { width: number; height: number }): KeepOut {
  const step = Math.max(20, Math.sqrt((sheet.width * sheet.height) / Math.max(1, areas.length)));
  const columns = Math.ceil(sheet.width / step) + 1;
  const squares = new Map<number, Rect[]>();
  const range = (from: number, to: number) => [Math.floor(from / step), Math.floor(to / step)] as const;
  const visit = (rect: Rect, see: (square: number) => void) => {
    const [c0, c1] = range(rect.x - touch, rect.x + rect.width + touch);
    const [r0, r1] = range(rect.y - touch, rect.y + rect.height + touch);
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) see(r * columns + c);
  };
  for (const area of areas) {
    visit(area, (square) => {
      const list = squares.get(square);
      if (list) list.push(area);
      else squares.set(square, [area]);
    });
  }
  const near = (rect: Rect): Set<Rect> => {
    const found = new Set<Rect>();
    visit(rect, (square) => {
      for (const area of squares.get(square) ?? []) if (overlaps(area, rect)) found.add(area);
    });
    return found;
  };
  return {
    isFree: (rect) => near(rect).size === 0,
    isFreePoint: (x, y) =>
      !squares
        .get(Math.floor(y / step) * columns + Math.floor(x / step))
        ?.some(
          (area) =>
            x > area.x + touch &&
            x < area.x + area.width - touch &&
            y > area.y + touch &&
            y < area.y + area.height - touch,
        ),
    free: (line) => {
      const isAcross = line.y1 === line.y2;
      const [from, to] = isAcross
        ? [Math.min(line.x1, line.x2), Math.max(line.x1, line.x2)]
        : [Math.min(line.y1, line.y2), Math.max(line.y1, line.y2)];
      const rect = isAcross
        ? { x: from, y: line.y1, width: to - from, height: 0 }
        : { x: line.x1, y: from, width: 0, height: to - from };
      const taken = [...near(rect)]
        .map((area) => (isAcross ? [area.x, area.x + area.width] : [area.y, area.y + area.height]) as [number, number])
        .sort((a, b) => a[0] - b[0]);
      const parts: [number, number][] = [];
      let open = from;
      for (const [start, end] of taken) {
        if (start > open) parts.push([open, Math.min(start, to)]);
        open = Math.max(open, end);
      }
      if (open < to) parts.push([open, to]);
      return parts
        .filter(([start, end]) => end - start >= Math.min(shortest, to - from) - touch)
        .map(([start, end]) =>
          isAcross
            ? { x1: start, y1: line.y1, x2: end, y2: line.y1 }
            : { x1: line.x1, y1: start, x2: line.x1, y2: end },
        );
    },
  };
}

/** Touching counts: a line on the edge of a trim is inside the page. */
export const overlaps = (area: Rect, rect: Rect): boolean =>
  rect.x <= area.x + area.width - touch + (rect.width === 0 ? 2 * touch : 0) &&
  rect.x + rect.width >= area.x + touch - (rect.width === 0 ? 2 * touch : 0) &&
  rect.y <= area.y + area.height - touch + (rect.height === 0 ? 2 * touch : 0) &&
  rect.y + rect.height >= area.y + touch - (rect.height === 0 ? 2 * touch : 0);

/** Says that a line is there, so that no strip is laid across it. */
export function takeLine(context: MarkContext, line: { x1: number; y1: number; x2: number; y2: number }): void {
  context.taken.push({
    x: Math.min(line.x1, line.x2) - 1,
    y: Math.min(line.y1, line.y2) - 1,
    width: Math.abs(line.x2 - line.x1) + 2,
    height: Math.abs(line.y2 - line.y1) + 2,
  });
}

/** Places that are tried along an edge. */
const places = 24;

export type SheetEdge = 'Top' | 'Bottom' | 'Left' | 'Right';
export type EdgeAlign = 'Start' | 'Centre' | 'End';

/**
 * A strip of `length` × `thickness` along an edge of the sheet, `offset` inside it, if it is free. Where it is not, the
 * other places along that edge are tried, then null. Along the left and right edge it runs upwards.
 */
export function edgeStrip(
  context: MarkContext,
  {
    edge,
    align,
    offset,
    length,
    thickness,
  }: { edge: SheetEdge; align: EdgeAlign; offset: number; length: number; thickness: number },
): Rect | null {
  const { sheet, usable, keepOut } = context;
  const isAcross = edge === 'Top' || edge === 'Bottom';
  const [low, high] = isAcross ? [usable.x, usable.x + usable.width] : [usable.y, usable.y + usable.height];
  const starts: Record<EdgeAlign, number> = { Start: low, Centre: (low + high - length) / 2, End: high - length };
  const wished = [starts[align], starts.Centre, starts.Start, starts.End];
  for (let at = 0; at < wished.length + places; at++) {
    const along = wished[at] ?? low + ((high - length - low) * (at - wished.length)) / (places - 1);
    if (along < 0 || along + length > (isAcross ? sheet.width : sheet.height)) continue;
    const across =
      edge === 'Top' ? sheet.height - offset - thickness : edge === 'Right' ? sheet.width - offset - thickness : offset;
    const rect = isAcross
      ? { x: along, y: across, width: length, height: thickness }
      : { x: across, y: along, width: thickness, height: length };
    if (!keepOut.isFree(rect) || context.taken.some((other) => overlaps(other, rect))) continue;
    context.taken.push(rect);
    return rect;
  }
  return null;
}
