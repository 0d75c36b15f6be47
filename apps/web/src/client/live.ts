import type { Present, RouteQuery, SessionEvent } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { createParser } from 'eventsource-parser';
import { create } from 'zustand';
import { pathOf } from './address.ts';
import { authorisation } from './call.ts';

/**
 * Live session events over one stream per tab for all sessions, and one for each trial that is looked at; with `fetch`,
 * because `EventSource` cannot send the authorisation header. A stream opens with its first listener and closes with the
 * last. After a break it resumes behind the last event it received, so that no event is missed.
 */
type Listener = (event: SessionEvent) => void;
/** Told who else has a draft open, whenever it changes. */
type Watcher = (others: readonly Present[]) => void;

/** Which events: all of no trial, those of one session (also of a trial), or those of all files of a workflow's trial. */
export type LiveQuery = RouteQuery<typeof sessionRoutes.live>;

interface Stream {
  query: LiveQuery;
  listeners: Set<Listener>;
  watchers: Set<Watcher>;
  /** Told that the bell has something else to show. */
  bells: Set<() => void>;
  /** Called when the stream has been opened, also after a break. */
  openers: Set<() => void>;
  isOpen: boolean;
  stop: AbortController;
  lastId: string | null;
}

const streams = new Map<string, Stream>();
/** Where the stream of all sessions stopped when nobody listened any more: the next one goes on there. */
let lastIdOfAll: string | null = null;

/** Of the stream of all sessions. `live`: it is open; `paused`: it broke and will be reopened. */
export const useLiveState = create<{ state: 'off' | 'live' | 'paused'; breaks: number }>(() => ({
  state: 'off',
  breaks: 0,
}));
const isOfAll = ({ query }: Stream): boolean => Object.keys(query).length === 0;

const waits = [1000, 2000, 5000, 10_000, 30_000];
/** The server sends a comment at least this often; a longer silence means that the connection is dead. Milliseconds. */
const silenceLimit = 60_000;

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });

async function listen(stream: Stream): Promise<void> {
  const { signal } = stream.stop;
  const line = new AbortController();
  const end = () => line.abort();
  signal.addEventListener('abort', end);
  window.addEventListener('offline', end);
  let watchdog = setTimeout(end, silenceLimit);
  try {
    const response = await fetch(pathOf(sessionRoutes.live, {}, stream.query), {
      headers: {
        accept: 'text/event-stream',
        ...(await authorisation()),
        ...(stream.lastId ? { 'last-event-id': stream.lastId } : {}),
      },
      signal: line.signal,
    });
    if (!response.ok || !response.body) throw new Error(`live ${response.status}`);
    stream.isOpen = true;
    if (isOfAll(stream)) useLiveState.setState({ state: 'live' });
    for (const opened of stream.openers) opened();
    const parser = createParser({
      onEvent: ({ id, event = 'message', data }) => {
        if (id) stream.lastId = id;
        if (event === 'presence') for (const see of stream.watchers) see(JSON.parse(data) as Present[]);
        if (event === 'notices') for (const ring of stream.bells) ring();
        if (event !== 'message' && event !== 'session') return;
        const news = JSON.parse(data) as SessionEvent;
        for (const listener of stream.listeners) listener(news);
      },
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(end, silenceLimit);
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
  } finally {
    stream.isOpen = false;
    clearTimeout(watchdog);
    signal.removeEventListener('abort', end);
    window.removeEventListener('offline', end);
  }
}

async function keepListening(stream: Stream): Promise<void> {
  const { signal } = stream.stop;
  for (let tries = 0; !signal.aborted; tries += 1) {
    const openedAt = Date.now();
    // Every stream ends with an error or a close; the state `paused` shows that.
    await listen(stream).catch(() => undefined);
    if (signal.aborted) break;
    if (Date.now() - openedAt > silenceLimit) tries = 0;
    if (isOfAll(stream)) useLiveState.setState((now) => ({ state: 'paused', breaks: now.breaks + 1 }));
    await pause((waits[Math.min(tries, waits.length - 1)] ?? 0) * (0.75 + Math.random() / 2), signal);
  }
}

function streamOf(query: LiveQuery): Stream {
  const key = JSON.stringify(query);
  const known = streams.get(key);
  if (known) return known;
  const stream: Stream = {
    query,
    listeners: new Set(),
    watchers: new Set(),
    bells: new Set(),
    openers: new Set(),
    isOpen: false,
    stop: new AbortController(),
    lastId: Object.keys(query).length === 0 ? lastIdOfAll : null,
  };
  streams.set(key, stream);
  void keepListening(stream);
  return stream;
}

/** Closes a stream that nobody listens to; after a moment, because the next screen usually listens too. */
function closeUnused(stream: Stream): void {
  const key = JSON.stringify(stream.query);
  setTimeout(() => {
    if (stream.listeners.size + stream.watchers.size + stream.bells.size > 0 || streams.get(key) !== stream) return;
    streams.delete(key);
    stream.stop.abort();
    if (isOfAll(stream)) {
      lastIdOfAll = stream.lastId;
      useLiveState.setState({ state: 'off' });
    }
  }, 500);
}

/**
 * Calls back with every event that is asked for and that the visitor may see. Returns a function that stops.
 * @param onOpen called once the stream is open, and after each break: what happened before the first opening is not in it
 */
export function listenToSessions(listener: Listener, query: LiveQuery = {}, onOpen?: () => void): () => void {
  const stream = streamOf(query);
  stream.listeners.add(listener);
  if (onOpen) stream.openers.add(onOpen);
  if (stream.isOpen) onOpen?.();
  return () => {
    stream.listeners.delete(listener);
    if (onOpen) stream.openers.delete(onOpen);
    closeUnused(stream);
  };
}

/** Tells the others that the visitor has a draft open, and calls back with those who have it open, too. Returns a function that stops. */
export function watchDraft(workflowId: string, watcher: Watcher): () => void {
  const stream = streamOf({ workflowId });
  // After a break the server tells of everybody anew, but says nothing where nobody is left.
  const opened = () => watcher([]);
  stream.watchers.add(watcher);
  stream.openers.add(opened);
  return () => {
    stream.watchers.delete(watcher);
    stream.openers.delete(opened);
    closeUnused(stream);
  };
}

/** Calls back whenever the bell has something else to show, and after each break. Returns a function that stops. */
export function listenToNotices(ring: () => void): () => void {
  const stream = streamOf({});
  stream.bells.add(ring);
  stream.openers.add(ring);
  return () => {
    stream.bells.delete(ring);
    stream.openers.delete(ring);
    closeUnused(stream);
  };
}
