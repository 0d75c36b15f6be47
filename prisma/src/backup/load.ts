import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connected, historyTable, matches, perform, prismaLock } from '../migrate.ts';
import { type Migration, readMigrations } from '../migration-files.ts';
import { columnList, countBreaks, type Dump, plainText, readTables } from './dump.ts';
import { BackupError, readPart } from './part.ts';

/**
 * The migrations of a backup, as this release has them.
 * @throws BackupError where this release does not have them: the backup is of a newer one
 */
export function demandLoadable(
  { migrations }: Pick<Dump, 'migrations'>,
  known: readonly Migration[] = readMigrations(),
): Migration[] {
  const wanted = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const found = known.filter(({ name }) => wanted.has(name));
  if (found.length < wanted.size) {
    const missing = migrations.find(({ name }) => !found.some((migration) => migration.name === name));
    throw new BackupError(
      `The backup is of a newer release of pdf2press (${missing?.name}). Restore it with that release.`,
    );
  }
  const changed = found.find(({ name, sql }) => !matches(sql, wanted.get(name) ?? ''));
  if (changed) throw new BackupError(`The migration ${changed.name} is not the one that the backup was made with.`);
  return found;
}

const demandEmptyDatabase = async (client: pg.Client): Promise<void> => {
  const [table] = await readTables(client);
  if (table)
    throw new BackupError(`The database is not empty (it has a table ${table.name}). Restore into a new, empty one.`);
};

/** @throws BackupError where the database holds any table */
export const demandUnused = (url: string): Promise<void> => connected(url, demandEmptyDatabase);

/** @throws BackupError where the tables are not those that were dumped */
async function demandSameTables(client: pg.Client, { tables }: Dump): Promise<void> {
  const told = (list: readonly { name: string; columns: string[] }[]) =>
    list.map(({ name, columns }) => `${name} (${[...columns].sort().join(', ')})`).sort();
  const [there, wanted] = [told(await readTables(client)), told(tables)];
  const odd = wanted.find((table) => !there.includes(table)) ?? there.find((table) => !wanted.includes(table));
  if (odd) throw new BackupError(`The tables are not those of the backup's migrations: ${odd}.`);
}

/**
 * Takes away what would refuse or change rows as they come in, and returns the statements that put it back. Foreign keys
 * that are made anew check every row; switching them off instead would need a superuser and check nothing.
 */
async function openGates(client: pg.Client, { tables }: Dump): Promise<string[]> {
  const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(`
    select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1`);
  for (const { name, table } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const closing: string[] = [];
  const walls = new Set((await readTables(client)).filter(({ hasWall }) => hasWall).map(({ name }) => name));
  for (const { name } of tables) {
    const table = pg.escapeIdentifier(name);
    await client.query(`alter table ${table} disable trigger user`);
    closing.push(`alter table ${table} enable trigger user`);
    if (!walls.has(name)) continue;
    await client.query(`alter table ${table} no force row level security`);
    closing.push(`alter table ${table} force row level security`);
  }
  for (const { name, table, definition } of keys)
    closing.push(`alter table ${table} add constraint ${name} ${definition}`);
  return closing;
}

async function fill(client: pg.Client, folder: string, { tables, sequences }: Dump): Promise<void> {
  await client.query(`truncate ${columnList(tables.map(({ name }) => name))}`);
  for (const { name, columns, rows, part } of tables) {
    const into = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${columnList(columns)}) from stdin`));
    await pipeline(readPart(path.join(folder, part.file)), into);
    if (into.rowCount !== rows)
      throw new BackupError(`${part.file} gave ${into.rowCount} rows and should give ${rows}.`);
  }
  for (const { name, value } of sequences)
    if (value !== null)
      await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), value]);
}

/** @throws BackupError where a chain has other faults than it had when the backup was made */
async function demandChains(client: pg.Client, { breaks }: Dump): Promise<void> {
  for (const [view, broken] of Object.entries(await countBreaks(client)))
    if (broken !== (breaks[view] ?? 0))
      throw new BackupError(
        `After loading, ${view} has ${broken} rows, and ${breaks[view] ?? 0} when the backup was made.`,
      );
}

/**
 * Fills an empty database from a dump: its migrations, rows and sequences, with walls, triggers and keys as they were. One
 * transaction, so that a failure leaves the database empty. Needs an account that may create roles and tables.
 * @throws BackupError for a database that is not empty, a dump of a newer release, and rows that do not fit
 */
export const loadDatabase = (url: string, folder: string, dump: Dump): Promise<void> =>
  connected(url, async (client) => {
    const migrations = demandLoadable(dump);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [prismaLock]);
    await demandEmptyDatabase(client);
    await client.query(historyTable);
    for (const migration of migrations) await perform(client, migration);
    await client.query(plainText);
    await demandSameTables(client, dump);
    const closing = await openGates(client, dump);
    await fill(client, folder, dump);
    for (const statement of closing) await client.query(statement);
    await demandChains(client, dump);
    await client.query('commit');
    // Without it the first queries after a restore choose their plans blindly.
    await client.query('analyze');
  });
