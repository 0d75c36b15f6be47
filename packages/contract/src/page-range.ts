import { z } from 'zod';

/** Page ranges as typed: `all | odd | even | first | last | N | N-M | N- | -K (K-th from the end)`, joined by commas. */
const part = /^(?:all|odd|even|first|last|(-?\d+)(?:(-)(-?\d+)?)?)$/i;

export const pageRangeSchema = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text.split(',').every((piece) => part.test(piece.trim())), {
    params: { code: 'pageRange.invalid' },
  });

/**
 * The pages (1-based, ascending, without duplicates) that a range selects in a document of `pageCount` pages; parts outside
 * are ignored.
 */
export function resolvePageRange(range: string, pageCount: number): number[] {
  const pages = new Set<number>();
  const absolute = (n: number) => (n < 0 ? pageCount + 1 + n : n);
  const add = (from: number, to: number, step = 1) => {
    for (let page = Math.max(from, 1); page <= Math.min(to, pageCount); page += step) pages.add(page);
  };
  for (const piece of range.split(',')) {
    const word = piece.trim().toLowerCase();
    if (word === 'all') add(1, pageCount);
    else if (word === 'odd') add(1, pageCount, 2);
    else if (word === 'even') add(2, pageCount, 2);
    else if (word === 'first') add(1, 1);
    else if (word === 'last') add(pageCount, pageCount);
    else {
      const match = part.exec(word);
      if (!match?.[1]) continue;
      const from = absolute(Number(match[1]));
      if (match[2] && match[3] === undefined) add(from, pageCount);
      else {
        const to = match[2] ? absolute(Number(match[3])) : from;
        add(Math.min(from, to), Math.max(from, to));
      }
    }
  }
  return [...pages].sort((a, b) => a - b);
}

/** Positions that a rule may be limited to. */
export const pagePositions = ['Any', 'First', 'Last', 'FirstAndLast', 'SecondAndNextToLast'] as const;
export const pagePositionSchema = z.enum(pagePositions);
export type PagePosition = (typeof pagePositions)[number];

/** Whether page `page` (1-based) of `pageCount` is at `position`. */
export function isAtPosition(page: number, pageCount: number, position: PagePosition): boolean {
  const first = page === 1;
  const last = page === pageCount;
  return {
    Any: true,
    First: first,
    Last: last,
    FirstAndLast: first || last,
    SecondAndNextToLast: page === 2 || page === pageCount - 1,
  }[position];
}

/** At most this many ranges are named. */
const mostRanges = 6;

/** Pages as text: `1–4, 7`. The order does not matter; a page may be named twice. */
export function pageRanges(pages: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else runs.push([page, page]);
  }
  const text = runs.slice(0, mostRanges).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return text.join(', ') + (runs.length > mostRanges ? ' …' : '');
}
