import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { Storage, Stored } from './blob.ts';
import { checkByUse } from './check.ts';
import { isMissing, keepFile, keyOf, roomOf, type Spooled, settle, spool } from './spool.ts';

export interface DiskOptions {
  /** Holds `blobs/` and `tmp/`; both on one file system, so that a finished file moves into place in one step. */
  folder: string;
}

/** Blobs as files: `blobs/<subscriber>/<aa>/<sha256>`. */
export function openDiskStorage({ folder }: DiskOptions): Storage {
  const blobs = path.join(folder, 'blobs');
  const tmp = path.join(folder, 'tmp');
  const pathOf = (blob: Parameters<Storage['open']>[0]) => path.join(blobs, keyOf(blob));
  const keep = async (subscriberId: string, spooled: Spooled): Promise<Stored> => {
    await settle(blobs, keyOf({ subscriberId, sha256: spooled.sha256 }), spooled);
    return { sha256: spooled.sha256, size: spooled.size };
  };
  const storage: Storage = {
    put: async (request) => keep(request.subscriberId, await spool(tmp, request)),
    adopt: ({ subscriberId, ...file }) => keepFile(tmp, file, (spooled) => keep(subscriberId, spooled)),
    open: async (blob, range) => {
      try {
        const handle = await open(pathOf(blob), 'r');
        return createReadStream('', { fd: handle, autoClose: true, ...range });
      } catch (error) {
        if (isMissing(error))
          throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 }, { cause: error });
        throw error;
      }
    },
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
      return true;
    },
    withLocalPath: async (blob, work) => {
      if ((await storage.sizeOf(blob)) === undefined)
        throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 });
      return work(pathOf(blob));
    },
    room: () => roomOf(folder),
    check: () => checkByUse(storage),
  };
  return storage;
}
