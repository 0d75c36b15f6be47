/* What a power cut would find: seen by what is on disk at the moment of each flush. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDiskStorage } from './storage.ts';

let folder: string;
/** One for each flush: what was flushed, how much of it there was, and which names were given by then. */
let flushes: { isFile: boolean; inode: number; bytes: number; names: string[] }[];

const namesGiven = (): string[] =>
  existsSync(path.join(folder, 'blobs'))
    ? readdirSync(path.join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /[0-9a-f]{64}$/.test(name),
      )
    : [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-durability-'));
  flushes = [];
  const any = await open(folder, 'r');
  const handles = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const stat = await this.stat();
    flushes.push({ isFile: stat.isFile(), inode: stat.ino, bytes: stat.size, names: namesGiven() });
    await sync.call(this);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function* once(bytes: Uint8Array) {
  yield bytes;
}
const put = (size: number) =>
  openDiskStorage({ folder }).put({ subscriberId: 'sub_a', bytes: once(randomBytes(size)) });

test('bytes are flushed before they get their name, all of them', async () => {
  await put(300_000);
  expect(flushes[0]).toMatchObject({ isFile: true, bytes: 300_000, names: [] });
});

test('the folder is flushed after the name was given, and before anybody is told', async () => {
  const { sha256 } = await put(1_000);
  const name = path.join('sub_a', sha256.slice(0, 2), sha256);
  const flushedAfter = (place: string) => {
    const { ino } = statSync(path.join(folder, 'blobs', place));
    return flushes.some(({ inode, names }) => inode === ino && names.includes(name));
  };
  expect(flushedAfter(path.dirname(name))).toBe(true);
  // A new folder has a name of its own, in the folder above.
  expect(flushedAfter('sub_a')).toBe(true);
});

test('a disk that cannot flush (EIO) keeps nothing and tells of it', async () => {
  const any = await open(folder, 'r');
  const handles = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  vi.spyOn(handles, 'sync').mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
  await expect(put(1_000)).rejects.toThrow('EIO');
  expect(namesGiven()).toEqual([]);
  expect(readdirSync(path.join(folder, 'tmp'))).toEqual([]);
});
