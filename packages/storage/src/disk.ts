import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { Blob, Storage, Stored } from './blob.ts';
import { checkByUse } from './check.ts';
import { openIntact } from './intact.ts';
import { isMissing, keepFile, keyOf, roomOf, type Spooled, settle, spool } from './spool.ts';

export interface DiskOptions {
  /** Holds `blobs/`, `tmp/` and `damaged/`, all on one file system, so that a file moves between them in one step. */
  folder: string;
}

/**
 * Blobs as files: `blobs/<subscriber>/<aa>/<sha256>`. A file whose bytes are no longer those of its name is moved to `damaged/`
 * under the same name, where a person may look at it; putting the right bytes again heals the blob.
 */
export function openDiskStorage({ folder }: DiskOptions): Storage {
  const blobs = path.join(folder, 'blobs');
  const tmp = path.join(folder, 'tmp');
  const pathOf = (blob: Blob) => path.join(blobs, keyOf(blob));
  const damagedOf = (blob: Blob) => path.join(folder, 'damaged', keyOf(blob));
  const intact = openIntact();

  const missing = async (blob: Blob, cause?: unknown): Promise<FileFaultError> => {
    const wasDamaged = await stat(damagedOf(blob)).catch(() => undefined);
    const code = wasDamaged ? 'STORAGE_DAMAGED' : 'STORAGE_UNAVAILABLE';
    return new FileFaultError(code, { sha256: blob.sha256 }, { cause });
  };
  /** Moves a damaged file away, unless the right bytes have taken its place since it was read. */
  const setAside = async (blob: Blob): Promise<FileFaultError> => {
    try {
      if (await intact.isIntact(pathOf(blob), blob.sha256))
        return new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 });
      await mkdir(path.dirname(damagedOf(blob)), { recursive: true });
      await rename(pathOf(blob), damagedOf(blob));
    } catch (error) {
      // Another process that met the same damage has moved it already.
      if (!isMissing(error)) throw error;
    }
    return new FileFaultError('STORAGE_DAMAGED', { sha256: blob.sha256 });
  };
  /** Does something with a blob's file; what it throws because the file is missing becomes the fault that says so. */
  const reading = async <T>(blob: Blob, work: (file: string) => Promise<T>): Promise<T> => {
    try {
      return await work(pathOf(blob));
    } catch (error) {
      throw isMissing(error) ? await missing(blob, error) : error;
    }
  };

  const keep = async (subscriberId: string, spooled: Spooled): Promise<Stored> => {
    const blob = { subscriberId, sha256: spooled.sha256 };
    await intact.trust(await settle(blobs, keyOf(blob), spooled));
    await rm(damagedOf(blob), { force: true });
    return { sha256: spooled.sha256, size: spooled.size };
  };
  const storage: Storage = {
    put: async (request) => keep(request.subscriberId, await spool(tmp, request)),
    adopt: ({ subscriberId, ...file }) => keepFile(tmp, file, (spooled) => keep(subscriberId, spooled)),
    // A part of a file says nothing about the whole.
    open: (blob, range) =>
      reading(blob, async (file) => {
        if (!range) return intact.stream(file, blob.sha256, () => setAside(blob));
        const handle = await open(file, 'r');
        return createReadStream('', { fd: handle, autoClose: true, ...range });
      }),
    sizeOf: async (blob) => {
      try {
        return (await stat(pathOf(blob))).size;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    remove: async (blob, { unlessPutSince } = {}) => {
      const found = unlessPutSince && (await stat(pathOf(blob)).catch(() => undefined));
      if (found && found.mtime > unlessPutSince) return false;
      await rm(pathOf(blob), { force: true });
      await rm(damagedOf(blob), { force: true });
      return true;
    },
    withLocalPath: async (blob, work) => {
      if (!(await reading(blob, (file) => intact.isIntact(file, blob.sha256)))) throw await setAside(blob);
      return work(pathOf(blob));
    },
    room: () => roomOf(folder),
    check: () => checkByUse(storage),
  };
  return storage;
}
