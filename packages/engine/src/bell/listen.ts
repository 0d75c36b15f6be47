import { connectionParts } from '@pdf2press/prisma';
import pg from 'pg';
import type { EngineLog } from '../deps.ts';

export type Channel =
  | 'pdf2press_steps'
  | 'pdf2press_stops'
  | 'pdf2press_events'
  | 'pdf2press_effects'
  | 'pdf2press_presence'
  | 'pdf2press_notices';

export interface ListenOptions {
  url: string;
  channels: readonly Channel[];
  onNotice: (channel: Channel, payload: string) => void;
  /** Called after each (re)connection: notices sent in between were missed, so the caller must search itself. */
  onConnect?: () => void;
  log?: (line: EngineLog) => void;
}

export interface Listener {
  close(): Promise<void>;
}

/**
 * Keeps one connection that receives notices (LISTEN) and reconnects when it breaks. Notices are hints only; the facts are
 * rows.
 */
export function listen({ url, channels, onNotice, onConnect, log }: ListenOptions): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let tries = 0;

  const again = () => {
    if (isClosed || timer) return;
    tries += 1;
    timer = setTimeout(
      () => {
        timer = undefined;
        void connect();
      },
      Math.min(100 * 2 ** tries, 5_000),
    );
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connectionParts(url), keepAlive: true, connectionTimeoutMillis: 5_000 });
    next.on('notification', ({ channel, payload }) => onNotice(channel as Channel, payload ?? ''));
    next.on('error', (error) => log?.({ level: 'warn', event: 'listener.lost', error }));
    next.on('end', again);
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${channel}`);
      if (isClosed) return void (await next.end());
      client = next;
      tries = 0;
      onConnect?.();
    } catch (error) {
      log?.({ level: 'warn', event: 'listener.unconnected', error });
      await next.end().catch(() => undefined);
      again();
    }
  }

  void connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      client?.removeAllListeners('end');
      await client?.end().catch(() => undefined);
    },
  };
}
