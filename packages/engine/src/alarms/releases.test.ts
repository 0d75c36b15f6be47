import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAllowedHost } from '../allowed-hosts.ts';
import { guardedFetch } from '../sources/guarded-fetch.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { keepAlarms } from './keep-alarms.ts';
import { askForReleases, lookAtReleases, readReleaseState, writeReleaseWatch } from './releases.ts';
import { isNewer } from './version-order.ts';

let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let server: Server;
let address: string;
let asked: IncomingMessage[];
let answer: { status: number; body: string };
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  lab = await openLab(postgres);
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/repos/house/product/releases`;
  says([{ tag_name: 'v1.4.0', html_url: 'https://example.com/1.4.0' }]);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await lab.close();
});

const says = (body: unknown, status = 200) => {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
};
const environment = (usualAddress?: string) => {
  const allowed = readAllowedHost(new URL(address).origin);
  return { fetch: guardedFetch(allowed ? [allowed] : []), usualAddress };
};
const watch = (isOn: boolean, at = address) =>
  lab.deps.database.asHost((tx) => writeReleaseWatch(tx, { isOn, address: at }));
const state = () => lab.deps.database.asHost(readReleaseState);
const look = (usual?: string) => lookAtReleases(lab.deps, environment(usual));
const dayPasses = () =>
  lab.sql.query(
    `update host_facts set value = value || jsonb_build_object('askedAt', to_char(now() at time zone 'utc' - interval '25 h', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) where key = 'releases'`,
  );

test('nothing is asked until it is switched on, then once a day by one of several processes', async () => {
  await look();
  await watch(false);
  await look();
  expect(asked).toHaveLength(0);
  await watch(true);
  await Promise.all([look(), look(), look()]);
  expect(asked).toHaveLength(1);
  await look();
  expect(asked).toHaveLength(1);
  await dayPasses();
  await look();
  expect(asked).toHaveLength(2);
  expect(await state()).toMatchObject({ newest: { version: '1.4.0', page: 'https://example.com/1.4.0' }, fault: null });
});

test('without an address of its own, that of the environment is asked; without both, none', async () => {
  await watch(true, '');
  await look();
  expect(asked).toHaveLength(0);
  await look(address);
  expect(asked).toHaveLength(1);
  await lab.sql.query(`delete from host_facts where key = 'releases'`);
  await expect(askForReleases(lab.deps, environment())).rejects.toThrow('releases.addressNeeded');
});

test('what is sent names the product and nothing of the installation', async () => {
  await watch(true);
  await look();
  const { url, method, headers } = asked[0] as IncomingMessage;
  expect([method, url]).toEqual(['GET', '/repos/house/product/releases']);
  expect(headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: expect.any(String),
    host: new URL(address).host,
    'user-agent': 'pdf2press',
  });
});

test('of a list the newest finished version counts, in whatever order it stands', async () => {
  await watch(true);
  says([
    { tag_name: '0.9.0' },
    { tag_name: 'v0.10.0', html_url: 'javascript:alert(1)' },
    { tag_name: 'v2.0.0', draft: true },
    { tag_name: 'v1.9.0', prerelease: true },
    { tag_name: 'v1.9.1-rc.1' },
    { tag_name: 'nightly' },
  ]);
  await look();
  expect((await state()).newest).toEqual({ version: '0.10.0', page: null });
  says({ tag_name: '1.0.0', html_url: 'https://example.com/1.0.0' });
  await askForReleases(lab.deps, environment());
  expect((await state()).newest).toEqual({ version: '1.0.0', page: 'https://example.com/1.0.0' });
  says([]);
  await askForReleases(lab.deps, environment());
  expect(await state()).toMatchObject({ newest: null, fault: null });
});

test('an answer of no use is told and what was known stays', async () => {
  await watch(true);
  await look();
  const host = new URL(address).host;
  const cases: [string | object, number, object][] = [
    ['<html>', 200, { code: 'releases.unreadable', params: { host } }],
    [{ versions: [] }, 200, { code: 'releases.unreadable', params: { host } }],
    ['x'.repeat(5_000_000), 200, { code: 'releases.unreadable', params: { host } }],
    ['', 403, { code: 'releases.refused', params: { host, status: 403 } }],
  ];
  for (const [body, status, fault] of cases) {
    says(body, status);
    await askForReleases(lab.deps, environment());
    expect(await state()).toMatchObject({ fault, newest: { version: '1.4.0' } });
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await askForReleases(lab.deps, environment());
  expect((await state()).fault).toEqual({ code: 'releases.unreachable', params: { host } });
  server.listen(0);
});

test('a private address that the environment does not allow is not asked', async () => {
  await watch(true);
  await askForReleases(lab.deps, { ...environment(), fetch: guardedFetch([]) });
  expect(asked).toHaveLength(0);
  expect((await state()).fault).toMatchObject({ code: 'source.hostBlocked' });
});

describe('the bell', () => {
  let admin: string;
  beforeEach(async () => {
    admin = newId('user');
    await lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, async (tx) => {
      await tx.user.create({ data: { id: admin, userName: admin, email: 'admin@example.com' } });
    });
    await lab.sql.query(`insert into host_facts (key, value) values ('host.administrators', $1), ('pump', '{}')`, [
      JSON.stringify([admin]),
    ]);
  });
  const told = async (version: string) => {
    const storage = { ...lab.deps.storage, room: async () => ({ freeBytes: 50, totalBytes: 100 }) };
    await keepAlarms({ ...lab.deps, storage, version });
    const { rows } = await lab.sql.query<{ data: object }>(
      `select data from notifications where kind = 'release.newer' and ended_at is null`,
    );
    return rows.map(({ data }) => data);
  };

  test('tells of a newer version, of a still newer one instead, and ends when it runs or nobody asks', async () => {
    await watch(true);
    await look();
    expect(await told('1.4.0')).toEqual([]);
    expect(await told('1.3.9')).toEqual([{ version: '1.4.0', running: '1.3.9' }]);
    says([{ tag_name: 'v1.5.0' }]);
    await askForReleases(lab.deps, environment());
    expect(await told('1.3.9')).toEqual([{ version: '1.5.0', running: '1.3.9' }]);
    expect(await told('1.5.0')).toEqual([]);
    expect(await told('1.4.0')).toHaveLength(1);
    await watch(false);
    expect(await told('1.4.0')).toEqual([]);
  });

  test('what another address said is forgotten with it', async () => {
    await watch(true);
    await look();
    await watch(true, 'https://releases.example.com/');
    expect((await state()).newest).toBeNull();
    expect(await told('0.1.0')).toEqual([]);
  });
});

test('versions are ordered number by number, and one before a release is older than it', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('1.9.9', '1.10.0')).toBe(false);
  expect(isNewer('2.0.0', '2.0.0')).toBe(false);
  expect(isNewer('2.0.0', '2.0.0-rc.1')).toBe(true);
  expect(isNewer('1.9.0', '2.0.0-rc.1')).toBe(false);
});
