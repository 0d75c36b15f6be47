import { expect, test } from 'vitest';
import { formatSize } from './formats.ts';

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
