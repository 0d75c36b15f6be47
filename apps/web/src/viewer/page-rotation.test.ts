import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Spot } from './page-geometry.ts';
import {
  type Rotation,
  rotatedArea,
  rotatedFurther,
  rotatedPlace,
  rotatedSize,
  rotatedSpot,
  unrotated,
  unrotatedSpot,
  unrotatedWay,
} from './page-rotation.ts';

const rotations = [0, 90, 180, 270] as const;
const table = { width: 200, height: 400 };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyTurn = fc.constantFrom<Rotation>(...rotations);

test('four rotations to either side are none', () => {
  expect(rotations.map((rotation) => rotatedFurther(rotation, 90))).toEqual([90, 180, 270, 0]);
  expect(rotations.map((rotation) => rotatedFurther(rotation, -90))).toEqual([270, 0, 90, 180]);
});

test('the upper left corner goes round clockwise', () => {
  expect(rotations.map((rotation) => rotatedSpot({ x: 0, y: 0 }, rotation))).toEqual([
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ]);
});

test('a place, and the way to it, come back from every rotation', () => {
  fc.assert(
    fc.property(anyTurn, share, share, share, share, (rotation, x, y, toX, toY) => {
      const back = unrotatedSpot(rotatedSpot({ x, y }, rotation), rotation);
      expect(back.x).toBeCloseTo(x, 9);
      expect(back.y).toBeCloseTo(y, 9);
      const onScreen = (spot: Spot) => {
        const { width, height } = rotatedSize(table, rotation);
        const at = rotatedSpot(spot, rotation);
        return [at.x * width, at.y * height] as const;
      };
      const [from, to] = [onScreen({ x, y }), onScreen({ x: toX, y: toY })];
      const way = unrotatedWay([to[0] - from[0], to[1] - from[1]], rotation);
      expect(way[0]).toBeCloseTo((toX - x) * table.width, 6);
      expect(way[1]).toBeCloseTo((toY - y) * table.height, 6);
    }),
  );
});

test('an area has its sides exchanged with a quarter rotation', () => {
  const turned = rotatedArea({ x: 0.1, y: 0.2, width: 0.3, height: 0.4 }, 90);
  expect(turned).toEqual({
    x: expect.closeTo(0.4),
    y: expect.closeTo(0.1),
    width: expect.closeTo(0.4),
    height: expect.closeTo(0.3),
  });
});

/** Where CSS puts a place of the table: what `rotatedPlace` says, carried out. */
function placedByCss(spot: Spot, view: { scale: number; x: number; y: number }, rotation: Rotation): [number, number] {
  const { inlineSize, blockSize, transform } = rotatedPlace(table, view, rotation);
  const [x = 0, y = 0] = /translate\((.+)px, (.+)px\)/.exec(transform)?.slice(1).map(Number) ?? [];
  const angle = (rotation * Math.PI) / 180;
  const [across, down] = [spot.x * inlineSize, spot.y * blockSize];
  return [x + across * Math.cos(angle) - down * Math.sin(angle), y + across * Math.sin(angle) + down * Math.cos(angle)];
}

test('what is drawn lies where the pointer finds it, and what is in sight is drawn', () => {
  const stage = { width: 800, height: 600 };
  fc.assert(
    fc.property(anyTurn, share, share, fc.integer({ min: -900, max: 900 }), (rotation, x, y, moved) => {
      const view = { scale: 2.5, x: moved, y: moved / 3 };
      const [left, top] = placedByCss({ x, y }, view, rotation);
      const { width, height } = rotatedSize(table, rotation);
      const onScreen = rotatedSpot({ x, y }, rotation);
      expect(left).toBeCloseTo(view.x + onScreen.x * width * view.scale, 6);
      expect(top).toBeCloseTo(view.y + onScreen.y * height * view.scale, 6);
      const back = unrotated(table, view, stage, rotation);
      const there = [back.view.x + x * table.width * view.scale, back.view.y + y * table.height * view.scale] as const;
      const isIn = (place: readonly [number, number], of: { width: number; height: number }) =>
        place[0] >= 0 && place[0] <= of.width && place[1] >= 0 && place[1] <= of.height;
      const edges = [left, top, stage.width - left, stage.height - top];
      fc.pre(edges.every((edge) => Math.abs(edge) > 1e-6));
      expect(isIn(there, back.stage)).toBe(isIn([left, top], stage));
    }),
  );
});
