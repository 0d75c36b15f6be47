import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitView,
  keepInSight,
  levelFor,
  tilesInSight,
  toArea,
  toPoint,
  toSpot,
  viewOfArea,
  zoomAt,
} from './page-geometry.ts';

const page = (rotate: 0 | 90 | 180 | 270) => ({
  rotate,
  boxes: {
    media: [0, 0, 300, 500],
    crop: [10, 20, 210, 420],
    bleed: [10, 20, 210, 420],
    trim: [10, 20, 210, 420],
    art: [10, 20, 210, 420],
  } as never,
});

test('the lower left corner of the CropBox is rotated clockwise by /Rotate', () => {
  expect(toSpot(page(0), 10, 20)).toEqual({ x: 0, y: 1 });
  expect(toSpot(page(90), 10, 20)).toEqual({ x: 0, y: 0 });
  expect(toSpot(page(180), 10, 20)).toEqual({ x: 1, y: 0 });
  expect(toSpot(page(270), 10, 20)).toEqual({ x: 1, y: 1 });
});

test('converting a point to page shares and back gives the same point', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
      fc.integer({ min: -50, max: 400 }),
      fc.integer({ min: -50, max: 500 }),
      (rotate, x, y) => {
        const back = toPoint(page(rotate), toSpot(page(rotate), x, y));
        expect(back.x).toBeCloseTo(x, 6);
        expect(back.y).toBeCloseTo(y, 6);
      },
    ),
  );
});

test('the CropBox is the whole page', () => {
  expect(toArea(page(0), [10, 20, 210, 420])).toEqual({ x: 0, y: 0, width: 1, height: 1 });
  expect(toArea(page(90), [10, 20, 210, 120])).toEqual({ x: 0, y: 0, width: 0.25, height: 1 });
});

const stage = { width: 800, height: 600 };
const size = { width: 200, height: 400 };

test('fit centres the whole page', () => {
  const view = fitView(size, stage);
  expect(view.scale).toBeCloseTo((600 - 48) / 400);
  expect(view.x * 2 + size.width * view.scale).toBeCloseTo(stage.width);
});

test('zooming keeps the point under the pointer', () => {
  const view = fitView(size, stage);
  const at = { x: 321, y: 123 };
  const near = zoomAt(view, 1.7, at);
  expect((at.x - near.x) / near.scale).toBeCloseTo((at.x - view.x) / view.scale);
  expect((at.y - near.y) / near.scale).toBeCloseTo((at.y - view.y) / view.scale);
});

test('a finding is centred, and part of the page always stays visible', () => {
  const view = viewOfArea({ x: 0.5, y: 0.25, width: 0.2, height: 0.1 }, size, stage);
  expect(view.x + 0.6 * size.width * view.scale).toBeCloseTo(400);
  const kept = keepInSight({ scale: 1, x: 5000, y: -9000 }, size, stage);
  expect(kept).toEqual({ scale: 1, x: 752, y: -352 });
});

const levels = [36, 72, 144].map((dpi) => ({ dpi, width: (200 * dpi) / 72, height: (400 * dpi) / 72, tile: 128 }));

test('the level fits the zoom and only visible tiles are requested', () => {
  expect(levelFor(levels, 0.4, 1)?.dpi).toBe(36);
  expect(levelFor(levels, 1, 1)?.dpi).toBe(72);
  expect(levelFor(levels, 9, 2)?.dpi).toBe(144);
  expect(levelFor([], 1, 1)).toBeNull();
  const level = levels[1];
  if (!level) throw new Error('no level');
  expect(tilesInSight(level, fitView(size, stage), size, stage)).toHaveLength(2 * 4);
  expect(tilesInSight(level, { scale: 10, x: 0, y: 0 }, size, stage)).toHaveLength(1);
  expect(tilesInSight(level, { scale: 1, x: 9000, y: 0 }, size, stage)).toHaveLength(0);
});
