import type { SessionPage } from '@pdf2press/contract';
import { useQuery } from '@tanstack/react-query';
import { coverageOf, plateOf } from './ink-plates.ts';
import { fitView, levelFor, tilesInSight } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';

/** How much of the page each of its inks covers, 0 to 1, in the order of the inks; undefined until it is known. */
export function useCoverage(source: PageSource, page: SessionPage): readonly number[] | undefined {
  // The coarsest level: a mean does not need more.
  const level = levelFor(page.levels, 0, 1);
  const size = { width: page.widthPt, height: page.heightPt };
  const { data } = useQuery({
    queryKey: ['coverage', level && tileAddress(source, page, 'rgb', level, { column: 0, row: 0 })],
    queryFn: () => {
      if (!level) return [];
      const tiles = tilesInSight(level, fitView(size, size, 0), size, size);
      return Promise.all(
        page.inks.map(async ({ id }) =>
          coverageOf(
            await Promise.all(tiles.map((tile) => plateOf(tileAddress(source, page, `ink-${id}`, level, tile)))),
          ),
        ),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
