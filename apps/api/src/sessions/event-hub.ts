import { problem } from '@pdf2press/contract';
import { listen } from '@pdf2press/engine';
import type { Database } from '@pdf2press/prisma';
import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../frame/caller.ts';
import { createPresence, type Presence } from '../workflows/presence.ts';

/**
 * Notifies this process's open streams that a subscriber's sessions have new events; the streams read the events
 * themselves.
 */
export interface EventHub {
  /** Calls the listener until the returned function is called. */
  onNews(subscriberId: string, listener: () => void): () => void;
  /** Grows whenever somebody of the subscriber may be told something else at the bell. */
  noticesOf(subscriberId: string): number;
  /**
   * Takes one of the streams that a caller may have open in this process, for each of them reads by itself; the returned
   * function gives it back.
   * @throws ProblemError `request.rateLimited`
   */
  takeStream(caller: Pick<Caller, 'kind' | 'id'>): () => void;
  /** Who has which draft open, told by the streams of all processes. */
  presence: Presence;
  close(): Promise<void>;
}

/** More tabs of one person than anybody has. */
const streamsOfOne = 30;

/** One listening connection for all streams. */
export function createEventHub(databaseUrl: string, db: Database, log: FastifyBaseLogger): EventHub {
  const listeners = new Map<string, Set<() => void>>();
  const streams = new Map<string, number>();
  const notices = new Map<string, number>();
  const noticed = (subscriberId: string) => void notices.set(subscriberId, (notices.get(subscriberId) ?? 0) + 1);
  const tell = (subscriberId: string) => {
    for (const listener of listeners.get(subscriberId) ?? []) listener();
  };
  const announce = (text: string) => {
    db.asHost((tx) => tx.$queryRaw`select pg_notify('pdf2press_presence', ${text})::text`).catch((error: unknown) =>
      log.warn({ err: error }, 'presence was not told'),
    );
  };
  const presence = createPresence(announce, tell);
  const line = listen({
    url: databaseUrl,
    channels: ['pdf2press_events', 'pdf2press_presence', 'pdf2press_notices'],
    onNotice: (channel, payload) => {
      if (channel === 'pdf2press_presence') return presence.hear(payload);
      if (channel === 'pdf2press_notices') noticed(payload);
      tell(payload.split(' ')[0] ?? '');
    },
    // Events that were written while the connection was down are found by reading.
    onConnect: () => {
      for (const subscriberId of listeners.keys()) {
        noticed(subscriberId);
        tell(subscriberId);
      }
    },
    log: ({ level, event, error, data }) => log[level]({ err: error, ...data }, event),
  });
  return {
    onNews: (subscriberId, listener) => {
      const set = listeners.get(subscriberId) ?? new Set();
      listeners.set(subscriberId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(subscriberId);
      };
    },
    noticesOf: (subscriberId) => notices.get(subscriberId) ?? 0,
    takeStream: ({ kind, id }) => {
      const key = `${kind}:${id}`;
      const open = streams.get(key) ?? 0;
      if (open >= streamsOfOne) throw problem('request.rateLimited', { seconds: 15 });
      streams.set(key, open + 1);
      return () => {
        const left = (streams.get(key) ?? 1) - 1;
        if (left > 0) streams.set(key, left);
        else streams.delete(key);
      };
    },
    presence,
    close: () => line.close(),
  };
}
