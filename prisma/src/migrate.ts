import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectionParts } from './connection.ts';
import { withSchemaEngine } from './schema-engine.ts';

const room = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const schemaFolder = path.join(room, 'schema');
const migrationsFolder = path.join(room, 'migrations');
const lockFile = 'migration_lock.toml';
const filters = { externalTables: [], externalEnums: [] };

const schemaFiles = () =>
  readdirSync(schemaFolder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => path.join(schemaFolder, name))
    .map((file) => ({ path: file, content: readFileSync(file, 'utf8') }));

/** Names of the migrations in the repository, oldest first. */
const migrationNames = () =>
  existsSync(migrationsFolder)
    ? readdirSync(migrationsFolder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];

const sqlOf = (name: string) => readFileSync(path.join(migrationsFolder, name, 'migration.sql'), 'utf8');

function migrationsList() {
  const lock = path.join(migrationsFolder, lockFile);
  return {
    baseDir: migrationsFolder,
    shadowDbInitScript: '',
    lockfile: { path: lockFile, content: existsSync(lock) ? readFileSync(lock, 'utf8') : null },
    migrationDirectories: migrationNames().map((name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sqlOf(name) } },
    })),
  };
}

/** `behind`: migrations wait · `ahead`: the database knows migrations that this code does not · `changed`: an applied file differs. */
export interface MigrationStatus {
  state: 'current' | 'behind' | 'ahead' | 'changed' | 'failed';
  pending: string[];
  unknown: string[];
}

async function readStatus(client: pg.Client): Promise<MigrationStatus> {
  const known = await client.query(`select to_regclass('public._prisma_migrations') is not null as known`);
  const rows: { name: string; checksum: string; finished: boolean }[] = known.rows[0].known
    ? (
        await client.query(
          `select migration_name as name, checksum, finished_at is not null as finished
             from public._prisma_migrations where rolled_back_at is null`,
        )
      ).rows
    : [];
  const names = migrationNames();
  const applied = new Map(rows.map((row) => [row.name, row]));
  const pending = names.filter((name) => !applied.has(name));
  const unknown = rows.map((row) => row.name).filter((name) => !names.includes(name));
  const isChanged = names.some((name) => {
    const row = applied.get(name);
    return row?.finished && row.checksum !== createHash('sha256').update(sqlOf(name)).digest('hex');
  });
  const has: [boolean, MigrationStatus['state']][] = [
    [rows.some((row) => !row.finished), 'failed'],
    [isChanged, 'changed'],
    [pending.length > 0, 'behind'],
    [unknown.length > 0, 'ahead'],
  ];
  return { state: has.find(([found]) => found)?.[1] ?? 'current', pending, unknown };
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionParts(url));
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`DATABASE_URL cannot be used: ${(error as Error).message || 'nobody answers'}.`, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Compares the repository's migrations with those applied, by name and checksum; reads one table. */
export const status = (url: string): Promise<MigrationStatus> => connected(url, readStatus);

/**
 * Applies the waiting migrations and returns their names. Processes that start together wait for the first one, however
 * long it takes (the schema engine's own lock gives up after ten seconds). A database that is current costs one query.
 */
export const deploy = (url: string): Promise<string[]> =>
  connected(url, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('pdf2press migrate', 0))`);
    if ((await readStatus(client)).state === 'current') return [];
    return withSchemaEngine(url, schemaFiles(), async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrationsList(), filters });
      return appliedMigrationNames;
    });
  });

/**
 * Writes the next migration from the difference between schema and migrations, and applies it unless `isDraft`.
 * Returns its name, or undefined when there is no difference. Development only: needs the right to create a database.
 */
export async function dev(url: string, name: string, { isDraft = false } = {}): Promise<string | undefined> {
  const files = schemaFiles();
  const created = await withSchemaEngine(url, files, async (engine) => {
    const { action } = await engine.devDiagnostic({ migrationsList: migrationsList(), filters });
    if (action.tag === 'reset') throw new Error(`the database would need a reset: ${action.reason}`);
    await engine.applyMigrations({ migrationsList: migrationsList(), filters });
    return engine.createMigration({
      draft: isDraft,
      migrationName: name,
      migrationsList: migrationsList(),
      schema: { files },
      filters,
    });
  });
  if (!created.migrationScript) return undefined;
  const folder = path.join(migrationsFolder, created.generatedMigrationName);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'migration.sql'), created.migrationScript);
  writeFileSync(path.join(migrationsFolder, lockFile), 'provider = "postgresql"\n');
  if (!isDraft) await deploy(url);
  return created.generatedMigrationName;
}

/** True when replaying the migrations gives the schema: the check against drift. Needs the right to create a database. */
export function isSchemaMigrated(url: string): Promise<boolean> {
  const files = schemaFiles();
  return withSchemaEngine(url, files, async (engine) => {
    const { exitCode } = await engine.diff({
      from: { tag: 'migrations', ...migrationsList() },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters,
    });
    return exitCode === 0;
  });
}
