import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import type { Blob, Storage } from './blob.ts';
import { openIntact } from './intact.ts';
import { isMissing, keyOf, type Spooled, settle, spool } from './spool.ts';

interface CacheOptions {
  folder: string;
  tmp: string;
  maxBytes: number;
  download: Storage['open'];
}

/**
 * Local copies of remote blobs for child processes: verified when downloaded and once a day (a damaged one is downloaded again),
 * limited in size, least recently used removed first.
 */
export function openCache({ folder, tmp, maxBytes, download }: CacheOptions) {
  const intact = openIntact();
  const inUse = new Map<string, number>();
  const arriving = new Map<string, Promise<string>>();

  async function place(blob: Blob, spooled: Spooled): Promise<string> {
    const target = await settle(folder, keyOf(blob), spooled);
    await intact.trust(target);
    return target;
  }

  async function fetchOnce(blob: Blob): Promise<string> {
    const target = path.join(folder, keyOf(blob));
    const isThere = await intact.isIntact(target, blob.sha256).catch((error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    });
    if (isThere) {
      await utimes(target, new Date(), new Date());
      await intact.trust(target);
      return target;
    }
    const spooled = await spool(tmp, { subscriberId: blob.subscriberId, bytes: await download(blob) });
    if (spooled.sha256 !== blob.sha256) {
      await rm(spooled.path, { force: true });
      throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 });
    }
    return place(blob, spooled);
  }

  /** Downloads under way, so that two steps download a file once. */
  function fetch(blob: Blob): Promise<string> {
    const key = keyOf(blob);
    const known = arriving.get(key);
    if (known) return known;
    const arrival = fetchOnce(blob).finally(() => arriving.delete(key));
    arriving.set(key, arrival);
    return arrival;
  }

  async function trim(): Promise<void> {
    const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
    const files: { name: string; size: number; usedAt: number }[] = [];
    for (const name of names) {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      if (found?.isFile()) files.push({ name, size: found.size, usedAt: found.mtimeMs });
    }
    let total = files.reduce((sum, file) => sum + file.size, 0);
    for (const file of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes) return;
      if (inUse.has(file.name)) continue;
      await rm(path.join(folder, file.name), { force: true });
      total -= file.size;
    }
  }

  return {
    keep: async (blob: Blob, spooled: Spooled): Promise<void> => {
      await place(blob, spooled);
      await trim();
    },
    forget: (blob: Blob): Promise<void> => rm(path.join(folder, keyOf(blob)), { force: true }),
    withLocalPath: async <T>(blob: Blob, work: (path: string) => Promise<T>): Promise<T> => {
      const key = keyOf(blob);
      inUse.set(key, (inUse.get(key) ?? 0) + 1);
      try {
        const local = await fetch(blob);
        await trim();
        return await work(local);
      } finally {
        const users = (inUse.get(key) ?? 1) - 1;
        if (users === 0) inUse.delete(key);
        else inUse.set(key, users);
      }
    },
  };
}
