import type { Cell, Ink, Mark, MarkKind, MessageFiles, PlanProblem, Rect, Shape } from '@pdf2press/contract';
import type { z } from 'zod';

/** A fold line on this side of the sheet, along the whole block: x or y = `at`, points. */
export interface Crease {
  axis: 'x' | 'y';
  at: number;
}

/** The sheet side that a mark is drawn on. Points, origin at the sheet's lower left corner. */
export interface MarkContext {
  sheet: { width: number; height: number };
  side: 'Front' | 'Back';
  cells: readonly Cell[];
  /** Trims of the outermost cells. */
  block: Rect;
  /** The printable area. */
  usable: Rect;
  creases: readonly Crease[];
  /** The gripper edge, seen from the front. */
  gripperEdge: SheetEdge;
  /** The sheet is turned about its horizontal axis for the back. */
  isTumbled: boolean;
  /** Registration colour or black. */
  ink: Ink;
  keepOut: KeepOut;
  /** Areas of the marks drawn so far; `edgeStrip` and `takeLine` add to it. */
  taken: Rect[];
  variables: Readonly<Record<string, string>>;
  /** Die outlines at their stations, in sheet coordinates. */
  dies: readonly Outline[];
  /** Number of sections of the whole job. */
  sectionCount: number;
  /** Size of the profile's own colour bar along a horizontal edge; missing where its PDF has not been opened. */
  strip?: { width: number; height: number };
}

/** A path of PDF operators (move, line, Bézier curve, close) with coordinates in points. */
export type Outline = readonly ['M' | 'L' | 'C' | 'Z', number[]][];

/** A kind of mark. */
export interface MarkDefinition<S extends z.ZodType> {
  kind: MarkKind;
  /** Its name in `marks` of a profile. */
  key: string;
  /** `label` and `field.<setting>`. */
  messages: MessageFiles;
  settings: S;
  /** The setting that a single text given for the whole mark sets. */
  main?: string;
  /** Equal on all sheets of equal geometry, so that it is drawn once for all of them. */
  isStatic: boolean;
  /** The shapes on one side in points; a mark without room is left out and reported in `problems`. */
  draw: (
    context: MarkContext,
    settings: z.output<S>,
  ) => { shapes: Shape[]; problems?: PlanProblem[]; processingStep?: NonNullable<Mark['processingStep']> };
}

/** Infers the type of the settings of a mark. */
export const defineMark = <S extends z.ZodType>(definition: MarkDefinition<S>): MarkDefinition<S> => definition;

/** Areas that no mark may touch: the trim and bleed of every page. */
export interface KeepOut {
  isFree: (rect: Rect) => boolean;
  isFreePoint: (x: number, y: number) => boolean;
  /** The parts of a horizontal or vertical line outside all areas; parts below 1 mm are dropped. */
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
 * Indexes areas by the squares of a coarse grid, so that a query compares a few areas even on a sheet of 10,000 cells.
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

/** Whether two areas overlap. A line (width or height 0) on the edge of an area overlaps it. */
export const overlaps = (area: Rect, rect: Rect): boolean =>
  rect.x <= area.x + area.width - touch + (rect.width === 0 ? 2 * touch : 0) &&
  rect.x + rect.width >= area.x + touch - (rect.width === 0 ? 2 * touch : 0) &&
  rect.y <= area.y + area.height - touch + (rect.height === 0 ? 2 * touch : 0) &&
  rect.y + rect.height >= area.y + touch - (rect.height === 0 ? 2 * touch : 0);

/** Reserves the area of a line, with 1 pt around it, against later marks. */
export function takeLine(context: MarkContext, line: { x1: number; y1: number; x2: number; y2: number }): void {
  context.taken.push({
    x: Math.min(line.x1, line.x2) - 1,
    y: Math.min(line.y1, line.y2) - 1,
    width: Math.abs(line.x2 - line.x1) + 2,
    height: Math.abs(line.y2 - line.y1) + 2,
  });
}

/** Number of evenly spaced positions tried along an edge. */
const places = 24;

export type SheetEdge = 'Top' | 'Bottom' | 'Left' | 'Right';
export type EdgeAlign = 'Start' | 'Centre' | 'End';

/**
 * Reserves a free area of `length` × `thickness` points along a sheet edge, `offset` points inside it: at `align`, else
 * at another position of that edge, else null. Along the left and right edge it runs upwards.
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
