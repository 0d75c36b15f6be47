import { expect, test } from 'vitest';
import { codeRange, writableCode } from './code-range.ts';

test('what may be written and executed counts, and nothing else', () => {
  const maps = [
    '7efdd8000000-7efdf8000000 rwxp 00000000 00:00 0 ',
    '7efe00030000-7efe10000000 ---p 00000000 00:00 0 ',
    '0074a000-03044000 r-xp 0034a000 fe:00 2196769                            /usr/bin/node',
    '7efe10000000-7efe10001000 rwxp 00000000 00:00 0 ',
    '7efe10002000-7efe10003000 rw-p 00000000 00:00 0 ',
  ].join('\n');
  expect(writableCode(maps)).toBe(0x2000_0000 + 0x1000);
  expect(writableCode('')).toBe(0);
});

test('of this process, it is less than all address space that is kept for code', () => {
  expect(codeRange()).toBeGreaterThanOrEqual(0);
  expect(codeRange()).toBeLessThanOrEqual(2 ** 30);
});
