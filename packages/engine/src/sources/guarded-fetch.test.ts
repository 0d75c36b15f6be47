import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SourceFaultError } from '@pdf2press/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';

interface Running {
  server: Server;
  port: number;
  seen: { path: string; authorization: string | undefined }[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

async function start(): Promise<Running> {
  const running: Omit<Running, 'server' | 'port'> = { seen: [], answer: (_, response) => response.end('bytes') };
  const server = createServer((request, response) => {
    running.seen.push({ path: request.url ?? '', authorization: request.headers.authorization });
    running.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(running, { server, port: (server.address() as AddressInfo).port });
}

let one: Running;
let other: Running;
beforeEach(async () => {
  one = await start();
  other = await start();
});
afterEach(async () => {
  for (const { server } of [one, other]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const allowed = (...ports: number[]) => ports.map((port) => ({ host: '127.0.0.1', port, scheme: 'http' as const }));
const { signal } = new AbortController();
const headers = { authorization: 'Bearer secret' };
const get = (url: string, ports: number[]) => guardedFetch(allowed(...ports))(url, { method: 'GET', headers, signal });
const at = ({ port }: Running, path = '/') => `http://127.0.0.1:${port}${path}`;

test('a private address is reached only where the environment allows it, also behind a redirect', async () => {
  await expect(get(at(one), [])).rejects.toEqual(
    new SourceFaultError('source.hostBlocked', { host: '127.0.0.1', port: one.port }),
  );
  expect(one.seen).toEqual([]);
  one.answer = (_, response) => response.writeHead(302, { location: at(other) }).end();
  await expect(get(at(one), [one.port])).rejects.toMatchObject({ code: 'source.hostBlocked' });
  expect(other.seen).toEqual([]);
});

test('what signs in is not sent on to another origin, and is within the same one', async () => {
  one.answer = (request, response) =>
    request.url === '/'
      ? response.writeHead(302, { location: '/second' }).end()
      : response.writeHead(307, { location: at(other, '/third') }).end();
  const answer = await get(at(one), [one.port, other.port]);
  expect([answer.status, await answer.text()]).toEqual([200, 'bytes']);
  expect(one.seen.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret']);
  expect(other.seen).toEqual([{ path: '/third', authorization: undefined }]);
});

test('redirects end, and what changes something is not sent again', async () => {
  one.answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
  await expect(get(at(one), [one.port])).rejects.toMatchObject({ code: 'source.hostBlocked' });
  expect(one.seen).toHaveLength(4);
  const posted = await guardedFetch(allowed(one.port))(at(one), { method: 'POST', headers, body: 'x', signal });
  expect(posted.status).toBe(302);
});

test('bytes come as they are sent, and a connection that breaks is an error', async () => {
  one.answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => setTimeout(() => response.destroy(), 50));
  };
  const answer = await get(at(one), [one.port]);
  const pieces: string[] = [];
  const read = async () => {
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString());
  };
  await expect(read()).rejects.toThrow();
  expect(pieces).toEqual(['half']);
});

test('nobody answers', async () => {
  await new Promise((resolve) => one.server.close(resolve));
  await expect(get(at(one), [one.port])).rejects.toMatchObject({ code: 'source.unreachable' });
  await expect(get('https://nothing.invalid/', [])).rejects.toMatchObject({ code: 'source.hostUnknown' });
});
