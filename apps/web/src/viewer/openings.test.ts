import type { SessionPage } from '@pdf2press/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alone, areaOn, facing, isOnPage, pagesAhead, pagesSeen, readings, spotOn, turnedTo } from './openings.ts';

type Box = [number, number, number, number];
/** A page of the given trimmed size with bleed on all sides. */
function pageOf(page: number, [width, height]: [number, number], bleed = 0): SessionPage {
  const whole: Box = [0, 0, width + 2 * bleed, height + 2 * bleed];
  const trim: Box = [bleed, bleed, bleed + width, bleed + height];
  return {
    page,
    label: null,
    widthPt: whole[2],
    heightPt: whole[3],
    rotate: 0,
    userUnit: 1,
    boxes: { media: whole, crop: whole, bleed: whole, trim, art: trim },
    inks: [],
    levels: [],
    isReady: true,
  };
}

test('the first page lies alone, then even pages face odd ones, and the last may lie alone again', () => {
  const openings = [1, 2, 3, 4, 5, 6].map((page) => pagesSeen('spread', page, 6));
  expect(openings).toEqual([[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]]);
  expect(pagesSeen('single', 3, 6)).toEqual([3]);
  expect(pagesSeen('flip', 1, 1)).toEqual([1]);
});

test('turning on and on shows every page once, and turning back shows them in reverse', () => {
  fc.assert(
    fc.property(fc.constantFrom(...readings), fc.integer({ min: 1, max: 40 }), (reading, count) => {
      const way = (from: number, by: 1 | -1): number[][] => {
        const seen = [...pagesSeen(reading, from, count)];
        const next = turnedTo(reading, from, count, by);
        return next === null ? [seen] : [seen, ...way(next, by)];
      };
      const on = way(1, 1);
      expect(on.flat()).toEqual(Array.from({ length: count }, (_, at) => at + 1));
      expect(way(count, -1)).toEqual(on.toReversed());
    }),
  );
});

test('what turning would show is known before', () => {
  expect(pagesAhead('spread', 3, 9)).toEqual([1, 4, 5]);
  expect(pagesAhead('single', 1, 2)).toEqual([2]);
});

test('trimmed edges meet at the spine, heads are level, and the bleed between the pages is hidden', () => {
  const { size, spine, pages } = facing([pageOf(2, [100, 200], 9), pageOf(3, [80, 150], 3)]);
  expect(spine).toBe(109);
  expect(size).toEqual({ width: 109 + 83, height: 9 + 200 + 9 });
  expect(pages.map(({ at, cut }) => ({ at, cut }))).toEqual([
    { at: { x: 0, y: 0 }, cut: { left: 0, right: 9 } },
    { at: { x: 106, y: expect.closeTo(6, 9) }, cut: { left: 3, right: 0 } },
  ]);
});

test('a page without a neighbour leaves the other side free', () => {
  const cover = facing([pageOf(1, [100, 200])]);
  expect(cover).toMatchObject({ size: { width: 200, height: 200 }, spine: 100, pages: [{ at: { x: 100, y: 0 } }] });
  expect(facing([pageOf(4, [100, 200])])).toMatchObject({ size: { width: 200 }, pages: [{ at: { x: 0, y: 0 } }] });
});

test('bound at the right, even pages lie on the right of the odd ones that follow them, and the first on the left', () => {
  const pages = [pageOf(2, [100, 200], 9), pageOf(3, [80, 150], 3)];
  const opening = facing(pages, { binding: 'Right' });
  expect(opening).toMatchObject({ binding: 'Right', spine: 83, size: { width: 83 + 109, height: 9 + 200 + 9 } });
  expect(opening.pages.map(({ page, at, isLeft, cut }) => [page.page, Math.round(at.x), isLeft, cut])).toEqual([
    [2, 74, false, { left: 9, right: 0 }],
    [3, 0, true, { left: 0, right: 3 }],
  ]);
  expect(spotOn(opening, { x: 0.1, y: 0.5 })?.placed.page.page).toBe(3);
  expect(spotOn(opening, { x: 0.9, y: 0.5 })?.placed.page.page).toBe(2);
  const cover = facing([pageOf(1, [100, 200])], { binding: 'Right' });
  expect(cover).toMatchObject({ spine: 100, size: { width: 200 }, pages: [{ at: { x: 0, y: 0 }, isLeft: true }] });
});

test('while leaves turn, all openings have the size of the largest and the spine stays', () => {
  const all = [pageOf(1, [100, 200]), pageOf(2, [90, 200]), pageOf(3, [120, 210]), pageOf(4, [100, 200])];
  const openings = [[1], [2, 3], [4]].map((seen) =>
    facing(
      all.filter(({ page }) => seen.includes(page)),
      { among: all },
    ),
  );
  for (const { size, spine } of openings)
    expect({ size, spine }).toEqual({ size: { width: 220, height: 210 }, spine: 100 });
});

test('a place on the opening belongs to the page on its side of the spine, and comes back as it was', () => {
  const opening = facing([pageOf(2, [100, 200], 9), pageOf(3, [80, 150], 3)]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (x, y) => {
      const on = spotOn(opening, { x, y });
      expect(on?.placed.page.page).toBe(x * opening.size.width < 109 ? 2 : 3);
      if (!on) return;
      const back = areaOn(opening, on.placed, { ...on.spot, width: 0, height: 0 });
      expect([back.x, back.y]).toEqual([expect.closeTo(x, 9), expect.closeTo(y, 9)]);
    }),
  );
});

test('below a shorter page, and over what the binding hides, there is no page', () => {
  const [left, right] = facing([pageOf(2, [100, 200], 9), pageOf(3, [80, 150], 3)]).pages;
  if (!left || !right) throw new Error('no opening');
  expect(isOnPage(left, { x: 0.5, y: 0.5 })).toBe(true);
  expect(isOnPage(left, { x: 0.99, y: 0.5 })).toBe(false);
  expect(isOnPage(right, { x: 0.01, y: 0.5 })).toBe(false);
  expect(isOnPage(right, { x: 0.5, y: 1.1 })).toBe(false);
});

test('a page by itself is as large as the page', () => {
  const page = pageOf(3, [100, 200], 9);
  expect(alone(page)).toMatchObject({ size: { width: 118, height: 218 }, spine: null });
  expect(spotOn(alone(page), { x: 1.5, y: -1 })?.spot).toEqual({ x: 1.5, y: -1 });
});
