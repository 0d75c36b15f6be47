/** Two API processes behind one address: a database and a data folder for both. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@pdf2press/config/free-port';
import { createDatabase, type Database } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../../dist/joined/main.js', import.meta.url));
const person = { email: 'ana@example.com', password: 'Proof-4-Press!' };

let postgres: TestPostgres;
let database: Database;
let folder: string;
let apis: { child: ChildProcess; origin: string }[];
let authorization: string;
let workflowId: string;

async function startApi() {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    env: {
      ...{ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', PORT: String(port), RATE_LIMIT_FACTOR: '100' },
      ...{ DATABASE_URL: postgres.migratedUrl, DATA_DIR: folder, OVERLOAD_DELAY_MS: '600000' },
      ...{ PDF2PRESS_ADMIN_EMAIL: person.email, PDF2PRESS_ADMIN_PASSWORD: person.password },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/healthz/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + 60_000; !(await isReady()); ) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`no API: ${text}`);
    await new Promise((done) => setTimeout(done, 200));
  }
  return { child, origin };
}

const [first, second] = [0, 1].map((at) => () => apis[at]?.origin ?? '') as [() => string, () => string];
const tus = () => ({ authorization, 'tus-resumable': '1.0.0' });

async function resultOf<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  return (JSON.parse(text) as { result: T }).result;
}

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = createDatabase(postgres.migratedUrl);
  folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-two-'));
  apis = [await startApi()];
  apis.push(await startApi());
  const signIn = await fetch(`${first()}/api/TokenAuth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  authorization = `Bearer ${(await resultOf<{ authToken: string }>(signIn)).authToken}`;
  const list = await fetch(`${second()}/api/workflows`, { headers: { authorization } });
  workflowId = (await resultOf<{ items: { id: string }[] }>(list)).items[0]?.id ?? '';
});
afterAll(async () => {
  for (const { child } of apis ?? []) child.kill('SIGKILL');
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The address of an upload, without the process. */
async function begin(
  size: number,
  fields: readonly [string, string][] = [['workflowId', workflowId]],
): Promise<string> {
  const metadata = [['filename', 'card.pdf'] as const, ...fields]
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const answer = await fetch(`${first()}/api/uploads`, {
    method: 'POST',
    headers: { ...tus(), 'upload-length': String(size), 'upload-metadata': metadata },
  });
  expect(answer.status, await answer.text()).toBe(201);
  return answer.headers.get('location') ?? '';
}

const patch = (origin: string, url: string, offset: number, bytes: Buffer) =>
  fetch(origin + url, {
    method: 'PATCH',
    headers: { ...tus(), 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body: new Uint8Array(bytes),
  });

const offsetAt = async (origin: string, url: string) => {
  const answer = await fetch(origin + url, { method: 'HEAD', headers: tus() });
  expect(answer.status).toBe(200);
  return Number(answer.headers.get('upload-offset'));
};

/** Sends the beginning of a body and leaves the connection open, as a telephone does that has changed its network. */
async function hang(origin: string, url: string, bytes: Buffer, declared: number): Promise<{ closed: Promise<void> }> {
  const request = http.request(origin + url, {
    method: 'PATCH',
    headers: {
      ...tus(),
      ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': 0, 'content-length': declared },
    },
  });
  request.on('error', () => undefined);
  const closed = new Promise<void>((done) => request.once('close', done));
  request.write(bytes);
  const file = path.join(folder, 'uploads', url.split('/').at(-1) ?? '');
  await expect.poll(async () => (await stat(file)).size, { timeout: 20_000 }).toBe(bytes.length);
  return { closed };
}

async function expectWhole(answer: Response, bytes: Buffer): Promise<void> {
  expect(answer.status, await answer.text()).toBe(204);
  const session = await fetch(`${first()}/api/sessions/${answer.headers.get('x-session-id')}`, {
    headers: { authorization },
  });
  const { files } = await resultOf<{ files: { kind: string; sha256: string }[] }>(session);
  expect(files.find(({ kind }) => kind === 'OriginalFile')?.sha256).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  );
}

test('chunks may go to either process, and the whole has its right hash', async () => {
  const bytes = randomBytes(400_000);
  const url = await begin(bytes.length);
  for (const [at, origin] of [first(), second(), first()].entries())
    expect((await patch(origin, url, at * 100_000, bytes.subarray(at * 100_000, (at + 1) * 100_000))).status).toBe(204);
  await expectWhole(await patch(second(), url, 300_000, bytes.subarray(300_000)), bytes);
});

test('a sender whose earlier connection still stands at the other process goes on at once', async () => {
  const bytes = randomBytes(300_000);
  const url = await begin(bytes.length);
  const earlier = await hang(first(), url, bytes.subarray(0, 100_000), bytes.length);
  const began = performance.now();
  expect(await offsetAt(second(), url)).toBe(100_000);
  await expectWhole(await patch(second(), url, 100_000, bytes.subarray(100_000)), bytes);
  // Less than the lease of a writer, which only one that was killed keeps to its end.
  expect(performance.now() - began).toBeLessThan(15_000);
  await earlier.closed;
});

test('an upload that is named at both processes in the same moment is stored once and becomes one session', async () => {
  for (let round = 0; round < 5; round += 1) {
    const bytes = randomBytes(3_000_000);
    const url = await begin(bytes.length, []);
    expect((await patch(first(), url, 0, bytes)).status).toBe(204);
    const uploadId = url.split('/').at(-1);
    const name = async (origin: string, at: number) => {
      const answer = await fetch(`${origin}/api/sessions`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `${uploadId} ${at}` },
        body: JSON.stringify({ workflowId, uploadId }),
      });
      return (await resultOf<{ id: string }>(answer)).id;
    };
    const ids = await Promise.all([first(), second(), first(), second()].map(name));
    expect(new Set(ids).size).toBe(1);
    const session = await fetch(`${second()}/api/sessions/${ids[0]}`, { headers: { authorization } });
    const { files } = await resultOf<{ files: { kind: string; sha256: string }[] }>(session);
    expect(files.find(({ kind }) => kind === 'OriginalFile')?.sha256).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  }
});

test('after the process that wrote was killed, the other one goes on when its lease has ended', async () => {
  const bytes = randomBytes(300_000);
  const url = await begin(bytes.length);
  await hang(first(), url, bytes.subarray(0, 100_000), bytes.length);
  apis[0]?.child.kill('SIGKILL');
  const goOn = async () => {
    const offset = await offsetAt(second(), url);
    return patch(second(), url, offset, bytes.subarray(offset));
  };
  let answer = await goOn();
  const refusals = new Set<string>();
  for (const deadline = performance.now() + 60_000; answer.status !== 204 && performance.now() < deadline; ) {
    refusals.add(`${answer.status} ${answer.headers.get('retry-after')}`);
    // As if the twenty seconds were over.
    await database.asHost(
      (tx) => tx.$executeRaw`
        update uploads set metadata = metadata || jsonb_build_object('until', now() - interval '1 s')
         where id = ${url.split('/').at(-1)}`,
    );
    answer = await goOn();
  }
  expect([...refusals]).toEqual(['423 20']);
  apis.shift();
  await expectWhole(answer, bytes);
});
