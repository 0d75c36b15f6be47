import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAppAccount } from './app-account.ts';
import { dumpDatabase } from './backup/backup.ts';
import { createDatabase } from './database.ts';
import { newId } from './ids.ts';
import { deploy, status } from './migrate.ts';
import { startTestPostgres, type TestPostgres } from './testing.ts';

let server: TestPostgres;
let url: string;
beforeAll(async () => {
  server = await startTestPostgres();
  await deploy(server.url);
  url = await openAppAccount(server.url);
});
afterAll(() => server.stop());

const as = async (account: string, sql: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: account });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } catch (error) {
    return (error as { code?: unknown }).code;
  } finally {
    await client.end();
  }
};
const denied = '42501';

test('the apps can do their work with it', async () => {
  const database = createDatabase(url);
  const [subscriberId, other] = [newId('subscriber'), newId('subscriber')];
  for (const id of [subscriberId, other])
    await database.asHost((tx) => tx.subscriber.create({ data: { id, name: id }, select: { id: true } }));
  await database.withSubscriber({ subscriberId }, (tx) =>
    tx.workflow.create({ data: { id: newId('workflow'), name: 'Flow', draft: {} }, select: { id: true } }),
  );
  const count = (id: string) => database.withSubscriber({ subscriberId: id }, (tx) => tx.workflow.count());
  expect([await count(subscriberId), await count(other)]).toEqual([1, 0]);
  await database.close();
  expect(await deploy(url)).toEqual([]);
  expect((await status(url)).state).toBe('current');
});

test('a backup made with it is the same as the owner’s', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'app-account-'));
  await as(server.url, "select setval(format('%I.%I', schemaname, sequencename), 42) from pg_sequences");
  const dumps = [];
  for (const [account, name] of [
    [server.url, 'owner'],
    [url, 'app'],
  ] as const) {
    mkdirSync(path.join(folder, name));
    dumps.push(await dumpDatabase(account, path.join(folder, name)));
  }
  expect(dumps[1]).toEqual(dumps[0]);
  expect(dumps[0]?.sequences.some(({ value }) => value !== null)).toBe(true);
  rmSync(folder, { recursive: true });
});

test('the host sees how far every sequence has come', async () => {
  const unseen = `select sequencename from pg_sequences where schemaname = 'public'
     and not has_sequence_privilege('pdf2press_host', format('%I.%I', schemaname, sequencename), 'USAGE')`;
  expect(await as(server.url, unseen)).toEqual([]);
});

test.each([
  ['reads a table without saying as whom', 'select * from users'],
  ['makes a table', 'create table mine ()'],
  ['takes the wall away', 'alter table users disable row level security'],
  ['makes an account', 'create role other superuser'],
  ['becomes the owner', 'set role app'],
  ['becomes the owner of the session', 'set session authorization app'],
  ['reads a file of the server', "select pg_read_file('postgresql.conf')"],
  ['runs a program', "copy (select 1) to program 'true'"],
  ['reads passwords', 'select rolpassword from pg_authid'],
  ['changes the history of migrations', 'delete from _prisma_migrations'],
])('whoever has it and %s is refused', async (_what, sql) => {
  expect(await as(url, sql)).toBe(denied);
});

test('it owns nothing, and its password follows from the owner’s, from start to start', async () => {
  const owned = `select count(*)::int as count from pg_class where relowner = 'pdf2press_login'::regrole`;
  expect(await as(server.url, owned)).toEqual([{ count: 0 }]);
  await as(server.url, 'create schema bullmq; create table bullmq.jobs ()');
  expect(await openAppAccount(server.url)).toBe(url);
  // Made by a release before: the queue makes its own anew.
  expect(await as(server.url, "select 1 from pg_namespace where nspname = 'bullmq'")).toEqual([]);
  expect(await as(url, 'create schema bullmq')).toEqual([]);
  await openAppAccount(server.url);
  expect(await as(server.url, "select 1 as one from pg_namespace where nspname = 'bullmq'")).toEqual([{ one: 1 }]);
});
