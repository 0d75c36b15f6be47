import { useReducedMotion } from '@mantine/hooks';
import { Children, type ReactNode, useEffect, useRef, useState } from 'react';
import { masonry } from '../constants.ts';

/** Gap between cards, CSS pixels. */
const gap = 16;

interface Laid {
  places: readonly { x: number; y: number }[];
  columnWidth: number;
  height: number;
}

/** Puts each card under the shortest column, the leftmost of equal ones, which nearly keeps the reading order. */
export function layMasonry(heights: readonly number[], width: number, columnMin: number): Laid {
  const count = Math.max(1, Math.floor((width + gap) / (columnMin + gap)));
  const columnWidth = (width - gap * (count - 1)) / count;
  const ends: number[] = Array(count).fill(0);
  const places = heights.map((height) => {
    const column = ends.indexOf(Math.min(...ends));
    const y = ends[column] ?? 0;
    ends[column] = y + height + gap;
    return { x: column * (columnWidth + gap), y };
  });
  return { places, columnWidth, height: Math.max(0, Math.max(...ends) - gap) };
}

/**
 * Cards of different heights in as many columns as fit. They move to new positions when the width or a card's height
 * changes. One column is a plain stack.
 */
export function Masonry({ columnMin, children }: { columnMin: number; children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null);
  const [laid, setLaid] = useState<Laid | null>(null);
  const isStill = useReducedMotion();
  const cards = Children.toArray(children);
  useEffect(() => {
    const box = around.current;
    if (!box) return;
    const lay = () => {
      const heights = [...box.children].map((card) => (card as HTMLElement).offsetHeight);
      setLaid(layMasonry(heights, box.clientWidth, columnMin));
    };
    lay();
    let timer: ReturnType<typeof setTimeout>;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(lay, masonry.debounce);
    });
    for (const element of [box, ...box.children]) observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [cards.length, columnMin]);
  return (
    <div ref={around} style={{ position: 'relative', blockSize: laid?.height }}>
      {cards.map((card, at) => {
        const place = laid?.places[at];
        return (
          <div
            // The index is a stable key: the cards of a page never change their order.
            key={at}
            style={
              place
                ? {
                    position: 'absolute',
                    insetBlockStart: 0,
                    insetInlineStart: 0,
                    inlineSize: laid?.columnWidth,
                    transform: `translate(${place.x}px, ${place.y}px)`,
                    transition: isStill ? 'none' : `transform ${masonry.transitionSeconds}s`,
                  }
                : { marginBlockEnd: gap }
            }
          >
            {card}
          </div>
        );
      })}
    </div>
  );
}
