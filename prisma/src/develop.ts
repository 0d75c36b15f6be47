/*
 * Exported as `@pdf2press/prisma/develop`: writes migrations and checks them against the schema. It runs Prisma's schema
 * engine as WASM, which production does not have.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploy } from './migrate.ts';
import { type Migration, migrationsFolder, readMigrations } from './migration-files.ts';
import { withSchemaEngine } from './schema-engine.ts';

const schemaFolder = fileURLToPath(new URL('../schema', import.meta.url));
const lockFile = 'migration_lock.toml';
const filters = { externalTables: [], externalEnums: [] };

const schemaFiles = () =>
  readdirSync(schemaFolder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => path.join(schemaFolder, name))
    .map((file) => ({ path: file, content: readFileSync(file, 'utf8') }));

function listOf(migrations: readonly Migration[]) {
  const lock = path.join(migrationsFolder, lockFile);
  return {
    baseDir: migrationsFolder,
    shadowDbInitScript: '',
    lockfile: { path: lockFile, content: existsSync(lock) ? readFileSync(lock, 'utf8') : null },
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}

/**
 * Writes the next migration from the difference between schema and migrations, and applies it unless `isDraft`.
 * Returns its name, or undefined when there is no difference. Needs the right to create a database.
 */
export async function dev(url: string, name: string, { isDraft = false } = {}): Promise<string | undefined> {
  const files = schemaFiles();
  await deploy(url);
  const created = await withSchemaEngine(url, files, async (engine) => {
    const migrationsList = listOf(readMigrations());
    const { action } = await engine.devDiagnostic({ migrationsList, filters });
    if (action.tag === 'reset') throw new Error(`the database would need a reset: ${action.reason}`);
    return engine.createMigration({ draft: isDraft, migrationName: name, migrationsList, schema: { files }, filters });
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
      from: { tag: 'migrations', ...listOf(readMigrations()) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters,
    });
    return exitCode === 0;
  });
}

/** The output of `prisma migrate status` for a database. */
export const diagnose = (url: string, migrations: readonly Migration[] = readMigrations()) =>
  withSchemaEngine(url, schemaFiles(), (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList: listOf(migrations), optInToShadowDatabase: false, filters }),
  );

/** Applies migrations as Prisma's own engine does: the names of those applied. */
export const applyByEngine = (url: string, migrations: readonly Migration[]): Promise<string[]> =>
  withSchemaEngine(url, schemaFiles(), async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: listOf(migrations), filters });
    return appliedMigrationNames;
  });
