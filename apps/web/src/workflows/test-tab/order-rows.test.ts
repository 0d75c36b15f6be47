import type { TrialDifference, TrialRow } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { orderRows } from './order-rows.ts';

const row = (fileName: string, status: TrialRow['now']['status'], differences: TrialDifference[] | null): TrialRow => ({
  fileName,
  now: { id: fileName, status, resultLevel: null, createdAt: '2026-11-22T10:00:00.000Z' },
  past: null,
  differences,
  findings: null,
  pages: null,
});

test('what differs most stands on top, what came out the same at the bottom', () => {
  const rows = [
    row('same', 'Completed', []),
    row('running', 'Processing', null),
    row('a little', 'Completed', ['findings']),
    row('brought', 'Completed', null),
    row('much', 'Failed', ['status', 'path']),
  ];
  expect(orderRows(rows).map(({ fileName }) => fileName)).toEqual(['much', 'a little', 'running', 'same', 'brought']);
});
