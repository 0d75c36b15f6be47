import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, problem } from '@pdf2press/contract';
import type { Blob, PutRequest, Room, Stored } from './blob.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const segment = /^[A-Za-z0-9_-]{1,80}$/;
const sha256Text = /^[0-9a-f]{64}$/;

/** `<subscriber>/<aa>/<sha256>`; refuses other texts, since it becomes a path. */
export function keyOf({ subscriberId, sha256 }: Blob): string {
  if (!segment.test(subscriberId) || !sha256Text.test(sha256))
    throw new FileFaultError('INTERNAL', { what: 'blob key' });
  return `${subscriberId}/${sha256.slice(0, 2)}/${sha256}`;
}

/** A stream written to a temporary file: hashed, flushed, not yet renamed. */
export interface Spooled extends Stored {
  path: string;
}

/**
 * Writes a stream to a new file in `folder` and flushes it. After a failed flush the file is removed and the error thrown:
 * flushing again would succeed although the kernel has dropped the unwritten pages.
 */
export async function spool(
  folder: string,
  { bytes, maxBytes = Number.POSITIVE_INFINITY }: PutRequest,
): Promise<Spooled> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, randomUUID());
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o644);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > maxBytes) throw problem('file.tooLarge', { limit: maxBytes });
      hash.update(chunk);
      for (let at = 0; at < chunk.byteLength; ) at += (await handle.write(chunk, at)).bytesWritten;
    }
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(file, { force: true });
    throw codeOf(error) === 'ENOSPC' ? problem('storage.full') : error;
  }
  return { path: file, sha256: hash.digest('hex'), size };
}

/** Flushes a folder's entries: without it a renamed file can be missing after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Keeps a finished file from elsewhere: the file itself, or a copy of it in `folder` where that is another volume. It goes when it
 * is kept and not before, so that a try that ends on the way can be repeated, also by another process at the same moment.
 */
export async function keepFile(
  folder: string,
  file: Spooled,
  keep: (spooled: Spooled) => Promise<Stored>,
): Promise<Stored> {
  try {
    return await keep(file);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
  }
  const copied = await spool(folder, {
    subscriberId: '',
    bytes: createReadStream(file.path, { highWaterMark: 1024 * 1024 }),
  });
  const kept = await keep(copied);
  await rm(file.path, { force: true });
  return kept;
}

/**
 * Moves a spooled file to its name under `root`, durably. It takes the place of bytes that are there already: they are equal
 * unless they decayed, and then the new ones heal them.
 */
export async function settle(root: string, key: string, spooled: Spooled): Promise<string> {
  const target = path.join(root, key);
  const folder = path.dirname(target);
  const made = await mkdir(folder, { recursive: true });
  try {
    // The sweep of unreferenced blobs looks at this time: a blob that was just put again must stay.
    await utimes(spooled.path, new Date(), new Date());
    await rename(spooled.path, target);
  } catch (error) {
    // Another process that was given the same file has moved it to its name.
    const there = isMissing(error) ? await stat(target).catch(() => undefined) : undefined;
    if (there?.size !== spooled.size) throw error;
  }
  await syncFolder(folder);
  for (let at = folder; made !== undefined && at !== path.dirname(made); at = path.dirname(at))
    await syncFolder(path.dirname(at));
  return target;
}

export async function roomOf(folder: string): Promise<Room> {
  await mkdir(folder, { recursive: true });
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
