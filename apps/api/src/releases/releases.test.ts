import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RouteResult, routes } from '@pdf2press/contract';
import { guardedFetch, keepAlarms } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Releases = RouteResult<typeof routes.releases.get>;
let lab: Lab;
let host: SignedIn;
let ana: SignedIn;
const server = createServer((_, response) => {
  response.end(JSON.stringify([{ tag_name: 'v99.0.0', html_url: 'https://example.com/99' }]));
});
let address: string;
beforeAll(async () => {
  lab = await startLab();
  host = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('The house'), 'host@example.com'));
  await lab.deps.db.asHost((tx) => tx.hostFact.create({ data: { key: 'host.administrators', value: [host.id] } }));
  lab.deps.callers.forget();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/releases`;
  lab.deps.releases = { ...lab.deps.releases, fetch: guardedFetch([{ scheme: 'http', host: '127.0.0.1', port }]) };
});
afterAll(async () => {
  await lab.stop();
  await new Promise((resolve) => server.close(resolve));
});

const put = (body: object) => lab.call<Releases>('PUT', '/host/releases', { as: host, body });
const look = () => lab.call<Releases>('POST', '/host/releases/look', { as: host });

test('only administrators of the installation see and change it', async () => {
  for (const [method, url] of [
    ['GET', '/host/releases'],
    ['POST', '/host/releases/look'],
    ['PUT', '/host/releases'],
  ] as const) {
    const body = method === 'PUT' ? { body: { isOn: false, address: '' } } : {};
    expect((await lab.call(method, url, { as: ana, ...body })).statusCode, url).toBe(403);
  }
});

test('it is off at first, needs an address, and tells by the bell what the address answers', async () => {
  const { result: first } = await lab.call<Releases>('GET', '/host/releases', { as: host });
  expect(first).toEqual({
    watch: { isOn: false, address: '' },
    usualAddress: null,
    version: lab.deps.version,
    newest: null,
    isNewer: false,
    askedAt: null,
    message: null,
  });
  for (const answer of [await put({ isOn: true, address: '' }), await look()])
    expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([422, 'releases.addressNeeded']);
  expect((await put({ isOn: true, address: 'ftp://example.com' })).statusCode).toBe(400);
  expect((await put({ isOn: true, address })).result.watch).toEqual({ isOn: true, address });
  expect((await look()).result).toMatchObject({
    newest: { version: '99.0.0', page: 'https://example.com/99' },
    isNewer: true,
    message: null,
  });
  await keepAlarms(lab.deps.engine);
  const { result: notices } = await lab.call<{ kind: string; link: string; message: string }[]>(
    'GET',
    '/notifications',
    { as: host },
  );
  expect(notices.find(({ kind }) => kind === 'release.newer')).toMatchObject({
    link: '/releases',
    message: `Version 99.0.0 is out. This installation runs ${lab.deps.version}.`,
  });
  const { result: acts } = await lab.call<{ items: { act: string }[] }>('GET', '/audit', { as: host });
  expect(acts.items.map(({ act }) => act)).toEqual(expect.arrayContaining(['releases.save', 'releases.look']));
});
