import { expect, test } from 'vitest';
import { isTooBusy } from './overload.ts';

test.each([
  { lag: 100, limit: 200, stranger: false, signedIn: false },
  { lag: 300, limit: 200, stranger: true, signedIn: false },
  { lag: 1100, limit: 200, stranger: true, signedIn: true },
  // Nothing was measured: the loop stood still for one interval, not for ever.
  { lag: Number.POSITIVE_INFINITY, limit: 500, stranger: true, signedIn: false },
  { lag: Number.POSITIVE_INFINITY, limit: 600_000, stranger: false, signedIn: false },
])('a lag of $lag ms with a limit of $limit ms', ({ lag, limit, stranger, signedIn }) => {
  expect([isTooBusy(lag, limit, true), isTooBusy(lag, limit, false)]).toEqual([stranger, signedIn]);
});
