/** Spatial index of the rectangles of a page; a page may have a hundred thousand. */
import { intersect, isEmptyRect, type Rect } from '@pdf2press/pdf';

export interface RectIndex {
  add: (box: Rect) => void;
  /** Whether any added rectangle overlaps this one. */
  meets: (box: Rect) => boolean;
}

/** Cells along each side of the grid. */
const cells = 64;
/** A rectangle over more cells than these is kept in a separate list. */
const mostCells = 256;

export function createRectIndex([x0, y0, x1, y1]: Rect): RectIndex {
  const grid = new Map<number, Rect[]>();
  const large: Rect[] = [];
  const cell = (value: number, low: number, high: number): number =>
    Math.min(cells - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * cells)));
  /** Cells that a rectangle overlaps; null when there are too many. */
  const cellsOf = (box: Rect): number[] | null => {
    const [left, right] = [cell(box[0], x0, x1), cell(box[2], x0, x1)];
    const [bottom, top] = [cell(box[1], y0, y1), cell(box[3], y0, y1)];
    if ((right - left + 1) * (top - bottom + 1) > mostCells) return null;
    const keys: number[] = [];
    for (let y = bottom; y <= top; y += 1) for (let x = left; x <= right; x += 1) keys.push(y * cells + x);
    return keys;
  };
  return {
    add(box) {
      const keys = cellsOf(box);
      if (!keys) large.push(box);
      for (const key of keys ?? []) {
        const list = grid.get(key);
        if (list) list.push(box);
        else grid.set(key, [box]);
      }
    },
    meets(box) {
      const isHit = (other: Rect): boolean => !isEmptyRect(intersect(box, other));
      if (large.some(isHit)) return true;
      const lists = cellsOf(box)?.map((key) => grid.get(key)) ?? [...grid.values()];
      return lists.some((list) => list?.some(isHit));
    },
  };
}
