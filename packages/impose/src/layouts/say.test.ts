import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { problemSentence, refusalSentence } from './say.ts';

const params = { overflow: 72, needed: 144, available: 72 };

test('a refusal names the setting and gives lengths in the reader’s unit', () => {
  const fault = { problem: 'impose.blockTooWide', field: 'sheet.width', ...params };
  expect(refusalSentence(fault, 'en', 'Inches')).toBe(
    'Sheet width: The pages do not fit: 1 in too wide (2 in needed, 1 in printable).',
  );
  expect(refusalSentence({ ...fault, field: 'marks.colorBar.strip' }, 'en', 'Inches')).toMatch(/^Colour bar, Own bar/);
});

test.each(locales)('a refusal in %s uses that language’s sentence and number format', (locale) => {
  const problem = { code: 'impose.blockTooWide', severity: 'Fail' as const, field: 'sheet.width', params };
  const said = problemSentence(problem, locale, 'Millimeters');
  expect(said).toMatch(/25[.,]4/);
  expect(refusalSentence({ problem: problem.code, field: problem.field, ...params }, locale, 'Millimeters')).toMatch(
    new RegExp(`^.+: ${said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
  );
});
