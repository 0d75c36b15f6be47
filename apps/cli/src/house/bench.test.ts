import { expect, test } from 'vitest';
import { mergedLines } from './bench.ts';

const before = [
  '| a page | 3 ms |  |  |  | ≤ 4 | yes |',
  '| two-up | 1 s | cp | 2 | 0.5 | ≤ 1 | yes |',
  '| two-up | 1 s | pdf-lib | 4 | 0.25 | ≤ 1 | yes |',
];

test('a part that is measured alone replaces its rows in their places, told apart by peer, and adds new ones', () => {
  const fresh = ['| two-up | 3 s | pdf-lib | 4 | 0.75 | ≤ 1 | yes |', '| new | 1 s |  |  |  | ≤ 2 | yes |'];
  expect(mergedLines(before, fresh)).toEqual([before[0], before[1], ...fresh]);
  expect(mergedLines(before, [])).toEqual(before);
});
