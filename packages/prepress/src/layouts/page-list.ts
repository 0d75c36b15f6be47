import { pageRangeSchema, resolvePageRange } from '@pdf2press/contract';
import { refuse } from './problems.ts';
import type { SheetSettings } from './settings.ts';

/** Beyond these a plan is a mistake or an attack, and would not fit in memory or on a press. */
export const planLimits = { pages: 100_000, sheets: 100_000, cells: 1_000_000, cellsPerSide: 100_000 } as const;

/**
 * Pages in the order of `range`, each part of the list by itself, so that `3,1,1` stays `3,1,1` (spec/impose §2,
 * repeat list; grammar of spec/preflight §1.5).
 */
export function listPages(range: string, pageCount: number): number[] {
  if (pageCount < 1) refuse('impose.noPages', 'pages');
  if (
    !pageRangeSchema.safeParse(range.length <= 500 ? range : 'x').success &&
    !range.split(',').every((part) => pageRangeSchema.safeParse(part).success)
  ) {
    refuse('impose.pagesInvalid', 'pages', { pages: range.slice(0, 60) });
  }
  const list = range.split(',').flatMap((part) => resolvePageRange(part, pageCount));
  if (list.length === 0) refuse('impose.noPages', 'pages', { pages: range.slice(0, 60), count: pageCount });
  if (list.length > planLimits.pages)
    refuse('impose.tooManyPages', 'pages', { count: list.length, limit: planLimits.pages });
  return list;
}

/** The list brought to `size` entries, 0 for blank. */
export function padPages(list: readonly number[], size: number, padding: SheetSettings['padding']): number[] {
  const missing = size - list.length;
  if (missing <= 0) return [...list];
  const blanks = new Array<number>(missing).fill(0);
  switch (padding) {
    case 'BlankEnd':
      return [...list, ...blanks];
    case 'BlankBeforeLast':
      return [...list.slice(0, -1), ...blanks, ...list.slice(-1)];
    case 'Repeat':
      return Array.from({ length: size }, (_, i) => list[i % list.length] ?? 0);
    case 'FailIfIncomplete':
      return refuse('impose.incomplete', 'padding', { count: list.length, places: size, missing });
  }
}
