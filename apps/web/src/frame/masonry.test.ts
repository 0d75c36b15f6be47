import { expect, test } from 'vitest';
import { layMasonry } from './masonry.tsx';

test('cards move to the shortest column, and the reading order starts with the first card', () => {
  expect(layMasonry([100, 50, 70, 10], 1056, 520)).toEqual({
    columnWidth: 520,
    places: [
      { x: 0, y: 0 },
      { x: 536, y: 0 },
      { x: 536, y: 66 },
      { x: 0, y: 116 },
    ],
    height: 136,
  });
  expect(layMasonry([100, 50], 600, 520)).toMatchObject({ columnWidth: 600, places: [{ y: 0 }, { y: 116 }] });
});
