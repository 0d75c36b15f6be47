import type { PageBinding, SessionPage } from '@pdf2press/contract';
import { type Area, type Size, type Spot, toArea } from './page-geometry.ts';

/** How the pages of a file are read: one by one, two by two as in a bound copy, or so that they turn like leaves. */
export const readings = ['single', 'spread', 'flip'] as const;
export type Reading = (typeof readings)[number];

/**
 * Numbers of the pages that are seen together with a page: the first lies alone, and each even page faces the odd one after it.
 * Bound at the left, odd pages lie on the right; bound at the right, on the left.
 */
export function pagesSeen(reading: Reading, current: number, count: number): readonly number[] {
  if (reading === 'single') return [current];
  const left = current - (current % 2);
  return [left, left + 1].filter((page) => page >= 1 && page <= count);
}

/** The page that turning opens, 1 on and -1 back; null at either end. */
export function turnedTo(reading: Reading, current: number, count: number, by: 1 | -1): number | null {
  const seen = pagesSeen(reading, current, count);
  const next = by === 1 ? (seen.at(-1) ?? current) + 1 : (seen[0] ?? current) - 1;
  return next < 1 || next > count ? null : (pagesSeen(reading, next, count)[0] ?? null);
}

/** Numbers of the pages that turning would show, back and on. */
export const pagesAhead = (reading: Reading, current: number, count: number): readonly number[] =>
  ([-1, 1] as const).flatMap((by) => {
    const next = turnedTo(reading, current, count, by);
    return next === null ? [] : pagesSeen(reading, next, count);
  });

/** A page on the table, in points. */
export interface PlacedPage {
  page: SessionPage;
  /** Its upper left corner, from that of the table. */
  at: { x: number; y: number };
  /** Of the spine. */
  isLeft: boolean;
  /** What of it lies beyond the spine and is not shown: the bleed that the binding hides. */
  cut: { left: number; right: number };
}

/** Pages that are seen together, in reading order, and the area that holds them. */
export interface Opening {
  size: Size;
  pages: readonly PlacedPage[];
  /** From the left edge of the area; null where a page is shown by itself. */
  spine: number | null;
  /** At the right, leaves turn on to the right. */
  binding: PageBinding;
}

type Sized = Pick<SessionPage, 'page' | 'boxes' | 'rotate' | 'widthPt' | 'heightPt'>;

const isLeft = ({ page }: Sized, binding: PageBinding): boolean => (page % 2 === 0) === (binding === 'Left');
const within = (share: number): number => Math.min(1, Math.max(0, share));

/** The edges of the trimmed page that meet its neighbour, in points from its upper left. */
function edgesOf(page: Sized, binding: PageBinding): { spine: number; top: number } {
  const trim = toArea(page, page.boxes.trim);
  return {
    spine: within(isLeft(page, binding) ? trim.x + trim.width : trim.x) * page.widthPt,
    top: within(trim.y) * page.heightPt,
  };
}

/** The room around the point where the spine meets the upper edge of the trimmed pages. */
function roomFor(pages: readonly Sized[], binding: PageBinding): Record<'left' | 'right' | 'above' | 'below', number> {
  const room = { left: 0, right: 0, above: 0, below: 0 };
  for (const page of pages) {
    const { spine, top } = edgesOf(page, binding);
    if (isLeft(page, binding)) room.left = Math.max(room.left, spine);
    else room.right = Math.max(room.right, page.widthPt - spine);
    room.above = Math.max(room.above, top);
    room.below = Math.max(room.below, page.heightPt - top);
  }
  return room;
}

/** A page by itself. */
export const alone = (page: SessionPage): Opening => ({
  size: { width: page.widthPt, height: page.heightPt },
  pages: [{ page, at: { x: 0, y: 0 }, isLeft: false, cut: { left: 0, right: 0 } }],
  spine: null,
  binding: 'Left',
});

/**
 * Facing pages as in a bound and trimmed copy: their trimmed edges meet at the spine, their heads are level. A page without a
 * neighbour leaves the other side free.
 * @param options.among pages whose openings all have the same size, so that the spine stays where it is while leaves turn
 */
export function facing(
  pages: readonly SessionPage[],
  { among = pages, binding = 'Left' }: { among?: readonly Sized[]; binding?: PageBinding } = {},
): Opening {
  const { left, right, above, below } = roomFor(among, binding);
  const spine = left || right;
  return {
    size: { width: spine + (right || left), height: above + below },
    spine,
    binding,
    pages: pages.map((page) => {
      const edges = edgesOf(page, binding);
      const onLeft = isLeft(page, binding);
      return {
        page,
        at: { x: spine - edges.spine, y: above - edges.top },
        isLeft: onLeft,
        cut: onLeft ? { left: 0, right: page.widthPt - edges.spine } : { left: edges.spine, right: 0 },
      };
    }),
  };
}

/** A place on the opening as a place on the page on that side of the spine, beside which it may lie. */
export function spotOn(opening: Opening, spot: Spot): { placed: PlacedPage; spot: Spot } | null {
  const { size, pages, spine } = opening;
  const placed = pages.find((one) => pages.length < 2 || one.isLeft === spot.x * size.width < (spine ?? 0));
  return placed ? { placed, spot: spotOnPage(opening, placed, spot) } : null;
}

/** A place on the opening in shares of one of its pages. */
export const spotOnPage = ({ size }: Opening, { page, at }: PlacedPage, spot: Spot): Spot => ({
  x: (spot.x * size.width - at.x) / page.widthPt,
  y: (spot.y * size.height - at.y) / page.heightPt,
});

/** Part of a page as part of the opening. */
export function areaOn({ size }: Opening, { page, at }: PlacedPage, area: Area): Area {
  return {
    x: (at.x + area.x * page.widthPt) / size.width,
    y: (at.y + area.y * page.heightPt) / size.height,
    width: (area.width * page.widthPt) / size.width,
    height: (area.height * page.heightPt) / size.height,
  };
}

/** Whether a place lies on what is shown of a page. */
export function isOnPage({ page, cut }: PlacedPage, { x, y }: Spot): boolean {
  return x * page.widthPt >= cut.left && (1 - x) * page.widthPt >= cut.right && x >= 0 && x <= 1 && y >= 0 && y <= 1;
}
