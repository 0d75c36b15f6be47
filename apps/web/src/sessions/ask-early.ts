import { sessionRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { queries, queryOf } from '../client/queries.ts';
import { readListAddress } from '../frame/list-address.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { queryOfAddress } from './list-query.ts';

/** Prefetches the list of an address while the chunk of the screen loads. */
export function askForSessions(address: URL): void {
  const query = queryOfAddress(readListAddress(address.searchParams, usePreferences.getState().pageSize));
  void queries.prefetchQuery(queryOf(sessionRoutes.list, { query } as { query: object }));
  void queries.prefetchQuery({ ...queryOf(workflowRoutes.list, { query: { pageSize: 100 } }), staleTime: 60_000 });
}
