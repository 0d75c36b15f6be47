/** From the first to the last index of what is seen of a list. */
export interface Seen {
  startIndex: number;
  endIndex: number;
}

/**
 * Of the rows that are due, by index, those that are drawn with the next frame: those that are there, and one more, the
 * nearest to what is seen first, so that no frame lays out and paints several. Where a list jumps, none is there, and all
 * come at once.
 */
export function oneMore(due: readonly number[], there: ReadonlySet<number>, seen: Seen | null): ReadonlySet<number> {
  const kept = due.filter((index) => there.has(index));
  if (kept.length === 0) return new Set(due);
  const away = (index: number) => (seen ? Math.max(seen.startIndex - index, index - seen.endIndex, 0) : 0);
  const [next] = due.filter((index) => !there.has(index)).sort((a, b) => away(a) - away(b));
  return new Set(next === undefined ? kept : [...kept, next]);
}
