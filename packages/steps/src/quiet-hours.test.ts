import { expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const night = { isOn: true, from: '20:00', until: '07:00' };
const berlin = 'Europe/Berlin';
const told = (now: string, hours = night, timeZone = berlin) =>
  quietUntil(hours, new Date(now), timeZone)?.toISOString() ?? null;

test.each([
  ['before they begin', '2026-11-25T18:59:59.999Z', null],
  ['when they begin', '2026-11-25T19:00:00.000Z', '2026-11-26T06:00:00.000Z'],
  ['before midnight', '2026-11-25T22:30:00.000Z', '2026-11-26T06:00:00.000Z'],
  ['after midnight', '2026-11-26T03:00:00.000Z', '2026-11-26T06:00:00.000Z'],
  ['just before their end', '2026-11-26T05:59:59.999Z', '2026-11-26T06:00:00.000Z'],
  ['at their end', '2026-11-26T06:00:00.000Z', null],
  ['in the night in which the clock goes back', '2026-10-24T20:00:00.000Z', '2026-10-25T06:00:00.000Z'],
  ['in the night in which it goes forward', '2026-03-28T20:00:00.000Z', '2026-03-29T05:00:00.000Z'],
])('over midnight, %s', (_, now, until) => expect(told(now)).toBe(until));

test('within a day, in the time zone of the house', () => {
  const noon = { isOn: true, from: '12:00', until: '13:30' };
  expect(told('2026-11-25T11:15:00Z', noon)).toBe('2026-11-25T12:30:00.000Z');
  expect(told('2026-11-25T11:15:00Z', noon, 'Asia/Tokyo')).toBeNull();
  expect(told('2026-11-25T03:15:00Z', noon, 'Asia/Tokyo')).toBe('2026-11-25T04:30:00.000Z');
});

test('switched off, or without length, they never hold', () => {
  expect(told('2026-11-25T22:30:00Z', { ...night, isOn: false })).toBeNull();
  expect(told('2026-11-25T22:30:00Z', { ...night, until: '20:00' })).toBeNull();
});
