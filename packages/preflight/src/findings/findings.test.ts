import type { Finding } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import type { ProfileCheck } from '../profile/profile.ts';
import { mergeCollected, nothingCollected } from './findings.ts';

const finding = (more: Partial<Finding>): Finding => ({
  id: '',
  checkKey: 'Bleed',
  ruleKey: 'Bleed.missing',
  severity: 'Warn',
  page: 1,
  params: {},
  count: 1,
  fixableBy: null,
  ...more,
});

const merged = (maxFindings: number, ...parts: Finding[][]) =>
  mergeCollected(
    { maxFindings } as ProfileCheck,
    parts.map((findings) => ({ ...nothingCollected(), findings })),
  );

test('a finding of many pages has each once and in order, however its parts came', () => {
  const pages = (...numbers: number[]) => [finding({ page: numbers[0] ?? null, pages: numbers })];
  const { findings } = merged(10, pages(3), pages(4), pages(6, 7), pages(1, 4), pages(7, 9, 8), pages(10));
  expect(findings.map(({ pages, count }) => [pages, count])).toEqual([[[1, 3, 4, 6, 7, 8, 9, 10], 6]]);
});

test('beyond the most findings of a check those of the lowest severity are only counted', () => {
  const of = (severity: Finding['severity'], page: number) => finding({ severity, page });
  const { findings, dropped } = merged(2, [of('Info', 1), of('Fail', 1)], [of('Warn', 2), of('Info', 3)]);
  expect(findings.map(({ severity }) => severity)).toEqual(['Fail', 'Warn']);
  expect(dropped).toEqual({ Info: 2, Warn: 0, Fail: 0 });
});
