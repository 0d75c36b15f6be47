import { gapsOf, isolationLevel, isolationLevels } from '@pdf2press/pdf/limited';
import { expect, test } from 'vitest';
import { demandIsolation, IsolationError } from './isolation.ts';

test('a system that isolates as well as needed, or better, is told with what stays open', () => {
  expect(demandIsolation('timer')).toEqual({
    level: isolationLevel(),
    gaps: gapsOf(isolationLevel()),
    needed: 'timer',
  });
  expect(demandIsolation('limits', 'namespace')).toEqual({ level: 'namespace', gaps: ['files'], needed: 'limits' });
  expect(demandIsolation('walls', 'walls').gaps).toEqual([]);
});

test.each(isolationLevels.flatMap((needed, at) => isolationLevels.slice(0, at).map((level) => ({ needed, level }))))(
  'where $needed is needed, $level is refused in one line that says what it leaves open',
  ({ needed, level }) => {
    expect(() => demandIsolation(needed, level)).toThrow(IsolationError);
    expect(() => demandIsolation(needed, level)).toThrow(
      new RegExp(`^PDF_ISOLATION is ${needed}, .* than ${level}: a hostile PDF could [^\\n]+\\.$`),
    );
  },
);
