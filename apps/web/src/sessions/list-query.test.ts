import { expect, test } from 'vitest';
import { queryOfAddress, spanOf } from './list-query.ts';

const ask = (address: Record<string, string | string[]>) =>
  queryOfAddress({
    page: 1,
    pageSize: 25,
    one: (name) => (typeof address[name] === 'string' ? address[name] : null),
    all: (name) => [address[name] ?? []].flat(),
  });

test('days are whole local days, the last one included', () => {
  expect(ask({ from: '2026-11-21', to: '2026-11-21' })).toMatchObject({
    from: new Date(2026, 10, 21).toISOString(),
    to: new Date(2026, 10, 22).toISOString(),
  });
  expect(ask({ from: '2026-12-31', to: '2026-12-31' })).toMatchObject({ to: new Date(2027, 0, 1).toISOString() });
});

test('missing parameters are not sent, and an invalid day is sent unchanged', () => {
  expect(ask({})).toEqual({ page: 1, pageSize: 25 });
  expect(ask({ status: ['Failed'], from: 'yesterday', search: 'a' })).toEqual({
    page: 1,
    pageSize: 25,
    search: 'a',
    status: ['Failed'],
    from: 'yesterday',
  });
});

test('a period is counted from today', () => {
  const now = new Date(2026, 0, 15, 13, 30);
  const day = (month: number, date: number) => new Date(2026, month, date).toISOString();
  expect(spanOf('yesterday', now)).toEqual({ from: day(0, 14), to: day(0, 15) });
  expect(spanOf('last7Days', now)).toEqual({ from: day(0, 9), to: day(0, 16) });
  expect(spanOf('thisMonth', now)).toEqual({ from: day(0, 1), to: day(1, 1) });
  expect(spanOf('lastMonth', now)).toEqual({ from: new Date(2025, 11, 1).toISOString(), to: day(0, 1) });
  expect(ask({ period: 'today' })).toMatchObject(spanOf('today'));
  expect(ask({ period: 'nonsense' })).toEqual({ page: 1, pageSize: 25 });
});
