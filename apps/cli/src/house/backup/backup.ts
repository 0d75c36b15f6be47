import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { FileFaultError } from '@pdf2press/contract/faults';
import { noteBackup } from '@pdf2press/engine';
import type { HouseEnv } from '@pdf2press/engine/env';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { createDatabase } from '@pdf2press/prisma';
import {
  BackupError,
  type Dump,
  dumpDatabase,
  fingerprint,
  readStored,
  type StoredBytes,
  stillStored,
} from '@pdf2press/prisma/backup';
import { openStorage, type Storage } from '@pdf2press/storage';
import { parsed } from '../../commands/arguments.ts';
import { UsageError } from '../../commands/file-work.ts';
import { readStartEnv } from '../house-env.ts';
import { keyName, type Manifest, placeOf, readBackup, writeManifest } from './manifest.ts';
import { tellingErrors, withDatabase } from './with-database.ts';

const usage = 'usage: pdf2press backup TARGET [--without-files]';

/**
 * `pdf2press backup`: copies database, stored files and the instance's key to a new folder, also while the product runs,
 * and reads everything back. Exit code 1 also where the store had lost files already; the rest is in the backup then.
 */
export const backup = (args: string[]): Promise<number> =>
  tellingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options: { 'without-files': { type: 'boolean' } } }),
    );
    const [target, ...others] = positionals;
    if (target === undefined || others.length > 0) throw new UsageError(usage);
    const env = readStartEnv();
    const { lost, told } = await noted(env, () => takeBackup(env, path.resolve(target), !values['without-files']));
    console.log(told);
    for (const sha256 of lost.slice(0, 10)) console.error(`Missing or damaged in the store: ${sha256}`);
    if (lost.length > 0)
      console.error(`The backup is complete except for ${lost.length} files that the store itself has lost.`);
    return lost.length > 0 ? 1 : 0;
  });

/** Notes in the installation how the backup ended: its administrators are told when it failed, and when the next is late. */
async function noted<T extends { lost: readonly string[] }>(env: HouseEnv, work: () => Promise<T>): Promise<T> {
  const note = (isGood: boolean) =>
    withDatabase(env, { isNew: false }, async (url) => {
      const database = createDatabase(url, { connections: 1 });
      try {
        await database.asHost((tx) => noteBackup(tx, { isGood }));
      } finally {
        await database.close();
      }
    });
  let taken: T;
  try {
    taken = await work();
  } catch (error) {
    // What the backup failed of is told; a database that cannot be written to either changes nothing about that.
    await note(false).catch((notNoted: unknown) => {
      console.error(`This could not be noted: ${notNoted instanceof Error ? notNoted.message : String(notNoted)}`);
    });
    throw error;
  }
  await note(taken.lost.length === 0);
  return taken;
}

async function takeBackup(
  env: HouseEnv,
  folder: string,
  areFilesIncluded: boolean,
): Promise<{ lost: string[]; told: string }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} is not empty; name a new folder.`);
  try {
    return await fillFolder(env, folder, areFilesIncluded);
  } catch (error) {
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function fillFolder(
  env: HouseEnv,
  folder: string,
  areFilesIncluded: boolean,
): Promise<{ lost: string[]; told: string }> {
  const takenAt = new Date().toISOString();
  const { database, files } = await withDatabase(env, { isNew: false }, async (url) => {
    const dump = await dumpDatabase(url, folder);
    return { database: dump, files: areFilesIncluded ? await copyFiles(env, { url, folder, dump }) : noFiles };
  });
  const key = await copyKey(env, folder);
  const { lost, ...described } = files;
  const manifest: Manifest = { format: 'pdf2press-backup', formatVersion: 1, takenAt, key, database, files: described };
  await writeManifest(folder, manifest);
  await readBackup(folder);
  return { lost, told: sentenceOf(folder, manifest) };
}

const noFiles = { areIncluded: false, count: 0, size: 0, missing: [], lost: [] };

/** Copies the bytes that the dump's rows expect in the store. */
async function copyFiles(
  env: HouseEnv,
  { url, folder, dump }: { url: string; folder: string; dump: Dump },
): Promise<Manifest['files'] & { lost: string[] }> {
  const storage = openStorage(env, 'backup');
  const files = { areIncluded: true, count: 0, size: 0, missing: [] as string[], lost: [] as string[] };
  for await (const one of readStored(folder, dump)) {
    if (await copyOne(storage, one, path.join(folder, placeOf(one)))) {
      files.count += 1;
      files.size += one.size;
      continue;
    }
    files.missing.push(one.sha256);
    // Not lost where they were removed, or moved to the archive, since the dump: no file uses them any more.
    if (await stillStored(url, one)) files.lost.push(one.sha256);
  }
  return files;
}

/** False where the bytes are not there or are not those that were stored. @throws what the disk of the backup throws */
async function copyOne(storage: Storage, one: StoredBytes, target: string): Promise<boolean> {
  let bytes: Awaited<ReturnType<Storage['open']>>;
  try {
    if ((await storage.sizeOf(one)) === undefined) return false;
    bytes = await storage.open(one);
  } catch (error) {
    if (error instanceof FileFaultError && (await storage.sizeOf(one)) === undefined) return false;
    throw error;
  }
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const print = fingerprint();
  await pipeline(bytes, print.through, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
  const { size, sha256 } = print.result();
  if (sha256 === one.sha256 && size === one.size) return true;
  await rm(target);
  return false;
}

async function copyKey(env: HouseEnv, folder: string): Promise<Manifest['key']> {
  const file = path.join(env.dataDir, keyName);
  if (!env.secretKey && !existsSync(file))
    throw new BackupError(`There is no ${file}. Set PDF2PRESS_SECRET_KEY or DATA_DIR as the product has them.`);
  const { wrappingKeyId: id } = await openInstanceKeys(env);
  if (env.secretKey) return { id, part: null };
  await copyFile(file, path.join(folder, keyName));
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { id, part: { file: keyName, size: bytes.length, sha256 } };
}

const bytesTold = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

function sentenceOf(folder: string, { database, files, key }: Manifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const broken = Object.values(database.breaks).some((count) => count > 0);
  return [
    `${folder} holds ${rows} rows of ${database.tables.length} tables and ${files.areIncluded ? `${files.count} files (${bytesTold(files.size)})` : 'no files'}; it was read back and is as it was written.`,
    files.areIncluded ? '' : 'Back up the store of the files by its own means, after this.',
    key.part
      ? 'The key is in it, so whoever reads it can read the stored secrets: keep it as safe as the installation.'
      : 'The key is not in it: keep PDF2PRESS_SECRET_KEY apart, without it the stored secrets are lost.',
    broken ? 'The audit or the decisions were changed before this backup: their chain is broken.' : '',
  ]
    .filter(Boolean)
    .join('\n');
}
