import { expect, test } from 'vitest';
import { quietUntil, workBegins } from './quiet-hours.ts';

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

test.each([
  ['during work', '2026-11-25T10:00:00Z', null],
  ['when it begins', '2026-11-25T07:00:00Z', null],
  ['when it ends', '2026-11-25T17:00:00Z', '2026-11-26T07:00:00.000Z'],
  ['before it begins', '2026-11-25T05:00:00Z', '2026-11-25T07:00:00.000Z'],
  ['on a Friday evening', '2026-11-27T18:00:00Z', '2026-11-30T07:00:00.000Z'],
  ['on a Sunday at noon', '2026-11-29T11:00:00Z', '2026-11-30T07:00:00.000Z'],
  ['before the clock goes forward', '2026-03-27T18:00:00Z', '2026-03-30T06:00:00.000Z'],
])('the next working hours, %s', (_, now, begins) => {
  const hours = { from: '08:00', until: '18:00', hasWeekends: false };
  expect(workBegins(hours, new Date(now), berlin)?.toISOString() ?? null).toBe(begins);
});

test('weekends can be worked, and hours without length are all of the day', () => {
  const sunday = new Date('2026-11-29T11:00:00Z');
  expect(workBegins({ from: '08:00', until: '18:00', hasWeekends: true }, sunday, berlin)).toBeNull();
  const all = { from: '08:00', until: '08:00', hasWeekends: false };
  expect(workBegins(all, new Date('2026-11-25T02:00:00Z'), berlin)).toBeNull();
  expect(workBegins(all, sunday, berlin)?.toISOString()).toBe('2026-11-30T07:00:00.000Z');
});
