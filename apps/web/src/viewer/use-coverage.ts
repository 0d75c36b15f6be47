import type { SessionPage } from '@pdf2press/contract';
import { useQuery } from '@tanstack/react-query';
import { coverageOf, plateOf } from './ink-plates.ts';
import { fitView, levelFor, tilesInSight } from './page-geometry.ts';
import { type PageSource, tileAddress } from './page-source.ts';

/** How much of a page its inks cover, 0 to 1, in their order. */
async function read(source: PageSource, page: SessionPage): Promise<readonly number[]> {
  // The coarsest level: a mean does not need more.
  const level = levelFor(page.levels, 0, 1);
  if (!level) return [];
  const size = { width: page.widthPt, height: page.heightPt };
  const tiles = tilesInSight(level, fitView(size, size, 0), size, size);
  return Promise.all(
    page.inks.map(async ({ id }) =>
      coverageOf(await Promise.all(tiles.map((tile) => plateOf(tileAddress(source, page, `ink-${id}`, level, tile))))),
    ),
  );
}

/** The inks of pages, each name once, in their order. */
export const inksOf = (pages: readonly SessionPage[]): SessionPage['inks'] => [
  ...new Map(pages.flatMap(({ inks }) => inks.map((ink) => [ink.name, ink]))).values(),
];

/** How much of the pages together each ink covers, 0 to 1, by its name; undefined until it is known. */
export function useCoverage(
  source: PageSource,
  pages: readonly SessionPage[],
): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['coverage', ...pages.map(({ page }) => source.thumbnail(page))],
    queryFn: async () => {
      const area = pages.reduce((sum, { widthPt, heightPt }) => sum + widthPt * heightPt, 0);
      const covered = new Map<string, number>();
      for (const page of pages) {
        const shares = await read(source, page);
        for (const [at, { name }] of page.inks.entries())
          covered.set(
            name,
            (covered.get(name) ?? 0) + ((shares[at] ?? 0) * page.widthPt * page.heightPt) / (area || 1),
          );
      }
      return covered;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
