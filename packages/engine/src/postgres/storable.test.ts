import { expect, test } from 'vitest';
import { storable } from './storable.ts';

test('texts lose what Postgres cannot store, wherever they stand; everything else stays as it is', () => {
  const at = new Date();
  const given = { 'a\0b': ['\ud800x', { n: 1, at, no: null, not: undefined }], pair: '\u{1f600}', flag: true };
  expect(storable(given)).toEqual({
    'a\ufffdb': ['\ufffdx', { n: 1, at, no: null, not: undefined }],
    pair: '\u{1f600}',
    flag: true,
  });
});
