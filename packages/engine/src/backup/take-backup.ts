import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileFaultError } from '@pdf2press/contract/faults';
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
import type { HouseEnv } from '../env.ts';
import { openInstanceKeys } from '../secrets/secrets.ts';
import { keyName, type Manifest, placeOf, readBackup, writeManifest } from './manifest.ts';

/** What a backup is made of: a database, and the environment of the product that uses it. */
export interface BackupSource {
  url: string;
  env: Pick<HouseEnv, 'dataDir' | 'secretKey' | 's3'>;
}

export interface TakenBackup {
  manifest: Manifest;
  /** SHA-256 of what the store had lost already: the rest is in the backup. */
  lost: string[];
}

/**
 * Copies database, stored files and the instance's key to a new folder, also while the product runs, and reads everything
 * back. A folder that could not be filled is left empty.
 * @throws BackupError, or what the disk and the database throw
 */
export async function takeBackup(
  source: BackupSource,
  folder: string,
  { areFilesIncluded }: { areFilesIncluded: boolean },
): Promise<TakenBackup> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`${folder} is not empty; name a new folder.`);
  try {
    return await fillFolder(source, folder, areFilesIncluded);
  } catch (error) {
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function fillFolder({ url, env }: BackupSource, folder: string, areFilesIncluded: boolean): Promise<TakenBackup> {
  const takenAt = new Date().toISOString();
  const database = await dumpDatabase(url, folder);
  const files = areFilesIncluded ? await copyFiles(env, { url, folder, dump: database }) : noFiles;
  const key = await copyKey(env, folder);
  const { lost, ...described } = files;
  const manifest: Manifest = { format: 'pdf2press-backup', formatVersion: 1, takenAt, key, database, files: described };
  await writeManifest(folder, manifest);
  await readBackup(folder);
  return { lost, manifest };
}

const noFiles = { areIncluded: false, count: 0, size: 0, missing: [], lost: [] };

/** Copies the bytes that the dump's rows expect in the store. */
async function copyFiles(
  env: BackupSource['env'],
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
  try {
    await pipeline(bytes, print.through, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
    const { size, sha256 } = print.result();
    if (sha256 === one.sha256 && size === one.size) return true;
  } catch (error) {
    if (!(error instanceof FileFaultError && error.code === 'STORAGE_DAMAGED')) throw error;
  }
  await rm(target);
  return false;
}

async function copyKey(env: BackupSource['env'], folder: string): Promise<Manifest['key']> {
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
