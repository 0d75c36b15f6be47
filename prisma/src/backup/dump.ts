import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connected } from '../migrate.ts';
import { BackupError, type Part, readPart, writePart } from './part.ts';

export interface DumpedTable {
  name: string;
  columns: string[];
  rows: number;
  part: Part;
}

/** What a backup knows of the database. */
export interface Dump {
  /** Applied when the backup was made. */
  migrations: { name: string; checksum: string }[];
  tables: DumpedTable[];
  /** `value` null: never used. */
  sequences: { name: string; value: string | null }[];
  /** Rows at which a chain did not hold when the backup was made, by the view that finds them. */
  breaks: Record<string, number>;
  /** The bytes that the rows expect in the store; read with `readStored`. */
  stored: Part;
}

/** Bytes in the store that a backup has to hold. */
export interface StoredBytes {
  subscriberId: string;
  sha256: string;
  size: number;
}

/**
 * Ordinary tables of the product, without those that an extension brings. Columns of transaction numbers are left out,
 * because a number belongs to its cluster: on a new one, readers that wait for older transactions would wait for years.
 * Their default gives the rows that of the loading transaction.
 */
export const readTables = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string; columns: string[]; hasWall: boolean }>(`
    select relname::text as name, relrowsecurity as "hasWall",
           array(select attname::text from pg_attribute
                  where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                    and atttypid <> 'xid8'::regtype
                  order by attnum) as columns
      from pg_class c
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')
     order by relname`);
  return rows;
};

/** Postgres hides rows even from the owner of a table with a wall, unless it is a superuser; the host sees them all. */
export const lookAs = (client: pg.Client, hasWall: boolean) =>
  client.query(`set local role ${hasWall ? 'pdf2press_host' : 'none'}`);

/** How many rows break each chain: the views named `…_breaks`. */
export async function countBreaks(client: pg.Client): Promise<Record<string, number>> {
  const { rows: views } = await client.query<{ name: string }>(`
    select viewname::text as name from pg_views where schemaname = 'public' and viewname like '%\\_breaks' order by 1`);
  await lookAs(client, true);
  const breaks: Record<string, number> = {};
  for (const { name } of views) {
    const { rows } = await client.query<{ broken: number }>(
      `select count(*)::int as broken from ${pg.escapeIdentifier(name)}`,
    );
    breaks[name] = rows[0]?.broken ?? 0;
  }
  await lookAs(client, false);
  return breaks;
}

/** Values are written the same way whatever the server's settings are, and numbers exactly. */
export const plainText = `
  set local client_encoding to 'UTF8'; set local timezone to 'UTC'; set local datestyle to 'ISO, YMD';
  set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 3`;

export const columnList = (columns: readonly string[]) => columns.map(pg.escapeIdentifier).join(', ');

const storedNow = 'from blobs where removed_at is null and offloaded_at is null';

async function readMigrationsOf(client: pg.Client): Promise<Dump['migrations']> {
  const { rows: there } = await client.query<{ isThere: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as "isThere"`,
  );
  if (!there[0]?.isThere)
    throw new BackupError('The database holds nothing of pdf2press; there is nothing to back up.');
  const { rows } = await client.query<{ name: string; checksum: string; isFinished: boolean }>(
    `select migration_name as name, checksum, finished_at is not null as "isFinished"
       from _prisma_migrations where rolled_back_at is null order by migration_name`,
  );
  const unfinished = rows.find(({ isFinished }) => !isFinished);
  if (unfinished)
    throw new BackupError(
      `The migration ${unfinished.name} began on this database and did not finish; repair it first.`,
    );
  return rows.map(({ name, checksum }) => ({ name, checksum }));
}

/**
 * Writes every table as it was at one moment to compressed files in `folder`, while others go on writing. The bytes that
 * its rows name stay in the store for a day after the last row has gone, so they can be copied afterwards.
 * @throws BackupError where there is nothing to back up
 */
export const dumpDatabase = (url: string, folder: string): Promise<Dump> =>
  connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query(plainText);
    const migrations = await readMigrationsOf(client);
    const tables = await readTables(client);
    // A migration that wrote a table anew would show it empty to this older snapshot.
    for (const isWalled of [false, true]) {
      const names = tables.filter(({ hasWall }) => hasWall === isWalled).map(({ name }) => name);
      await lookAs(client, isWalled);
      if (names.length > 0) await client.query(`lock table ${columnList(names)} in access share mode`);
    }
    // As the host as well: whoever may not use a sequence is shown one that was never used.
    const { rows: sequences } = await client.query<Dump['sequences'][number]>(`
      select sequencename::text as name, last_value::text as value from pg_sequences
       where schemaname = 'public' order by 1`);
    const write = async (query: string, file: string) => {
      const rows = client.query(copyTo(`copy ${query} to stdout`));
      const part = await writePart(rows, path.join(folder, file), file);
      return { part, rows: rows.rowCount };
    };
    await mkdir(path.join(folder, 'database'), { mode: 0o700 });
    const dumped: DumpedTable[] = [];
    for (const { name, columns, hasWall } of tables) {
      await lookAs(client, hasWall);
      const what = `${pg.escapeIdentifier(name)} (${columnList(columns)})`;
      dumped.push({ name, columns, ...(await write(what, `database/${name}.gz`)) });
    }
    await lookAs(client, true);
    const stored = await write(`(select subscriber_id, sha256, size ${storedNow} order by 1, 2)`, 'files.gz');
    await lookAs(client, false);
    const breaks = await countBreaks(client);
    await client.query('commit');
    return { migrations, tables: dumped, sequences, breaks, stored: stored.part };
  });

/** Reads the list of bytes in the store. @throws BackupError for a line that is none of this list */
export async function* readStored(folder: string, { stored }: Pick<Dump, 'stored'>): AsyncGenerator<StoredBytes> {
  for await (const line of createInterface({ input: readPart(path.join(folder, stored.file)) })) {
    const [, subscriberId, sha256, size] = /^([\w-]+)\t([0-9a-f]{64})\t(\d+)$/.exec(line) ?? [];
    if (!(subscriberId && sha256)) throw new BackupError(`${stored.file} is no list of files.`);
    yield { subscriberId, sha256, size: Number(size) };
  }
}

/** Whether the database expects these bytes in the store now: a backup may be made while they are removed. */
export const stillStored = (url: string, { subscriberId, sha256 }: StoredBytes): Promise<boolean> =>
  connected(url, async (client) => {
    await client.query('begin read only');
    await lookAs(client, true);
    const { rowCount } = await client.query(`select 1 ${storedNow} and subscriber_id = $1 and sha256 = $2`, [
      subscriberId,
      sha256,
    ]);
    return rowCount === 1;
  });
