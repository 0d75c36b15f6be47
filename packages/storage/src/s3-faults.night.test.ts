/* An S3 store that fails in each of its ways while bytes are put, read and removed. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openS3Storage, type Storage } from './storage.ts';
import { startTestS3, type TestS3 } from './testing/s3.ts';

type Fault = 'down' | '503' | 'breaks off' | 'answer lost' | 'other bytes';
/** What the next requests meet, and how many of them; afterwards all goes well. */
let fault: Fault | undefined;
let left = 0;
/** Requests that reached the store, by method. */
let reached: string[] = [];

let base: string;
let s3: TestS3;
let proxy: http.Server;
let store: Storage;
let cacheFolder: string;

/** Passes a request on; hands over the store's answer. */
function pass(request: IncomingMessage, then: (answer: IncomingMessage) => void): void {
  const target = new URL(request.url ?? '/', s3.endpoint);
  const sent = http.request(target, { method: request.method, headers: request.headers }, (answer) => {
    reached.push(request.method ?? '');
    then(answer);
  });
  sent.on('error', () => request.socket.destroy());
  request.pipe(sent);
}

const whole = (answer: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  answer.pipe(response);
};

const faults: Record<Fault, (request: IncomingMessage, response: ServerResponse) => void> = {
  down: (request) => request.socket.destroy(),
  '503': (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'));
  },
  // Half of the answer, or of what was sent, and then nothing more.
  'breaks off': (request, response) =>
    request.method === 'GET'
      ? pass(request, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.once('data', (part: Buffer) => {
            response.write(part.subarray(0, part.length / 2), () => response.destroy());
          });
        })
      : void request.once(request.method === 'PUT' ? 'data' : 'end', () => request.socket.destroy()).resume(),
  // The store has done it, and nobody is told.
  'answer lost': (request) =>
    pass(request, (answer) => {
      answer.resume();
      answer.on('end', () => request.socket.destroy());
    }),
  'other bytes': (request, response) =>
    pass(request, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const bytes = Buffer.concat(parts);
        if (request.method === 'GET') bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
      });
    }),
};

beforeAll(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-s3-faults-'));
  s3 = await startTestS3(path.join(base, 's3'));
  proxy = http.createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const met = left > 0 ? fault : undefined;
    left -= 1;
    if (met) faults[met](request, response);
    else pass(request, (answer) => whole(answer, response));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await s3.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  [fault, left, reached] = [undefined, 0, []];
  cacheFolder = await mkdtemp(path.join(base, 'cache-'));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  store = openS3Storage({ ...s3, endpoint, cacheFolder });
});

const subscriberId = 'sub_a';
async function* once(bytes: Uint8Array) {
  yield bytes;
}
const put = (bytes: Buffer) => store.put({ subscriberId, bytes: once(bytes) });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const leftOver = async () => (await readdir(path.join(cacheFolder, 'tmp')).catch(() => [])).length;
const read = async (hash: string) => {
  const parts: Buffer[] = [];
  for await (const part of await store.open({ subscriberId, sha256: hash })) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** More than the client tries by itself. */
const forLong = 50;

describe.each(['down', '503', 'breaks off', 'answer lost'] as const)('a store that fails for long (%s)', (kind) => {
  test('keeps nothing that it was not seen to keep, and takes the same bytes later', async () => {
    const bytes = randomBytes(200_000);
    [fault, left] = [kind, forLong];
    await expect(put(bytes)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await leftOver()).toBe(0);
    left = 0;
    expect(await put(bytes)).toEqual({ sha256: sha256(bytes), size: bytes.length });
    expect((await read(sha256(bytes))).equals(bytes)).toBe(true);
  });

  test('gives no file to a step, and gives it whole later', async () => {
    const bytes = randomBytes(200_000);
    const { sha256: hash } = await put(bytes);
    // As another machine, which has no copy.
    await rm(path.join(cacheFolder, 'cache'), { recursive: true, force: true });
    const blob = { subscriberId, sha256: hash };
    [fault, left] = [kind, forLong];
    await expect(store.withLocalPath(blob, async () => 'read')).rejects.toThrow();
    expect(await leftOver()).toBe(0);
    left = 0;
    expect(await store.withLocalPath(blob, async () => 'read')).toBe('read');
  });

  test('says so when bytes are to be removed, and removes them later', async () => {
    const { sha256: hash } = await put(randomBytes(1_000));
    const blob = { subscriberId, sha256: hash };
    [fault, left] = [kind, forLong];
    await expect(store.remove(blob)).rejects.toThrow();
    left = 0;
    await store.remove(blob);
    expect(await store.sizeOf(blob)).toBeUndefined();
  });
});

describe.each(['down', '503', 'answer lost'] as const)('a store that fails once (%s)', (kind) => {
  test('is asked again, and the bytes lie there once and whole', async () => {
    const bytes = randomBytes(200_000);
    [fault, left] = [kind, 1];
    expect(await put(bytes)).toEqual({ sha256: sha256(bytes), size: bytes.length });
    expect((await read(sha256(bytes))).equals(bytes)).toBe(true);
  });
});

test('a store that gives other bytes gives no file to a step', async () => {
  const { sha256: hash } = await put(randomBytes(200_000));
  await rm(path.join(cacheFolder, 'cache'), { recursive: true, force: true });
  [fault, left] = ['other bytes', forLong];
  const blob = { subscriberId, sha256: hash };
  await expect(store.withLocalPath(blob, async () => 'read')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(await leftOver()).toBe(0);
});

test('bytes that the store has are not sent again', async () => {
  const bytes = randomBytes(1_000);
  await put(bytes);
  reached = [];
  await put(bytes);
  expect(reached).toEqual(['HEAD']);
});
