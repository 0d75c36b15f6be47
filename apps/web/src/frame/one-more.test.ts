import { describe, expect, it } from 'vitest';
import { oneMore } from './one-more.ts';

const drawn = (due: number[], there: number[], seen: [number, number] | null) =>
  [...oneMore(due, new Set(there), seen && { startIndex: seen[0], endIndex: seen[1] })].sort((a, b) => a - b);

describe('rows that come into sight', () => {
  it('come one by one while a list moves on', () => {
    expect(drawn([2, 3, 4, 5, 6], [0, 1, 2, 3], [3, 4])).toEqual([2, 3, 4]);
    expect(drawn([2, 3, 4, 5, 6], [2, 3, 4], [3, 4])).toEqual([2, 3, 4, 5]);
    expect(drawn([2, 3, 4, 5, 6], [2, 3, 4, 5, 6], [3, 4])).toEqual([2, 3, 4, 5, 6]);
  });

  it('come first where they are seen, also upward', () => {
    expect(drawn([1, 2, 3, 4, 5, 6], [6], [3, 5])).toEqual([3, 6]);
    expect(drawn([1, 2, 3, 4, 5, 6], [3, 4, 5, 6], [3, 5])).toEqual([2, 3, 4, 5, 6]);
  });

  it('come all at once where a list jumps, and first', () => {
    expect(drawn([90, 91, 92], [1, 2, 3], [90, 91])).toEqual([90, 91, 92]);
    expect(drawn([0, 1], [], null)).toEqual([0, 1]);
  });
});
