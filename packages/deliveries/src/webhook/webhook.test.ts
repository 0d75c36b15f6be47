import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DeliveryFaultError } from '@pdf2press/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryContracts } from '../contracts.ts';
import { deliverFile, type Parcel, type StoredTarget, tryTarget } from '../runners.ts';
import { noMails } from '../testing/no-mails.ts';

/** A real receiver, which answers as it is told to. */
let receiver: Server;
let port = 0;
let folder: string;
let answers: number[] = [];
const calls: { request: IncomingMessage; body: Buffer }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'webhook-'));
  receiver = createServer(async (request, response) => {
    const status = answers.shift() ?? 200;
    if (status === 0) return void request.socket.destroy();
    calls.push({ request, body: await buffer(request) });
    response.writeHead(status, { location: 'http://elsewhere.example/' }).end('noted');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  answers = [];
  calls.length = 0;
});

const asked: object[] = [];
const targetOf = (change: object = {}, secret: object = {}): StoredTarget => ({
  // The name is never looked up by the client itself: the tools say where to connect.
  settings: { kind: 'webhook', address: `http://mis.example:${port}/files/?token=hidden`, ...change },
  secret,
  tools: {
    root: folder,
    addressOf: async (server) => {
      asked.push(server);
      return '127.0.0.1';
    },
    mail: noMails,
    openCloud: () => Promise.reject(new Error('this kind knows no cloud storage')),
  },
  signal: AbortSignal.timeout(30_000),
});

async function parcel(bytes: Buffer, change: Partial<Parcel> = {}): Promise<Parcel> {
  const file = path.join(folder, randomBytes(6).toString('hex'));
  await writeFile(file, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    file: { path: file, size: bytes.length, sha256, mediaType: 'application/pdf' },
    folder: ['Müller & Co', '2026'],
    name: 'Größe (1).pdf',
    collision: 'number',
    key: 'delivery 1',
    tryNo: 1,
    placing: null,
    sentTo: [],
    keep: async () => undefined,
    ...change,
  };
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof DeliveryFaultError ? error.code : error),
  );

test('a large file arrives whole and signed, with all that its receiver must know', async () => {
  const bytes = randomBytes(5_000_000);
  const secret = 'a secret of the house';
  const address = await deliverFile(targetOf({ method: 'PUT' }, { signingSecret: secret }), await parcel(bytes));
  expect(address).toBe(`http://mis.example:${port}/files/Müller & Co/2026/Größe (1).pdf`);
  expect(asked.at(-1)).toEqual({ host: 'mis.example', port, scheme: 'http' });
  const [call] = calls;
  expect(call?.body.equals(bytes)).toBe(true);
  expect([call?.request.method, call?.request.url]).toEqual(['PUT', '/files/?token=hidden']);
  const headers = call?.request.headers ?? {};
  expect(headers).toMatchObject({
    host: `mis.example:${port}`,
    'content-type': 'application/pdf',
    'content-length': '5000000',
    'content-disposition': "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.pdf",
    'x-folder': 'M%C3%BCller%20%26%20Co/2026',
    'x-collision': 'number',
    'x-sha256': createHash('sha256').update(bytes).digest('hex'),
  });
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? [];
  expect(createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex')).toBe(mac);
});

test('every try has the same key, another delivery another; without a secret nothing is signed', async () => {
  answers = [0, 500];
  for (const code of ['delivery.unreachable', 'delivery.unreachable', null])
    expect(await codeOf(deliverFile(targetOf(), await parcel(Buffer.from('x'))))).toBe(code);
  await deliverFile(targetOf(), await parcel(Buffer.from('x'), { key: 'delivery 2' }));
  const keys = calls.map(({ request }) => request.headers['idempotency-key']);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[1]);
  expect(calls[0]?.request.headers['x-signature']).toBeUndefined();
});

test.each([
  [302, 'delivery.unreachable'],
  [401, 'delivery.denied'],
  [404, 'delivery.unreachable'],
  [409, 'delivery.nameTaken'],
  [413, 'delivery.full'],
] as const)('an answer of %i is no receipt', async (status, code) => {
  answers = [status];
  expect(await codeOf(deliverFile(targetOf(), await parcel(randomBytes(1_000_000))))).toBe(code);
  // A redirection is not followed.
  expect(calls).toHaveLength(1);
});

test('a trial tells how far it came, and says that it is one', async () => {
  const { stages } = deliveryContracts.webhook;
  expect(await tryTarget(targetOf())).toMatchObject({ stages: [...stages] });
  expect(calls[0]?.request.headers['x-test']).toBe('1');
  answers = [500];
  expect((await tryTarget(targetOf())).failed).toMatchObject({
    stage: 'write',
    fault: { code: 'delivery.unreachable' },
  });
  answers = [0];
  expect((await tryTarget(targetOf())).failed).toMatchObject({
    stage: 'connect',
    fault: { code: 'delivery.unreachable' },
  });
});

test.each(['ftp://a.example/', 'https://user:pass@a.example/', 'https://a.example/#part', 'https:///x', 'a.example'])(
  'the address %s is none',
  (address) => {
    expect(deliveryContracts.webhook.settings.safeParse({ address }).success).toBe(false);
  },
);
