import type { SessionEvent, SessionListItem } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { listenToSessions, useLiveState } from '../client/live.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { ListAddress } from '../frame/list-address.ts';
import { useUploads } from '../uploads/upload-state.ts';
import { queryOfAddress } from './list-query.ts';
import { progressMilliseconds } from './use-session.ts';

/** Events within this time cause one request, milliseconds. */
const gatherMilliseconds = 400;

/**
 * A page of sessions with live updates. Shown rows are updated in place; new ones are only counted until the visitor asks
 * for them, so that rows do not move under the pointer.
 */
export function useSessions(address: ListAddress) {
  const query = useMemo(() => queryOfAddress(address), [address]);
  const list = useCall(sessionRoutes.list, { query } as { query: object }, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ running }) => running !== null) ? progressMilliseconds : false,
  });
  const key = JSON.stringify(query);
  const [frozen, setFrozen] = useState<{ key: string; ids: readonly string[] } | null>(null);
  const items = list.data?.items;
  // It may have been prefetched by the route.
  const isFresh = list.isFetchedAfterMount || !list.isStale;

  // The order is kept until the visitor changes page or filters or asks for new sessions.
  useEffect(() => {
    // A cached answer may contain deleted sessions: the first fresh answer sets the order.
    if (!items || list.isPlaceholderData || !isFresh) return;
    setFrozen((before) => (before?.key === key ? before : { key, ids: items.map((item) => item.id) }));
  }, [items, key, list.isPlaceholderData, isFresh]);

  const known = useKept(items);
  const { changes, news } = useChanges(items);
  // Sessions of files that were sent from here do not wait to be asked for.
  const uploads = useUploads(({ items: sent }) => sent);
  const own = (items ?? []).filter(({ id }) => uploads.some(({ sessionId }) => sessionId === id)).map(({ id }) => id);
  const missing = frozen?.key === key ? own.filter((id) => !frozen.ids.includes(id)) : [];
  useEffect(() => {
    if (missing.length > 0) setFrozen((before) => before && { ...before, ids: [...missing, ...before.ids] });
  }, [missing.join()]);
  const isOrdered = frozen?.key === key && !list.isPlaceholderData;
  // Keeps the identity of an unchanged list, because the table is rebuilt for each new one.
  const shown = useMemo<readonly SessionListItem[]>(
    () => (isOrdered && frozen ? frozen.ids.flatMap((id) => known.get(id) ?? []) : (items ?? [])),
    [isOrdered, frozen, known, items],
  );
  const newCount = isOrdered && items ? items.filter((item) => !frozen.ids.includes(item.id)).length : 0;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToSessions((event: SessionEvent) => {
      if (event.kind === 'Deleted') {
        setFrozen((before) => before && { ...before, ids: before.ids.filter((id) => id !== event.sessionId) });
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        void invalidate(sessionRoutes.list);
      }, gatherMilliseconds);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  // After a break the list may be older than the events that the stream still has.
  const breaks = useLiveState((live) => live.breaks);
  useEffect(() => {
    if (breaks > 0) void invalidate(sessionRoutes.list);
  }, [breaks]);

  return {
    list,
    shown,
    changes,
    news,
    newCount,
    showNew: () => items && setFrozen({ key, ids: items.map((item) => item.id) }),
  };
}

/** Items by id. A session that no longer matches the filters stays as last seen until the page is requested again. */
function useKept(items: readonly SessionListItem[] | undefined): Map<string, SessionListItem> {
  const kept = useRef(new Map<string, SessionListItem>());
  return useMemo(() => {
    for (const item of items ?? []) kept.current.set(item.id, item);
    return new Map(kept.current);
  }, [items]);
}

/** The fields whose change is highlighted; progress is not, because it changes constantly. */
const faceOf = ({ fileName, status, archiveState, resultLevel, runNumber }: SessionListItem): string =>
  [fileName, status, archiveState, resultLevel, runNumber].join('/');

/** Number of live changes per row, and the rows changed by the newest answer. */
function useChanges(items: readonly SessionListItem[] | undefined) {
  const faces = useRef(new Map<string, string>());
  const [state, setState] = useState<{ changes: ReadonlyMap<string, number>; news: readonly SessionListItem[] }>({
    changes: new Map(),
    news: [],
  });
  useEffect(() => {
    const news = (items ?? []).filter((item) => {
      const before = faces.current.get(item.id);
      faces.current.set(item.id, faceOf(item));
      return before !== undefined && before !== faceOf(item);
    });
    if (news.length === 0) return;
    setState(({ changes }) => ({
      changes: new Map([...changes, ...news.map(({ id }) => [id, (changes.get(id) ?? 0) + 1] as const)]),
      news,
    }));
  }, [items]);
  return state;
}
