import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Props {
  className: string | undefined;
  count: number;
  /** Whether there are more rows than are counted. */
  isOpenEnded?: boolean;
  /** Of a row before it is measured, CSS pixels. */
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
  const rows = useVirtualizer({
    count,
    getScrollElement: scroller,
    estimateSize: () => usualHeight,
    overscan: 4,
    scrollMargin: start,
    // Rows that come into sight are drawn with the next frame, not within the event: their pictures take a while.
    useFlushSync: false,
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown.at(0)?.index, shown.at(-1)?.index];
  useEffect(() => {
    if (first !== undefined && last !== undefined) onSight(first, last);
  }, [first, last, count]);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen]);
  return (
    <ul ref={list} className={className} style={{ position: 'relative', blockSize: rows.getTotalSize() }}>
      {shown.map(({ key, index, start: at }) => (
        <li
          key={key}
          ref={rows.measureElement}
          data-index={index}
          style={{
            position: 'absolute',
            insetBlockStart: 0,
            insetInline: 0,
            // A row that comes or changes asks for no layout of the others.
            contain: 'layout style',
            transform: `translateY(${at - start}px)`,
          }}
          aria-setsize={isOpenEnded ? -1 : count}
          aria-posinset={index + 1}
        >
          {row(index)}
        </li>
      ))}
    </ul>
  );
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
