import { measureElement, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { oneMore, type Seen } from './one-more.ts';
import classes from './rows-in-sight.module.css';
import { createStillness, StillnessContext } from './stillness.ts';

interface Props {
  className: string | undefined;
  count: number;
  /** Whether there are more rows than are counted. */
  isOpenEnded?: boolean;
  /** Of a row before any is measured, CSS pixels. */
  usualHeight: number;
  /** Index of the row that is brought into sight, -1 for none. */
  chosen: number;
  row: (index: number) => ReactNode;
  /** The rows in sight have changed: from this one to that one. */
  onSight: (first: number, last: number) => void;
}

/** A list in the scrolling panel around it, of which only the rows in sight are in the document. */
export function RowsInSight({ className, count, isOpenEnded = false, usualHeight, chosen, row, onSight }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const scroller = () => list.current?.closest<HTMLElement>('[data-scroller]') ?? null;
  const start = useStart(list, scroller);
  const measured = useRef({ rows: 0, height: 0 });
  const rows = useVirtualizer({
    count,
    getScrollElement: scroller,
    // A row that is as high as was thought moves no other when it comes into sight.
    estimateSize: () => (measured.current.rows ? measured.current.height / measured.current.rows : usualHeight),
    measureElement: (...row) => {
      const height = measureElement(...row);
      // A row in a panel that is not shown has no height.
      if (height > 0) {
        measured.current.rows += 1;
        measured.current.height += height;
      }
      return height;
    },
    overscan: 4,
    scrollMargin: start,
    // Rows that come into sight are drawn with the next frame, not within the event: their pictures take a while.
    useFlushSync: false,
  });
  const [stillness] = useState(createStillness);
  useEffect(() => stillness.set(!rows.isScrolling), [rows.isScrolling]);
  const due = rows.getVirtualItems();
  const [first, last] = [due.at(0)?.index, due.at(-1)?.index];
  const shown = useOneByOne(due, rows.range);
  useEffect(() => {
    if (first !== undefined && last !== undefined) onSight(first, last);
  }, [first, last, count]);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen]);
  return (
    <StillnessContext value={stillness}>
      <ul
        ref={list}
        className={`${classes.list} ${className ?? ''}`}
        style={{ blockSize: rows.getTotalSize() }}
        data-scrolling={rows.isScrolling || undefined}
      >
        {shown.map(({ key, index, start: at }) => (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            style={{
              position: 'absolute',
              // Not by a transform, which would make each row a layer of its own.
              insetBlockStart: at - start,
              insetInline: 0,
              // A row that comes or changes asks for no layout of the others.
              contain: 'layout style',
            }}
            aria-setsize={isOpenEnded ? -1 : count}
            aria-posinset={index + 1}
          >
            {row(index)}
          </li>
        ))}
      </ul>
    </StillnessContext>
  );
}

/** Of the rows that are due, those that are in the document by now. */
function useOneByOne(due: readonly VirtualItem[], seen: Seen | null): readonly VirtualItem[] {
  const there = useRef<ReadonlySet<number>>(new Set());
  const [, drawNext] = useReducer((frames: number) => frames + 1, 0);
  const indexes = due.map(({ index }) => index);
  const now = oneMore(indexes, there.current, seen);
  useLayoutEffect(() => {
    there.current = now;
  });
  const isWhole = now.size === due.length;
  useEffect(() => {
    if (isWhole) return;
    const frame = requestAnimationFrame(drawNext);
    return () => cancelAnimationFrame(frame);
  });
  return isWhole ? due : due.filter(({ index }) => now.has(index));
}

/** Where a list begins in what it scrolls with, CSS pixels; it moves when a list above it opens or closes. */
function useStart(list: RefObject<HTMLElement | null>, scroller: () => HTMLElement | null): number {
  const [start, setStart] = useState(0);
  useLayoutEffect(() => {
    const around = scroller();
    const element = list.current;
    if (!around || !element) return;
    const measure = () =>
      setStart(Math.round(element.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop));
    const watch = new ResizeObserver(measure);
    for (const child of around.children) watch.observe(child);
    measure();
    return () => watch.disconnect();
  }, []);
  return start;
}
