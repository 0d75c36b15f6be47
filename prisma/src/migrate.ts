/*
 * Exported as `@pdf2press/prisma/migrate`: brings a database up to date when the product starts.
 *
 * Written by hand because Prisma's own `migrate deploy` needs an engine binary that is downloaded. It keeps Prisma's table
 * and checksums, so that Prisma's tool and this one can be used on the same database.
 */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectionParts } from './connection.ts';
import { type Migration, readMigrations } from './migration-files.ts';

/** `behind`: migrations wait · `ahead`: the database has migrations that this release does not · `changed`: the file of an applied migration differs. */
export interface MigrationStatus {
  state: 'current' | 'behind' | 'ahead' | 'changed' | 'failed';
  pending: string[];
  unknown: string[];
}

/** Thrown when a database cannot be brought up to date; the message names the migration and says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface History {
  /** Started and neither finished nor marked as rolled back. */
  unfinished: string[];
  /** Applied, but the file has changed since. */
  changed: string[];
  pending: Migration[];
  /** Applied, but not part of this release: a newer release used this database. */
  unknown: string[];
}

/** The lock that Prisma's Migrate takes on Postgres, so that Prisma's tool and this one never run at the same time. */
export const prismaLock = 72_707_369;

export const historyTable = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex');

/** Like Prisma, treats a file whose line ends were changed by a checkout as unchanged. */
export function matches(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}

async function readHistory(client: pg.Client, migrations: readonly Migration[]): Promise<History> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as "isThere"`,
  );
  const { rows } = tables[0]?.isThere
    ? await client.query<{ name: string; checksum: string; isFinished: boolean }>(
        `select migration_name as name, checksum, finished_at is not null as "isFinished"
           from _prisma_migrations where rolled_back_at is null order by started_at, migration_name`,
      )
    : { rows: [] };
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const finished = rows.filter(({ isFinished }) => isFinished);
  const recorded = new Set(rows.map(({ name }) => name));
  return {
    unfinished: rows.filter(({ isFinished }) => !isFinished).map(({ name }) => name),
    changed: finished
      .filter(({ name, checksum }) => !matches(known.get(name)?.sql ?? '', checksum) && known.has(name))
      .map(({ name }) => name),
    pending: migrations.filter(({ name }) => !recorded.has(name)),
    unknown: rows.map(({ name }) => name).filter((name) => !known.has(name)),
  };
}

/** Runs work on one connection, as the account of the URL and in the schema `public`. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionParts(url));
  // A connection that breaks is reported by the query under way; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`DATABASE_URL cannot be used: ${(error as Error).message || 'nobody answers'}.`, { cause: error });
  }
  try {
    // Prisma's client reads the schema `public`, even where the search path of the account names another.
    await client.query('set search_path to public');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Compares the migrations of this release with those applied, by name and checksum; reads one table. */
export const status = (url: string, migrations: readonly Migration[] = readMigrations()): Promise<MigrationStatus> =>
  connected(url, async (client) => {
    const { unfinished, changed, pending, unknown } = await readHistory(client, migrations);
    const has: [boolean, MigrationStatus['state']][] = [
      [unfinished.length > 0, 'failed'],
      [changed.length > 0, 'changed'],
      [pending.length > 0, 'behind'],
      [unknown.length > 0, 'ahead'],
    ];
    return {
      state: has.find(([found]) => found)?.[1] ?? 'current',
      pending: pending.map(({ name }) => name),
      unknown,
    };
  });

/** @throws MigrationError where going on could damage the database */
function demandSound({ unfinished, changed }: History): void {
  const [began] = unfinished;
  if (began !== undefined)
    throw new MigrationError(
      `The migration ${began} began on this database and did not finish. Repair the database as prisma/README.md describes, then start again.`,
    );
  const [edited] = changed;
  if (edited !== undefined)
    throw new MigrationError(
      `The file of the migration ${edited} was changed after it was applied to this database. Restore the file, then start again.`,
    );
}

/** @throws MigrationError where the database holds tables of another program */
async function demandEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class c
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and relname <> '_prisma_migrations'
        and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e') limit 1`,
  );
  if (rows[0])
    throw new MigrationError(
      `The database of DATABASE_URL holds tables that are not of pdf2press (${rows[0].name}, for one). Give pdf2press a database of its own.`,
    );
}

/** The line of a script that Postgres complains about; `position` counts characters from 1. */
const lineOf = (sql: string, position: string | undefined): string =>
  position ? ` (line ${sql.slice(0, Number(position) - 1).split('\n').length})` : '';

/** Runs one migration and records it, in the caller's transaction. */
export async function perform(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  // Sent whole and without values, a script may hold several statements and function bodies.
  await client.query(sql);
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, $4::timestamptz, clock_timestamp(), 1)`,
    [randomUUID(), checksumOf(sql), name, rows[0]?.at],
  );
}

/** Applies one migration in a transaction of its own: a failure leaves no change. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  await client.query('begin');
  try {
    await perform(client, migration);
    await client.query('commit');
  } catch (error) {
    // A broken connection cannot be asked to roll back; the server has done it.
    await client.query('rollback').catch(() => undefined);
    const { message, position } = error as pg.DatabaseError;
    throw new MigrationError(
      `The migration ${name} failed and was rolled back: ${message}${lineOf(sql, position)}. The database is as it was before this migration.`,
      { cause: error },
    );
  }
}

/**
 * Applies the waiting migrations, each in a transaction of its own, and returns their names. Processes that start
 * together wait for the first one, however long it takes. A database that is current costs three queries.
 * @throws MigrationError for a migration that fails, one that began and did not finish, and one whose file was changed
 * after it was applied
 */
export const deploy = (url: string, migrations: readonly Migration[] = readMigrations()): Promise<string[]> =>
  connected(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [prismaLock]);
    const history = await readHistory(client, migrations);
    demandSound(history);
    if (history.pending.length === 0) return [];
    if (history.pending.length === migrations.length) await demandEmpty(client);
    await client.query(historyTable);
    for (const migration of history.pending) await apply(client, migration);
    return history.pending.map(({ name }) => name);
  });
