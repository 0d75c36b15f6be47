import { type PlanProblem, pageRangeSchema, resolvePageRange } from '@pdf2press/contract';
import { refuse, warning } from '../sheet/problems.ts';
import type { SheetSettings } from '../sheet/settings.ts';

/** Limits of a plan, so that mistyped or malicious settings cannot exhaust memory. */
export const planLimits = { pages: 100_000, sheets: 100_000, cells: 1_000_000, cellsPerSide: 100_000 } as const;

/**
 * Page numbers, from 1, in the order of `range`. Each part of a list is resolved separately, so that `3,1,1` keeps its
 * order and repetition.
 * @throws LayoutFault impose.noPages, impose.pagesInvalid, impose.tooManyPages
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

/** Warns about the first part of a page list that names pages which the document does not have. */
export function beyondDocument(range: string, pageCount: number): PlanProblem[] {
  const part = range.split(',').find((one) => (one.match(/\d+/g) ?? []).some((page) => Number(page) > pageCount));
  return part === undefined
    ? []
    : [warning('impose.pagesBeyond', 'pages', { pages: part.trim().slice(0, 60), count: pageCount })];
}

/** Extends a list to `size` entries; 0 is a blank page. @throws LayoutFault impose.incomplete */
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
