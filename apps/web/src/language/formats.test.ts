import { expect, test } from 'vitest';
import { formatAgo, formatDue, formatSize } from './formats.ts';

test('sizes are written in units of 1024 with two decimals', () => {
  expect([0, 1, 1023, 1024, 50_438_144, 1024 ** 8].map(formatSize)).toEqual([
    '0 Bytes',
    '1 Bytes',
    '1023 Bytes',
    '1.00 KB',
    '48.10 MB',
    '1.00 YB',
  ]);
});

test('what is due is said to come, what has been to be past, and neither the other way about', () => {
  const now = Date.UTC(2030, 0, 1);
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  expect(formatDue(at(15), now)).toBe('in 15 min.');
  expect(formatDue(at(-15), now)).toBe('now');
  expect(formatAgo(at(-15), now)).toBe('15 min. ago');
  expect(formatAgo(at(15), now)).toBe('now');
});
