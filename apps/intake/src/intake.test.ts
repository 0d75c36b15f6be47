import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishWorkflow } from '@pdf2press/engine';
import { createDatabase, type Database, newId } from '@pdf2press/prisma';
import { deploy } from '@pdf2press/prisma/migrate';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from './env.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const subscriberId = newId('subscriber');
let server: TestPostgres;
let folder: string;
let database: Database;

beforeAll(async () => {
  server = await startTestPostgres();
  folder = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-intake-'));
  await deploy(server.url);
  database = createDatabase(server.url);
  await database.asHost((tx) => tx.subscriber.create({ data: { id: subscriberId, name: 'Print house' } }));
  const sources = [{ kind: 'folder', settings: { path: 'cards', stableSeconds: 0 } }];
  const draft = {
    steps: [
      { id: 'a', kind: 'Inject', settings: { sources } },
      { id: 'b', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'a', outcome: 'done', to: 'b' }],
  };
  await database.withSubscriber({ subscriberId }, async (tx) => {
    const id = newId('workflow');
    await tx.workflow.create({ data: { id, name: 'Cards', draft } });
    expect((await publishWorkflow(tx, id)).issues).toEqual([]);
  });
}, 60_000);
afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function startMain(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', DATABASE_URL: server.url, DATA_DIR: folder, POLL_SECONDS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended };
}

test('a file in a hot folder becomes one session and is moved aside; so does what lay there before', async () => {
  const hot = path.join(folder, 'hot-folders/cards');
  await mkdir(hot, { recursive: true });
  await writeFile(path.join(hot, 'before.pdf'), '%PDF-1.7 before');
  const intake = startMain();
  const names = () =>
    database.withSubscriber({ subscriberId }, async (tx) => (await tx.session.findMany({ orderBy: { createdAt: 'asc' } })).map((session) => session.fileName));
  await expect.poll(names, { timeout: 20_000 }).toEqual(['before.pdf']);
  await writeFile(path.join(hot, 'later.pdf'), '%PDF-1.7 later');
  await expect.poll(names, { timeout: 20_000 }).toEqual(['before.pdf', 'later.pdf']);
  await expect.poll(async () => (await readdir(path.join(hot, 'processed'))).sort()).toEqual(['before.pdf', 'later.pdf']);
  const [session] = await database.withSubscriber({ subscriberId }, (tx) => tx.session.findMany());
  expect(session).toMatchObject({ source: 'CloudFolder', sourceName: 'cards', status: 'InQueue' });
  intake.child.kill('SIGTERM');
  expect(await intake.ended).toBe(0);
}, 60_000);

test.each([
  [{ POLL_SECONDS: 'often' }, 'POLL_SECONDS'],
  [{ DATABASE_URL: 'x' }, 'DATABASE_URL'],
])('%j is refused in one line that names %s', (env, name) => {
  expect(() => readEnv({ DATABASE_URL: 'postgresql://a@b/c', ...env })).toThrow(new RegExp(`^${name} `));
});
