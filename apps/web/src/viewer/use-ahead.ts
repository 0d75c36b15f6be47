import type { SessionPage } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { pictureQuery, usePicture } from '../client/blob-image.tsx';
import { invalidate, queries } from '../client/queries.ts';
import { pagesAhead, type Reading } from './openings.ts';
import { levelFor } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';

interface Props {
  source: PageSource;
  pages: readonly SessionPage[];
  current: number;
  reading: Reading;
}

/** Draws and loads the pages that turning would show, once the picture of the current one is here, so that turning waits for nothing. */
export function useAhead({ source, pages, current, reading }: Props): void {
  const coarsest = (page: SessionPage) => {
    const level = levelFor(page.levels, 0, 1);
    return level && tileAddress(source, page, 'rgb', level, { column: 0, row: 0 });
  };
  const shown = pages[current - 1];
  const first = shown?.isReady ? coarsest(shown) : null;
  // While this is being drawn, not only after: its picture is what a reader waits for.
  useMemo(() => first && void queries.prefetchQuery(pictureQuery(first)), [first]);
  const { isSuccess: isShown } = usePicture(first);
  const ahead = pagesAhead(reading, current, pages.length);
  const neighbours = isShown ? pages.filter(({ page, isUndrawable }) => ahead.includes(page) && !isUndrawable) : [];
  const loaded = useQueries({ queries: neighbours.map((page) => pictureQuery(coarsest(page))) });
  // The list says of a page that was drawn meanwhile that it is not.
  const outdated = neighbours.filter((page, at) => !page.isReady && loaded[at]?.isSuccess).length;
  useEffect(() => {
    if (outdated > 0) void invalidate(sessionRoutes.pages);
  }, [outdated]);
}
