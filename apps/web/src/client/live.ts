import type { SessionEvent } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { create } from 'zustand';
import { authorisation, pathOf } from './call.ts';
import { eventParser } from './event-stream.ts';

/**
 * Live news of sessions over one stream per tab. It begins with the first listener and ends with the last; when it breaks
 * it comes back after the last event it heard, so that nothing is missed.
 */
type Listener = (event: SessionEvent) => void;

const listeners = new Set<Listener>();
let stop: AbortController | null = null;
let lastId: string | null = null;

/** `live`: the stream is open; `paused`: it broke and is being tried again. */
export const useLiveState = create<{ state: 'off' | 'live' | 'paused'; breaks: number }>(() => ({
  state: 'off',
  breaks: 0,
}));

const waits = [1000, 2000, 5000, 10_000, 30_000];
/** The server sends a comment at least this often; longer silence means that the line is dead. */
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
    const parse = eventParser((event) => {
      if (event.id) lastId = event.id;
      if (event.event === 'message' || event.event === 'session') {
        const news = JSON.parse(event.data) as SessionEvent;
        for (const listener of listeners) listener(news);
      }
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(end, silenceLimit);
      parse(decoder.decode(part.value, { stream: true }));
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
    // A broken stream is the expected end of each round; the state says so on the screen.
    await listen(signal).catch(() => undefined);
    if (signal.aborted) break;
    if (Date.now() - openedAt > silenceLimit) tries = 0;
    useLiveState.setState((now) => ({ state: 'paused', breaks: now.breaks + 1 }));
    await pause((waits[Math.min(tries, waits.length - 1)] ?? 0) * (0.75 + Math.random() / 2), signal);
  }
}

/** Hears every event of every session that the visitor may see. Returns how to stop. */
export function listenToSessions(listener: Listener): () => void {
  listeners.add(listener);
  if (!stop) {
    stop = new AbortController();
    void keepListening(stop.signal);
  }
  return () => {
    listeners.delete(listener);
    // The next screen may listen in a moment: the line is kept for it.
    setTimeout(() => {
      if (listeners.size > 0 || !stop) return;
      stop.abort();
      stop = null;
      useLiveState.setState({ state: 'off' });
    }, 500);
  };
}
