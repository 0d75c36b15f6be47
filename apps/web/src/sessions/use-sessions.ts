import type { SessionEvent, SessionListItem } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { listenToSessions, useLiveState } from '../client/live.ts';
import { invalidate, useCall } from '../client/queries.ts';
import type { ListAddress } from '../frame/list-address.ts';
import { queryOfAddress } from './list-query.ts';

/** Several events of a moment make one question to the server. */
const gatherMilliseconds = 400;

/**
 * A page of sessions, kept up to date. Rows that are shown change where they stand; new ones wait behind a count until they
 * are asked for, so that nothing moves under the pointer.
 */
export function useSessions(address: ListAddress) {
  const query = useMemo(() => queryOfAddress(address), [address]);
  const list = useCall(sessionRoutes.list, { query } as { query: object }, { placeholderData: keepPreviousData });
  const key = JSON.stringify(query);
  const [frozen, setFrozen] = useState<{ key: string; ids: readonly string[] } | null>(null);
  const items = list.data?.items;
  // It may have been asked for before the screen was there.
  const isFresh = list.isFetchedAfterMount || !list.isStale;

  // The order on the screen stands until the visitor asks for another page, filter or for what is new.
  useEffect(() => {
    // What was kept from an earlier visit may hold sessions that are gone: the first fresh answer sets the order.
    if (!items || list.isPlaceholderData || !isFresh) return;
    setFrozen((before) => (before?.key === key ? before : { key, ids: items.map((item) => item.id) }));
  }, [items, key, list.isPlaceholderData, isFresh]);

  const known = useKept(items);
  const { changes, news } = useChanges(items);
  const isOrdered = frozen?.key === key && !list.isPlaceholderData;
  // The same list as long as nothing in it is another: the table is made anew with each list.
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
  // After a break the stream resumes, but what the list shows may be older than what the stream kept.
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

/** Items by id; one that left the page by a change of its own stays as it was last seen until the page is asked for anew. */
function useKept(items: readonly SessionListItem[] | undefined): Map<string, SessionListItem> {
  const kept = useRef(new Map<string, SessionListItem>());
  return useMemo(() => {
    for (const item of items ?? []) kept.current.set(item.id, item);
    return new Map(kept.current);
  }, [items]);
}

/** What a look at a row tells; how far it has come is none of it: that moves all the time. */
const faceOf = ({ fileName, status, archiveState, resultLevel, runNumber }: SessionListItem): string =>
  [fileName, status, archiveState, resultLevel, runNumber].join('/');

/** How often each row has changed under the reader's eyes, and the rows that the newest answer changed. */
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
