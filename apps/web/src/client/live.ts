import type { SessionEvent } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { createParser } from 'eventsource-parser';
import { create } from 'zustand';
import { authorisation, pathOf } from './call.ts';

/**
 * Live session events over one stream per tab, with `fetch` because `EventSource` cannot send the authorisation header.
 * The stream opens with the first listener and closes with the last. After a break it resumes behind the last event it
 * received, so that no event is missed.
 */
type Listener = (event: SessionEvent) => void;

const listeners = new Set<Listener>();
let stop: AbortController | null = null;
let lastId: string | null = null;

/** `live`: the stream is open; `paused`: it broke and will be reopened. */
export const useLiveState = create<{ state: 'off' | 'live' | 'paused'; breaks: number }>(() => ({
  state: 'off',
  breaks: 0,
}));

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

async function listen(signal: AbortSignal): Promise<void> {
  const line = new AbortController();
  const end = () => line.abort();
  signal.addEventListener('abort', end);
  window.addEventListener('offline', end);
  let watchdog = setTimeout(end, silenceLimit);
  try {
    const response = await fetch(pathOf(sessionRoutes.live), {
      headers: {
        accept: 'text/event-stream',
        ...(await authorisation()),
        ...(lastId ? { 'last-event-id': lastId } : {}),
      },
      signal: line.signal,
    });
    if (!response.ok || !response.body) throw new Error(`live ${response.status}`);
    useLiveState.setState({ state: 'live' });
    const parser = createParser({
      onEvent: ({ id, event = 'message', data }) => {
        if (id) lastId = id;
        if (event !== 'message' && event !== 'session') return;
        const news = JSON.parse(data) as SessionEvent;
        for (const listener of listeners) listener(news);
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
    clearTimeout(watchdog);
    signal.removeEventListener('abort', end);
    window.removeEventListener('offline', end);
  }
}

async function keepListening(signal: AbortSignal): Promise<void> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    const openedAt = Date.now();
    // Every stream ends with an error or a close; the state `paused` shows that.
    await listen(signal).catch(() => undefined);
    if (signal.aborted) break;
    if (Date.now() - openedAt > silenceLimit) tries = 0;
    useLiveState.setState((now) => ({ state: 'paused', breaks: now.breaks + 1 }));
    await pause((waits[Math.min(tries, waits.length - 1)] ?? 0) * (0.75 + Math.random() / 2), signal);
  }
}

/** Calls back with every event of every session that the visitor may see. Returns a function that stops. */
export function listenToSessions(listener: Listener): () => void {
  listeners.add(listener);
  if (!stop) {
    stop = new AbortController();
    void keepListening(stop.signal);
  }
  return () => {
    listeners.delete(listener);
    // Keeps the connection for a moment, because the next screen usually listens too.
    setTimeout(() => {
      if (listeners.size > 0 || !stop) return;
      stop.abort();
      stop = null;
      useLiveState.setState({ state: 'off' });
    }, 500);
  };
}
