import type { Call, RouteResult } from '@pdf2press/contract';
import { QueryClient, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type CallInput, call } from './call.ts';
import { CallError } from './call-error.ts';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Only network failures and busy servers are retried; a refusal is final.
      retry: (count, error) =>
        count < 2 && error instanceof CallError && (error.kind === 'network' || error.status === 503),
      retryDelay: (count) => 500 * 2 ** count,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

type Rest<R extends Call> = Omit<CallInput<R>, 'signal' | 'body'>;

export const keyOf = (route: Call, input?: object): readonly unknown[] => (input ? [route.path, input] : [route.path]);

export const queryOf = <const R extends Call>(route: R, input?: Rest<R>) => ({
  queryKey: keyOf(route, input),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RouteResult<R>> =>
    (call as (route: R, input: unknown) => Promise<RouteResult<R>>)(route, { ...input, signal }),
});

/** The cached answer of a route, by its path and input. */
export const useCall = <const R extends Call>(
  route: R,
  input?: Rest<R>,
  options: Partial<UseQueryOptions<RouteResult<R>, Error>> = {},
): UseQueryResult<RouteResult<R>, Error> =>
  useQuery<RouteResult<R>, Error>({ ...queryOf(route, input), ...options } as UseQueryOptions<RouteResult<R>, Error>);

/** Invalidates every cached answer of the routes. */
export const invalidate = (...routes: readonly Pick<Call, 'path'>[]): Promise<unknown> =>
  Promise.all(routes.map((route) => queries.invalidateQueries({ queryKey: [route.path] })));
