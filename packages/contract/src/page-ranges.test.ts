import { expect, test } from 'vitest';
import { pageRanges } from './page-range.ts';

test.each([
  [[], ''],
  [[7], '7'],
  [[4, 2, 3, 1, 7, 7], '1–4, 7'],
  [Array.from({ length: 111 }, (_, at) => at + 3), '3–113'],
  [[1, 3, 5, 7, 9, 11, 13], '1, 3, 5, 7, 9, 11 …'],
])('%j is %j', (pages, text) => expect(pageRanges(pages)).toBe(text));
