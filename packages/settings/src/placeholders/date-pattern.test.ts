import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDate } from './date-pattern.ts';

/** Every letter that is a number, each with a sign behind it. */
const numbers = 'yyyy/yy-MM.M dd/d HH:H hh:h mm:ss a EEE';

test('a moment in UTC reads as in a zone of the same time, of which Intl tells the numbers', () => {
  const moments = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, (at) => {
      expect(formatDate(at, numbers, { locale: 'en', timeZone: 'UTC' })).toBe(
        formatDate(at, numbers, { locale: 'en', timeZone: 'Etc/GMT' }),
      );
    }),
  );
});

test('the hours of a clock with two halves', () => {
  const hour = (at: string) => formatDate(new Date(at), 'hh a', { locale: 'en', timeZone: 'UTC' });
  expect(['2026-01-01T00:30Z', '2026-01-01T12:30Z', '2026-01-01T13:30Z'].map(hour)).toEqual([
    '12 AM',
    '12 PM',
    '01 PM',
  ]);
});
