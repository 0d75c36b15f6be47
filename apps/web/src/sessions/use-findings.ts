import type { SessionFinding } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { CallInput } from '../client/call.ts';
import { keyOf, queryOf, useCall } from '../client/queries.ts';

const pageSize = 200;

type Filter = Omit<NonNullable<CallInput<typeof sessionRoutes.findings>['query']>, 'page' | 'pageSize'>;

export interface FindingList {
  /** Those that are here, in the order of the list. */
  items: readonly SessionFinding[];
  /** Whether there are more than are here. */
  hasMore: boolean;
  loadMore: () => void;
  /** All of them. */
  loadAll: () => Promise<readonly SessionFinding[]>;
}

interface Options {
  /** False = nothing is asked for and the list is empty. */
  isAsked?: boolean;
  /** Loads all pages at once. */
  isWhole?: boolean;
}

const itemsOf = (data: { pages: readonly { items: readonly SessionFinding[] }[] } | undefined) =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** Findings of a session's newest run, page by page as they are looked at. */
export function useFindings(
  sessionId: string,
  filter: Filter,
  { isAsked = true, isWhole = false }: Options = {},
): FindingList {
  const input = { params: { id: sessionId }, query: { ...filter, pageSize } };
  const query = useInfiniteQuery({
    queryKey: [...keyOf(sessionRoutes.findings, input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      queryOf(sessionRoutes.findings, { ...input, query: { ...input.query, page: pageParam } }).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }: { page: number; total: number }) =>
      page * pageSize < total ? page + 1 : undefined,
    enabled: isAsked,
    ...(!isWhole && { placeholderData: keepPreviousData }),
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const isMoreWanted = isWhole && hasNextPage && !isFetching;
  useEffect(() => {
    if (isMoreWanted) void fetchNextPage();
  }, [isMoreWanted, fetchNextPage]);
  const items = useMemo(() => (isAsked ? itemsOf(data) : []), [isAsked, data]);
  const latest = useRef(query);
  latest.current = query;
  const hasMore = isAsked && hasNextPage;
  // The same object while the list is the same, so that what shows it is drawn again only when the list changes.
  return useMemo(
    () => ({
      items,
      hasMore,
      loadMore: () => {
        const now = latest.current;
        if (now.hasNextPage && !now.isFetching) void now.fetchNextPage();
      },
      loadAll: async () => {
        if (!isAsked) return [];
        let last: Pick<typeof query, 'data' | 'hasNextPage' | 'isError'> = latest.current;
        while (last.hasNextPage && !last.isError) last = await latest.current.fetchNextPage();
        return itemsOf(last.data);
      },
    }),
    [items, hasMore, isAsked],
  );
}

/** How many findings the session's newest run has, by severity, check and page; undefined until they are here. */
export const useFindingCounts = (sessionId: string) =>
  useCall(sessionRoutes.findingCounts, { params: { id: sessionId } }).data;
