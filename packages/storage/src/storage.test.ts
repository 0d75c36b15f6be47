import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDiskStorage, openS3Storage, type Storage } from './storage.ts';
import { startTestS3, type TestS3 } from './testing/s3.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
async function* chunks(bytes: Uint8Array, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) => entry.isFile());

let base: string;
let s3: TestS3;
const folders = { disk: '', S3: '' };
const stores: Partial<Record<'disk' | 'S3', Storage>> = {};
beforeAll(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-storage-'));
  s3 = await startTestS3(path.join(base, 's3'));
  folders.disk = path.join(base, 'disk');
  folders.S3 = path.join(base, 'cache');
  stores.disk = openDiskStorage({ folder: folders.disk });
  stores.S3 = openS3Storage({ ...s3, cacheFolder: folders.S3, cacheBytes: 3_000_000 });
});
afterAll(async () => {
  await s3.stop();
  await rm(base, { recursive: true, force: true });
});

describe.each(['disk', 'S3'] as const)('%s', (kind) => {
  const store = () => stores[kind] as Storage;
  const tmp = () => path.join(folders[kind], 'tmp');

  test('returns the stored bytes by their hash, also when they were put twice', async () => {
    const bytes = randomBytes(1_234_567);
    for (let time = 0; time < 2; time += 1) {
      expect(await store().put({ subscriberId: 'sub_a', bytes: chunks(bytes) })).toEqual({
        sha256: sha256(bytes),
        size: bytes.length,
      });
    }
    const blob = { subscriberId: 'sub_a', sha256: sha256(bytes) };
    expect(sha256(await read(await store().open(blob)))).toBe(blob.sha256);
    expect(await store().sizeOf(blob)).toBe(bytes.length);
    expect(await filesIn(tmp())).toEqual([]);
  });

  test('takes over a finished file', async () => {
    const bytes = randomBytes(70_000);
    const file = path.join(base, `upload-${kind}`);
    await writeFile(file, bytes);
    const stored = { sha256: sha256(bytes), size: bytes.length };
    expect(await store().adopt({ subscriberId: 'sub_a', path: file, ...stored })).toEqual(stored);
    expect(sha256(await read(await store().open({ subscriberId: 'sub_a', sha256: stored.sha256 })))).toBe(
      stored.sha256,
    );
    await expect(readFile(file)).rejects.toThrow(/ENOENT/);
    expect(await filesIn(tmp())).toEqual([]);
  });

  test('serves a range, both ends included', async () => {
    const { sha256: name } = await store().put({ subscriberId: 'sub_a', bytes: chunks(Buffer.from('0123456789')) });
    const part = await read(await store().open({ subscriberId: 'sub_a', sha256: name }, { start: 2, end: 5 }));
    expect(part.toString()).toBe('2345');
  });

  test('keeps equal bytes of two subscribers apart', async () => {
    const bytes = randomBytes(100);
    await store().put({ subscriberId: 'sub_a', bytes: chunks(bytes) });
    const other = { subscriberId: 'sub_b', sha256: sha256(bytes) };
    expect(await store().sizeOf(other)).toBeUndefined();
    await expect(store().open(other)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('removes a blob, and removing it again is no error', async () => {
    const stored = await store().put({ subscriberId: 'sub_a', bytes: chunks(randomBytes(100)) });
    const blob = { subscriberId: 'sub_a', sha256: stored.sha256 };
    await store().remove(blob);
    await store().remove(blob);
    expect(await store().sizeOf(blob)).toBeUndefined();
    await expect(store().withLocalPath(blob, async () => 1)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('does not remove what was put recently', async () => {
    const stored = await store().put({ subscriberId: 'sub_a', bytes: chunks(randomBytes(100)) });
    const blob = { subscriberId: 'sub_a', sha256: stored.sha256 };
    expect(await store().remove(blob, { unlessPutSince: new Date(Date.now() - 60_000) })).toBe(false);
    expect(await store().sizeOf(blob)).toBe(100);
    expect(await store().remove(blob, { unlessPutSince: new Date(Date.now() + 60_000) })).toBe(true);
    expect(await store().sizeOf(blob)).toBeUndefined();
  });

  test('offers a blob as a local file, several at once', async () => {
    const bytes = randomBytes(500_000);
    const stored = await store().put({ subscriberId: 'sub_a', bytes: chunks(bytes) });
    const blob = { subscriberId: 'sub_a', sha256: stored.sha256 };
    const seen = await Promise.all(
      [1, 2, 3].map(() => store().withLocalPath(blob, async (file) => sha256(await readFile(file)))),
    );
    expect(seen).toEqual([stored.sha256, stored.sha256, stored.sha256]);
  });

  test('a stream that breaks or is too long leaves nothing', async () => {
    async function* breaking() {
      yield randomBytes(1000);
      throw new Error('connection lost');
    }
    await expect(store().put({ subscriberId: 'sub_a', bytes: breaking() })).rejects.toThrow('connection lost');
    await expect(store().put({ subscriberId: 'sub_a', bytes: chunks(randomBytes(100)), maxBytes: 99 })).rejects.toThrow(
      'file.tooLarge',
    );
    expect(await filesIn(tmp())).toEqual([]);
  });

  test('refuses names that are not ids', async () => {
    // Refused for the name, not because no such file is there.
    const refused = { code: 'INTERNAL', params: { what: 'blob key' } };
    const sha256 = 'a'.repeat(64);
    await expect(store().open({ subscriberId: '../x', sha256 })).rejects.toMatchObject(refused);
    await expect(store().open({ subscriberId: 'sub_a', sha256: '../../etc/passwd' })).rejects.toMatchObject(refused);
  });

  test('checks itself by writing and reading, and knows its free space', async () => {
    await store().check();
    expect((await store().room())?.freeBytes).toBeGreaterThan(0);
  });
});

/** Changes one bit in the middle of a file, as a disk that decays does. */
async function flipBit(file: string): Promise<void> {
  const bytes = await readFile(file);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

describe('a bit of a stored file has changed', () => {
  const bytes = randomBytes(300_000);
  const blob = { subscriberId: 'sub_d', sha256: sha256(bytes) };
  const nameOf = (folder: string, place: string) =>
    path.join(folder, place, blob.subscriberId, blob.sha256.slice(0, 2), blob.sha256);
  const damaged = { code: 'STORAGE_DAMAGED', params: { sha256: blob.sha256 } };
  /** Another process: it has not read the file yet. */
  const openOther = () => openDiskStorage({ folder: folders.disk });
  const decay = async (): Promise<Storage> => {
    await (stores.disk as Storage).put({ subscriberId: blob.subscriberId, bytes: chunks(bytes) });
    await flipBit(nameOf(folders.disk, 'blobs'));
    return openOther();
  };

  test.each([
    ['the process that wrote it', () => stores.disk as Storage],
    ['another process', openOther],
  ])('%s gives it to no work, sets it aside, and is healed by the same bytes', async (_, open) => {
    await decay();
    const store = open();
    await expect(store.withLocalPath(blob, async () => 1)).rejects.toMatchObject(damaged);
    expect(await store.sizeOf(blob)).toBeUndefined();
    await expect(store.open(blob)).rejects.toMatchObject(damaged);
    await expect(store.withLocalPath(blob, async () => 1)).rejects.toMatchObject(damaged);
    expect((await readFile(nameOf(folders.disk, 'damaged'))).length).toBe(bytes.length);
    await store.put({ subscriberId: blob.subscriberId, bytes: chunks(bytes) });
    expect(bytes.equals(await read(await store.open(blob)))).toBe(true);
    await expect(readFile(nameOf(folders.disk, 'damaged'))).rejects.toThrow(/ENOENT/);
  });

  test('a download ends with the fault before its last bytes, and so is never whole', async () => {
    const store = await decay();
    let got = 0;
    const downloading = async () => {
      for await (const piece of await store.open(blob)) got += (piece as Buffer).length;
    };
    await expect(downloading()).rejects.toMatchObject(damaged);
    expect(got).toBeLessThan(bytes.length);
    await expect(store.open(blob)).rejects.toMatchObject(damaged);
  });

  test('the same bytes put again while the damaged ones are read stay in their place', async () => {
    const store = await decay();
    const reading = await store.open(blob);
    await (stores.disk as Storage).put({ subscriberId: blob.subscriberId, bytes: chunks(bytes) });
    await expect(read(reading)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(bytes.equals(await read(await store.open(blob)))).toBe(true);
  });

  test('the same bytes put again take its place before anybody has noticed', async () => {
    const store = await decay();
    await store.put({ subscriberId: blob.subscriberId, bytes: chunks(bytes) });
    expect(bytes.equals(await read(await openOther().open(blob)))).toBe(true);
  });

  test('removing the blob removes what was set aside, too', async () => {
    const store = await decay();
    await expect(store.withLocalPath(blob, async () => 1)).rejects.toMatchObject(damaged);
    await store.remove(blob);
    await expect(readFile(nameOf(folders.disk, 'damaged'))).rejects.toThrow(/ENOENT/);
    await expect(store.open(blob)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('a copy from S3 on this machine is downloaded again', async () => {
    const store = stores.S3 as Storage;
    await store.put({ subscriberId: blob.subscriberId, bytes: chunks(bytes) });
    await flipBit(nameOf(folders.S3, 'cache'));
    expect(await store.withLocalPath(blob, async (file) => sha256(await readFile(file)))).toBe(blob.sha256);
  });
});

test('S3 downloads again what is missing on this machine, and limits the size of the downloads', async () => {
  const store = stores.S3 as Storage;
  const cache = path.join(folders.S3, 'cache');
  const stored: string[] = [];
  for (let file = 0; file < 5; file += 1)
    stored.push((await store.put({ subscriberId: 'sub_c', bytes: chunks(randomBytes(1_000_000)) })).sha256);
  expect((await filesIn(cache)).length).toBeLessThanOrEqual(3);
  await rm(cache, { recursive: true });
  for (const name of stored) {
    const bytes = await store.withLocalPath({ subscriberId: 'sub_c', sha256: name }, (file) => readFile(file));
    expect(sha256(bytes)).toBe(name);
  }
  expect((await filesIn(cache)).length).toBeLessThanOrEqual(3);
});

test('of two that take over one file at the same moment one does, and the other finds its bytes in the store', async () => {
  for (let round = 0; round < 20; round += 1) {
    const bytes = randomBytes(50_000);
    const file = path.join(base, `twice-${round}`);
    await writeFile(file, bytes);
    const blob = { subscriberId: 'sub_e', sha256: sha256(bytes) };
    const takeOver = () => openDiskStorage({ folder: folders.disk }).adopt({ ...blob, path: file, size: bytes.length });
    const ends = [takeOver(), takeOver()].map(async (taking) => {
      const isTaken = await taking.then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && Promise.reject(error),
      );
      return [isTaken, await stores.disk?.sizeOf(blob)];
    });
    const [first, second] = await Promise.all(ends);
    expect(first?.[0] || second?.[0]).toBe(true);
    expect([first?.[1], second?.[1]]).toEqual([bytes.length, bytes.length]);
  }
});

test('a file stays where it is when S3 does not take it over', async () => {
  const bytes = randomBytes(1000);
  const file = path.join(base, 'not-taken');
  await writeFile(file, bytes);
  const away = openS3Storage({ ...s3, endpoint: 'http://127.0.0.1:9', cacheFolder: folders.S3, cacheBytes: 1e6 });
  const taking = away.adopt({ subscriberId: 'sub_a', path: file, sha256: sha256(bytes), size: bytes.length });
  await expect(taking).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(bytes.equals(await readFile(file))).toBe(true);
});

test('S3 takes a file of several parts', async () => {
  const bytes = randomBytes(40 * 1024 * 1024);
  const stored = await (stores.S3 as Storage).put({ subscriberId: 'sub_d', bytes: chunks(bytes, 1024 * 1024) });
  expect(stored.sha256).toBe(sha256(bytes));
  expect(sha256(await read(await (stores.S3 as Storage).open({ subscriberId: 'sub_d', sha256: stored.sha256 })))).toBe(
    stored.sha256,
  );
});
