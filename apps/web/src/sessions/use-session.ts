import type { SessionEvent } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useEffect } from 'react';
import { CallError } from '../client/call-error.ts';
import { listenToSessions, useLiveState } from '../client/live.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { FileVersion } from '../viewer/page-source.ts';

const gatherMilliseconds = 300;
/** How often pages are asked for that the worker has not drawn yet. */
const notReadyMilliseconds = 1500;

/** A session that follows its own events. */
export function useSession(id: string) {
  const session = useCall(sessionRoutes.get, { params: { id } });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToSessions((event: SessionEvent) => {
      if (event.sessionId !== id) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void invalidate(sessionRoutes.get, sessionRoutes.events, sessionRoutes.pages, sessionRoutes.fixes);
      }, gatherMilliseconds);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id]);
  const breaks = useLiveState((live) => live.breaks);
  useEffect(() => {
    if (breaks > 0) void invalidate(sessionRoutes.get, sessionRoutes.events);
  }, [breaks]);
  return session;
}

/** The pages of a session's file; asked again until the one that is looked at has been drawn. */
export const useSessionPages = (id: string, version: FileVersion, isAsked: boolean, current: number) =>
  useCall(
    sessionRoutes.pages,
    { params: { id }, query: { version } },
    {
      enabled: isAsked,
      retry: false,
      refetchInterval: ({ state: { data, error } }) => {
        const isUnready = error instanceof CallError && error.status === 202;
        if (isUnready) return notReadyMilliseconds;
        return data && data.pages[current - 1]?.isReady === false ? notReadyMilliseconds * 2 : false;
      },
    },
  );
