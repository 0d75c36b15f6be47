import type { SessionPage } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pictureQuery } from '../client/blob-image.tsx';
import { invalidate } from '../client/queries.ts';
import { levelFor } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';

/** Draws and loads the pages before and after the shown one, once that is drawn, so that turning the page waits for nothing. */
export function useAhead(source: PageSource, pages: readonly SessionPage[], current: number): void {
  const isShown = pages[current - 1]?.isReady === true;
  const neighbours = isShown ? pages.filter(({ page }) => Math.abs(page - current) === 1) : [];
  const loaded = useQueries({
    queries: neighbours.map((page) => {
      const level = levelFor(page.levels, 0, 1);
      return pictureQuery(level ? tileAddress(source, page, 'rgb', level, { column: 0, row: 0 }) : null);
    }),
  });
  // The list says of a page that was drawn meanwhile that it is not.
  const outdated = neighbours.filter((page, at) => !page.isReady && loaded[at]?.isSuccess).length;
  useEffect(() => {
    if (outdated > 0) void invalidate(sessionRoutes.pages);
  }, [outdated]);
}
