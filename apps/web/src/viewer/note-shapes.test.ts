import { mostNotePoints, type NoteMark, newNoteSchema, noteMarks, type SessionPage } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { drawnPlace, longer, shapeOf } from './note-shapes.ts';
import type { Spot } from './page-geometry.ts';

const whole: [number, number, number, number] = [0, 0, 200, 100];
/** A page of 200 × 100 points, shown upright or turned. */
const pageOf = (rotate: 0 | 90): SessionPage => ({
  page: 1,
  label: null,
  widthPt: rotate === 0 ? 200 : 100,
  heightPt: rotate === 0 ? 100 : 200,
  rotate,
  userUnit: 1,
  boxes: { media: whole, crop: whole, bleed: whole, trim: whole, art: whole },
  inks: [],
  levels: [],
  isReady: true,
});
const upright = pageOf(0);
const sides = { width: upright.widthPt, height: upright.heightPt };
const way: readonly Spot[] = [
  { x: 0.1, y: 0.2 },
  { x: 0.3, y: 0.9 },
  { x: 0.5, y: 0.2 },
];

test('every mark becomes a place that the API takes', () => {
  const placed = Object.fromEntries(noteMarks.map((mark) => [mark, drawnPlace(upright, mark, way, 1)]));
  expect(placed).toEqual({
    place: { mark: 'place', path: [], box: [20, 80, 100, 80] },
    arrow: { mark: 'arrow', path: [20, 80, 100, 80], box: [20, 80, 100, 80] },
    pen: { mark: 'pen', path: [20, 80, 60, 10, 100, 80], box: [20, 10, 100, 80] },
    strike: { mark: 'strike', path: [], box: [20, 80, 100, 80] },
    insert: { mark: 'insert', path: [], box: [100, 80, 100, 80] },
  });
  for (const place of Object.values(placed))
    expect(newNoteSchema.safeParse({ key: 'one click', text: 'x', page: 1, ...place }).success, place.mark).toBe(true);
});

test('what hardly moved is a point, and what leaves the page is cut at its edge', () => {
  const still = [way[0], { x: 0.101, y: 0.2 }] as Spot[];
  for (const mark of noteMarks.filter((one) => one !== 'insert'))
    expect(drawnPlace(upright, mark, still, 1)).toEqual({ mark: 'place', path: [], box: [20, 80, 20, 80] });
  const beyond = [way[0], { x: 3, y: -1 }] as Spot[];
  expect(drawnPlace(upright, 'arrow', beyond, 1).path).toEqual([20, 80, 200, 100]);
});

test('a line drawn by hand keeps places that lie apart, and not more than the API takes', () => {
  const [start] = way as [Spot];
  expect(longer(sides, [start], { x: 0.101, y: 0.2 }, 1)).toEqual([start]);
  let trail: readonly Spot[] = [];
  for (let at = 0; at < 2 * mostNotePoints; at += 1) trail = longer(sides, trail, { x: at % 2, y: 0.5 }, 1);
  expect(trail).toHaveLength(mostNotePoints);
});

test('on a turned page a mark is shown where it was drawn', () => {
  const turned = pageOf(90);
  const shape = (mark: NoteMark) => {
    const place = drawnPlace(turned, mark, way, 1);
    return shapeOf(turned, { ...place, box: place.box ?? [0, 0, 0, 0] });
  };
  expect(shape('pen')).toBe('M10 40L30 180L50 40');
  expect(shape('arrow')).toMatch(/^M10 40L50 40M39 45L50 40L39 35$/);
  expect(shape('insert')).toBe('M45 50L50 40L55 50');
});
