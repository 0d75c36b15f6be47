import type { RouteResult, SessionEvent } from '@pdf2press/contract';
import { deliveryRoutes, proofRoutes, sessionRoutes } from '@pdf2press/contract/calls';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../client/call-error.ts';
import { listenToSessions, useLiveState } from '../client/live.ts';
import { invalidate, queryOf, useCall } from '../client/queries.ts';
import { type FileVersion, isComing } from '../viewer/page-source.ts';

const gatherMilliseconds = 300;
/** Interval in which the progress of a running step is read, milliseconds; events tell of steps only. */
export const progressMilliseconds = 2000;
/** Polling interval for pages that are not rendered yet, milliseconds. */
const notReadyMilliseconds = 1500;

/** Answers that any event of a session may change. */
const ofSession = [sessionRoutes.get, sessionRoutes.events, sessionRoutes.findings, sessionRoutes.findingCounts];

/** A session, refreshed by its live events. */
export function useSession(id: string) {
  const session = useCall(
    sessionRoutes.get,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data?.status === 'Processing' ? progressMilliseconds : false) },
  );
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToSessions((event: SessionEvent) => {
      if (event.sessionId !== id) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void invalidate(
          ...ofSession,
          sessionRoutes.pages,
          sessionRoutes.fixes,
          proofRoutes.list,
          deliveryRoutes.ofSession,
        );
      }, gatherMilliseconds);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id]);
  const breaks = useLiveState((live) => live.breaks);
  useEffect(() => {
    if (breaks > 0) void invalidate(...ofSession);
  }, [breaks]);
  return session;
}

/** The pages of a session's file; polled until the shown pages have been rendered. */
export const sessionPagesQuery = (
  id: string,
  version: FileVersion,
  shown: readonly number[],
): UseQueryOptions<RouteResult<typeof sessionRoutes.pages>> => ({
  ...queryOf(sessionRoutes.pages, { params: { id }, query: { version } }),
  retry: false,
  refetchInterval: ({ state: { data, error } }) => {
    const isUnready = error instanceof CallError && error.status === 202;
    if (isUnready) return notReadyMilliseconds;
    const isUndrawn = shown.some((page) => isComing(data?.pages[page - 1]));
    return isUndrawn ? notReadyMilliseconds * 2 : false;
  },
});

export const useSessionPages = (id: string, version: FileVersion, isAsked: boolean, shown: readonly number[]) =>
  useQuery({ ...sessionPagesQuery(id, version, shown), enabled: isAsked });
