import type { Permission } from '@pdf2press/contract';
import { organizationRoutes, sessionRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { meRoute } from '../account/use-me.ts';
import { queries, queryOf } from '../client/queries.ts';
import { readListAddress } from '../frame/list-address.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { queryOfAddress } from './list-query.ts';

/** Whoever has one of them may read the list of workflows, as an embedded page may not. */
export const workflowReaders: readonly Permission[] = ['workflows.view', 'sessions.inject'];

/** Prefetches the list of an address while the chunk of the screen loads. */
export function askForSessions(address: URL): void {
  const query = queryOfAddress(readListAddress(address.searchParams, usePreferences.getState().pageSize));
  void queries.prefetchQuery(queryOf(sessionRoutes.list, { query } as { query: object }));
  // A column of the list depends on it.
  void queries.prefetchQuery({ ...queryOf(organizationRoutes.own), staleTime: 60_000 });
  void queries.ensureQueryData(queryOf(meRoute)).then(
    ({ permissions }) => {
      if (!workflowReaders.some((permission) => permissions.includes(permission))) return;
      void queries.prefetchQuery({ ...queryOf(workflowRoutes.list, { query: { pageSize: 100 } }), staleTime: 60_000 });
    },
    // The screen asks for the same and shows what is wrong.
    () => undefined,
  );
}

/** Prefetches a session, what was found in it and the pages of its file, while the chunk of the screen loads. */
export function askForSession({ pathname }: URL): void {
  const params = { id: pathname.split('/').at(-1) ?? '' };
  void queries.prefetchQuery(queryOf(sessionRoutes.get, { params }));
  void queries.prefetchQuery(queryOf(sessionRoutes.findingCounts, { params }));
  // The pages of a file that is being read are answered later; the screen asks again.
  void queries.prefetchQuery({
    ...queryOf(sessionRoutes.pages, { params, query: { version: 'original' } }),
    retry: false,
  });
}
