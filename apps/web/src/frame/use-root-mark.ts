import { useLayoutEffect } from 'react';

/** What styles of the frame ask for as an attribute of the root element. */
type RootMark =
  /** A screen waits for its data. */
  | 'data-loading'
  /** A form has its bar of buttons at the bottom of the window. */
  | 'data-save-bar'
  /** A part of the page fills the window. */
  | 'data-filled';

const counts = new Map<RootMark, number>();

function count(mark: RootMark, by: number): void {
  const now = (counts.get(mark) ?? 0) + by;
  counts.set(mark, now);
  document.documentElement.toggleAttribute(mark, now > 0);
}

/**
 * Marks the root element as long as a component is there for which it holds. With `:root:has()` instead, the browser would
 * style the root anew whenever an element anywhere comes or goes: with every row of a long list that is scrolled.
 */
export function useRootMark(mark: RootMark, holds: boolean): void {
  useLayoutEffect(() => {
    if (!holds) return;
    count(mark, 1);
    return () => count(mark, -1);
  }, [mark, holds]);
}
