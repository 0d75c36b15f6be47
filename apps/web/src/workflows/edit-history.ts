/*
 * What was edited, to go back to and forth again. One gesture is one entry: changes that name the same gesture follow
 * each other into one. Written here because the libraries for it know no gestures and remember every change.
 */

/** A message key and its parameters: what an entry did, for the words of "undone". */
export interface Deed {
  key: string;
  params?: Record<string, string | number>;
}

interface Entry<T> {
  /** How it was before. */
  before: T;
  deed: Deed;
  gesture: string | null;
}

export interface History<T> {
  past: readonly Entry<T>[];
  present: T;
  future: readonly { after: T; deed: Deed }[];
}

/** So many steps back are kept. */
export const mostEntries = 100;

export const historyOf = <T>(present: T): History<T> => ({ past: [], present, future: [] });

/** Remembers a change. The same object again is no change. */
export function remember<T>(
  history: History<T>,
  { next, deed, gesture = null }: { next: T; deed: Deed; gesture?: string | null },
): History<T> {
  if (next === history.present) return history;
  const last = history.past.at(-1);
  const isSameGesture = gesture !== null && last?.gesture === gesture && history.future.length === 0;
  const past = isSameGesture
    ? history.past
    : [...history.past, { before: history.present, deed, gesture }].slice(-mostEntries);
  return { past, present: next, future: [] };
}

/** Ends the gesture that is under way: the next change is an entry of its own. */
export function endGesture<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  return last?.gesture ? { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] } : history;
}

export function undo<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (!last) return history;
  return {
    past: history.past.slice(0, -1),
    present: last.before,
    future: [{ after: history.present, deed: last.deed }, ...history.future],
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [first, ...future] = history.future;
  if (!first) return history;
  return {
    past: [...history.past, { before: history.present, deed: first.deed, gesture: null }],
    present: first.after,
    future,
  };
}
