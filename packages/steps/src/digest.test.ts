import { expect, test } from 'vitest';
import { digestDue } from './digest.ts';

const settings = { mode: 'daily', hours: 4, at: '08:00' } as const;
const due = (now: string, change: object = {}, timeZone = 'Europe/Berlin') =>
  digestDue({ ...settings, ...change }, new Date(now), timeZone)?.toISOString() ?? null;

test('daily, it is due at its time in the time zone of the house, also where the clock changes', () => {
  expect(due('2026-11-26T06:59:59Z')).toBe('2026-11-26T07:00:00.000Z');
  expect(due('2026-11-26T07:00:01Z')).toBe('2026-11-27T07:00:00.000Z');
  expect(due('2026-11-26T07:00:01Z', {}, 'Asia/Tokyo')).toBe('2026-11-26T23:00:00.000Z');
  expect(due('2026-03-28T12:00:00Z')).toBe('2026-03-29T06:00:00.000Z');
});

test('by hours, it is due so many after the first that it gathers; switched off, nothing is gathered', () => {
  expect(due('2026-11-26T06:59:59Z', { mode: 'hours' })).toBe('2026-11-26T10:59:59.000Z');
  expect(due('2026-11-26T06:59:59Z', { mode: 'off' })).toBeNull();
});
