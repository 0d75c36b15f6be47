/** What a backup consists of. The manifest is written last, so a folder without it is no backup. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BackupError, type Dump, fingerprint, type Part, readStored, type StoredBytes } from '@pdf2press/prisma/backup';

export interface Manifest {
  format: 'pdf2press-backup';
  formatVersion: 1;
  /** ISO 8601; the moment that the database is of lies a little later. */
  takenAt: string;
  /** Which key the secrets are sealed with; `part` null: it is not part of the backup. */
  key: { id: string; part: Part | null };
  database: Dump;
  files: {
    /** False: the store is backed up by its own means. */
    areIncluded: boolean;
    count: number;
    /** Bytes. */
    size: number;
    /** SHA-256 of those whose bytes were missing or damaged in the store already. */
    missing: string[];
  };
}

export const manifestName = 'manifest.json';
const sumName = 'manifest.sha256';
export const keyName = 'instance.key';

/** Where a backup keeps stored bytes: as the store on the disk does. */
export const placeOf = ({ subscriberId, sha256 }: Pick<StoredBytes, 'subscriberId' | 'sha256'>): string =>
  path.join('blobs', subscriberId, sha256.slice(0, 2), sha256);

/** Bytes of everything that a backup holds. */
export const sizeOf = ({ database, files, key }: Manifest): number =>
  [...database.tables.map(({ part }) => part), database.stored, ...(key.part ? [key.part] : [])].reduce(
    (sum, { size }) => sum + size,
    files.size,
  );

/** Writes the manifest and, as `sha256sum` does, its sum. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const sum = createHash('sha256').update(text).digest('hex');
  await writeFile(path.join(folder, manifestName), text, { mode: 0o600, flush: true, flag: 'wx' });
  await writeFile(path.join(folder, sumName), `${sum}  ${manifestName}\n`, { mode: 0o600, flush: true, flag: 'wx' });
}

async function readManifest(folder: string): Promise<Manifest> {
  const [text, sum] = await Promise.all(
    [manifestName, sumName].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => undefined)),
  );
  if (text === undefined || sum === undefined)
    throw new BackupError(
      `${folder} is no complete backup: ${text === undefined ? manifestName : sumName} is missing.`,
    );
  if (sum.split(' ')[0] !== createHash('sha256').update(text).digest('hex'))
    throw new BackupError(`The backup is damaged: ${manifestName} is not as it was written.`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 'pdf2press-backup' || manifest.formatVersion !== 1)
    throw new BackupError(`${folder} holds a backup in a form that this release does not know.`);
  return manifest;
}

async function demandUnchanged(folder: string, file: string, wanted: { size: number; sha256: string }): Promise<void> {
  const print = fingerprint();
  try {
    for await (const _ of print.through(createReadStream(path.join(folder, file))));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(`The backup is damaged: ${file} cannot be read (${code}).`, { cause: error });
  }
  const { size, sha256 } = print.result();
  if (size !== wanted.size || sha256 !== wanted.sha256)
    throw new BackupError(`The backup is damaged: ${file} is not as it was written.`);
}

/** The stored bytes that a backup holds. */
export async function* includedFiles(folder: string, { database, files }: Manifest): AsyncGenerator<StoredBytes> {
  if (!files.areIncluded) return;
  const missing = new Set(files.missing);
  for await (const one of readStored(folder, database)) if (!missing.has(one.sha256)) yield one;
}

/**
 * Reads a whole backup and compares every byte with what was written.
 * @throws BackupError naming the first part that is missing or changed
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { database, key, files } = manifest;
  const keyPart = key.part ? [key.part] : [];
  for (const part of [...database.tables.map((table) => table.part), database.stored, ...keyPart])
    await demandUnchanged(folder, part.file, part);
  let count = 0;
  for await (const one of includedFiles(folder, manifest)) {
    await demandUnchanged(folder, placeOf(one), one);
    count += 1;
  }
  if (count !== files.count)
    throw new BackupError(`The backup is damaged: it lists ${count} files and should list ${files.count}.`);
  return manifest;
}
