import { dashboardPeriods } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { boundsOf } from './periods.ts';

const inZone = (timeZone: string, now: string, culture = 'de-DE') => ({ timeZone, culture, now: new Date(now) });
const times = (dates: readonly Date[]) => dates.map((each) => each.toISOString());

test('weeks begin as in the culture, at midnight of the time zone', () => {
  // Sunday evening in Berlin, already Monday in Auckland.
  const now = '2026-11-22T20:00:00Z';
  const berlin = boundsOf('thisWeek', inZone('Europe/Berlin', now));
  expect(times(berlin.bounds)).toEqual(
    [16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day - 1}T23:00:00.000Z`).concat('2026-11-22T23:00:00.000Z'),
  );
  expect(boundsOf('thisWeek', inZone('Pacific/Auckland', now)).bounds[0]?.toISOString()).toBe(
    '2026-11-22T11:00:00.000Z',
  );
  expect(boundsOf('thisWeek', inZone('Europe/Berlin', now, 'en-US')).bounds[0]?.toISOString()).toBe(
    '2026-11-21T23:00:00.000Z',
  );
});

test('a period that has not ended is compared with as much of the one before, another with the whole', () => {
  const running = boundsOf('thisMonth', inZone('UTC', '2026-03-11T06:00:00Z'));
  expect(running).toMatchObject({ isRunning: true, unit: 'day' });
  expect(times([running.previous.from, running.previous.to])).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-02-11T06:00:00.000Z',
  ]);
  // February is shorter than what has passed of March.
  const late = boundsOf('thisMonth', inZone('UTC', '2026-03-31T12:00:00Z'));
  expect(late.previous.to.toISOString()).toBe('2026-03-01T00:00:00.000Z');
  const over = boundsOf('lastMonth', inZone('UTC', '2026-03-11T06:00:00Z'));
  expect(times([over.previous.from, over.previous.to])).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
  ]);
});

test('quarters have weeks, years have months, and the turn of the year is none of its own', () => {
  const quarter = boundsOf('lastQuarter', inZone('UTC', '2026-01-15T00:00:00Z'));
  expect(times(quarter.bounds).slice(0, 3)).toEqual([
    '2025-10-01T00:00:00.000Z',
    '2025-10-06T00:00:00.000Z',
    '2025-10-13T00:00:00.000Z',
  ]);
  expect([quarter.unit, times(quarter.bounds).at(-1)]).toEqual(['week', '2026-01-01T00:00:00.000Z']);
  const year = boundsOf('lastYear', inZone('Asia/Kolkata', '2026-01-15T00:00:00Z'));
  expect([year.unit, year.bounds.length]).toEqual(['month', 13]);
  expect(times(year.bounds)[0]).toBe('2024-12-31T18:30:00.000Z');
});

test('a day begins where clocks are put forward or back at midnight', () => {
  // Santiago: 2026-09-06 begins at 01:00; Havana: 2026-11-01 has midnight twice.
  const september = boundsOf('lastMonth', inZone('America/Santiago', '2026-10-15T12:00:00Z')).bounds;
  expect(september[5]?.toISOString()).toBe('2026-09-06T04:00:00.000Z');
  const november = boundsOf('thisMonth', inZone('America/Havana', '2026-11-15T12:00:00Z')).bounds;
  expect(times(november.slice(0, 2))).toEqual(['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
});

test('the parts of every period follow each other in every time zone', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((_, at) => at % 7 === 0);
  for (const timeZone of zones)
    for (const period of dashboardPeriods)
      for (const now of ['2026-03-29T00:30:00Z', '2026-10-25T01:30:00Z', '2028-02-29T23:59:59Z']) {
        const { bounds, previous, isRunning } = boundsOf(period, inZone(timeZone, now));
        const told = [previous.from, previous.to, ...bounds].map((each) => each.getTime());
        expect(told, `${timeZone} ${period} ${now}`).toEqual([...told].sort((one, other) => one - other));
        expect(new Set(told.slice(2)).size).toBe(bounds.length);
        const at = Date.parse(now);
        expect((told[2] ?? 0) <= at && at < (told.at(-1) ?? 0)).toBe(isRunning);
      }
});
