/* Exported as `@pdf2press/prisma/testing`: a real Postgres for the tests of every package. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import pg from 'pg';
import { postgresPackage, startEmbeddedPostgres } from './embedded.ts';
import { deploy } from './migrate.ts';
import { readMigrations } from './migration-files.ts';

/** A database of every test's server that is up to date: used as it is, or copied with `create database … template`. */
export const migratedDatabase = 'migrated';

export interface TestPostgres {
  /** URL of the superuser `app` on an empty database `app`. */
  url: string;
  /** The same on `migratedDatabase`. */
  migratedUrl: string;
  /** Kills the server without flushing, as a power failure would, and starts it again. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const withDatabase = (url: string, name: string) => url.replace(/[^/]*$/, name);

/** A new folder that the unprivileged account of the server can reach. */
function makeFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), name));
  chmodSync(folder, 0o755);
  return folder;
}

async function startIn(folder: string, options: { isDurable: boolean; copyOf?: string }) {
  const [data, logFile] = [path.join(folder, 'data'), path.join(folder, 'log')];
  return startEmbeddedPostgres({ folder: data, logFile, port: await freePort(), ...options });
}

/**
 * The cluster that those of tests are copies of: making and migrating one takes two seconds of a processor, and more than a
 * hundred files of tests need one. It stays in the temporary folder; with other migrations or another Postgres a new one is made.
 */
async function preparedCluster(): Promise<string> {
  const madeOf = [readMigrations(), readFileSync(path.join(postgresPackage(), 'package.json'), 'utf8')];
  const key = createHash('sha256').update(JSON.stringify(madeOf)).digest('hex').slice(0, 16);
  const prepared = path.join(os.tmpdir(), `pdf2press-cluster-${key}`);
  if (existsSync(prepared)) return path.join(prepared, 'data');
  const part = makeFolder(`pdf2press-cluster-${key}-`);
  const server = await startIn(part, { isDurable: false });
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`create database ${migratedDatabase}`);
  await admin.end();
  await deploy(withDatabase(server.url, migratedDatabase));
  await server.stop();
  try {
    renameSync(part, prepared);
  } catch (error) {
    // A process that began at the same time was faster.
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(prepared)) throw error;
  }
  return path.join(prepared, 'data');
}

/** Starts Postgres in a temporary folder on a free port; `isDurable` keeps fsync on, for measurements. */
export async function startTestPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const copyOf = await preparedCluster();
  const folder = makeFolder('pdf2press-pg-');
  const server = await startIn(folder, { isDurable, copyOf });
  return {
    url: server.url,
    migratedUrl: withDatabase(server.url, migratedDatabase),
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
