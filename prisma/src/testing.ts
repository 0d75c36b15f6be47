/* Exported as `@pdf2press/prisma/testing`: a real Postgres for the tests of every package. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded.ts';

export interface TestPostgres {
  /** URL of the superuser `app` on an empty database `app`. */
  url: string;
  /** Kills the server without flushing, as a power failure would, and starts it again. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Starts Postgres in a temporary folder on a free port; `isDurable` keeps fsync on, for measurements. */
export async function startTestPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-pg-'));
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({
    folder: path.join(folder, 'data'),
    logFile: path.join(folder, 'log'),
    port: await freePort(),
    isDurable,
  });
  return {
    url: server.url,
    restart: server.restart,
    stop: async () => {
      await server.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Does at once what Postgres does by itself within a minute of many changes: statistics, and which pages all may read. */
export async function tidyUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const told = new AsyncLocalStorage<string[]>();
let isHeard = false;

/**
 * The statements that `work` sends to Postgres, in their order: each is a round trip, also the beginning and the end of a
 * transaction. What runs beside it in the same process is not among them.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  if (!isHeard) {
    isHeard = true;
    const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    pg.Client.prototype.query = function query(this: pg.Client, ...given: unknown[]) {
      const [first] = given;
      told.getStore()?.push(typeof first === 'string' ? first : String((first as { text?: unknown } | null)?.text));
      return send.apply(this, given);
    } as typeof pg.Client.prototype.query;
  }
  const statements: string[] = [];
  await told.run(statements, work);
  return statements;
}
