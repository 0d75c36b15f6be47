import { expect, test } from 'vitest';
import { type Rotation, rotatedSpot } from './page-rotation.ts';
import { dividerOnTable, rightOfDivider } from './swipe-divider.ts';

/** Whether a spot of the table is left by a `clip-path` of it. */
function isLeft({ x, y }: { x: number; y: number }, clip: string): boolean {
  const [top = 0, right = 0, bottom = 0, left = 0] = clip
    .slice('inset('.length, -1)
    .split(' ')
    .map((side) => Number.parseFloat(side) / 100);
  return y >= top && x <= 1 - right && y <= 1 - bottom && x >= left;
}

test.each([0, 90, 180, 270] as const satisfies Rotation[])(
  'turned by %i°, what is right of the divider on the screen is left of the upper page, and nothing else',
  (rotation) => {
    for (const share of [0, 30, 80, 100])
      for (const x of [0.05, 0.25, 0.45, 0.75, 0.95])
        for (const y of [0.05, 0.25, 0.45, 0.75, 0.95]) {
          const spot = { x, y };
          expect(isLeft(spot, rightOfDivider(share, rotation))).toBe(rotatedSpot(spot, rotation).x >= share / 100);
        }
  },
);

test.each([0, 90, 180, 270] as const satisfies Rotation[])(
  'turned by %i°, the divider stands where it is put',
  (rotation) => {
    const place = dividerOnTable(30, rotation);
    const spot =
      'left' in place
        ? { x: Number.parseFloat(place.left) / 100, y: 0.5 }
        : { x: 0.5, y: Number.parseFloat(place.top) / 100 };
    expect(rotatedSpot(spot, rotation).x).toBeCloseTo(0.3);
  },
);
