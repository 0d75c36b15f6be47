import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemSettingsSchema, workflowDefinitionSchema } from '@pdf2press/contract';
import { publishWorkflow, settingsRow } from '@pdf2press/engine';
import { EnvError, readEnv } from '@pdf2press/engine/env';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { createDatabase, newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { polledSources } from '@pdf2press/sources/runners';
import { openDiskStorage } from '@pdf2press/storage';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultTiming, type IntakeDeps } from './deps.ts';
import { hotFolders } from './hot-folders.ts';
import { runIntake } from './run-intake.ts';
import { takeItem } from './take-item.ts';

/** The hot folder asks no service. */
const offline = {
  fetch: () => Promise.reject(new Error('no service is asked')),
  cloudApps: {},
  asked: async () => new Map<string, { name: string; sourceName: string }>(),
  renewSecret: () => Promise.reject(new Error('there is no secret')),
};
let stopAll: () => Promise<void>;
let deps: IntakeDeps;
let folder: string;
const subscriberId = newId('subscriber');
const workflowId = newId('workflow');

beforeAll(async () => {
  const postgres = await startTestPostgres();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-intake-'));
  const db = createDatabase(postgres.migratedUrl, { patience: 100_000 });
  const env = readEnv({
    DATABASE_URL: postgres.migratedUrl,
    DATA_DIR: dataDir,
    HOT_FOLDER_STABLE_SECONDS: '0.2',
    HOT_FOLDER_POLL_SECONDS: '0.1',
    MAX_UPLOAD_BYTES: '100000',
  });
  deps = {
    env,
    db,
    log: pino({ level: 'silent' }),
    engine: { database: db, storage: openDiskStorage({ folder: dataDir }) },
    keys: await openInstanceKeys({ dataDir }),
    sources: polledSources,
    timing: defaultTiming,
  };
  folder = path.join(dataDir, 'hot', 'Cards');
  const draft = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'complete' }],
  });
  await db.asHost((tx) => tx.subscriber.create({ data: { id: subscriberId, name: 'Paper' } }));
  await db.withSubscriber({ subscriberId }, async (tx) => {
    const settings = settingsRow(systemSettingsSchema.parse({ id: '', subscriberId }));
    await tx.systemSetting.create({ data: { id: newId('systemSetting'), ...settings } });
    await tx.workflow.create({ data: { id: workflowId, name: 'Cards', draft: draft as object } });
    expect((await publishWorkflow(tx, workflowId)).issues).toEqual([]);
  });
  stopAll = async () => {
    await db.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
});
afterAll(() => stopAll());

const sessions = () =>
  deps.db.withSubscriber({ subscriberId }, (tx) => tx.session.findMany({ orderBy: { createdAt: 'asc' } }));

/** Polls until the condition holds, then stops as on a signal. */
async function pollUntil(condition: () => Promise<boolean> | boolean): Promise<void> {
  const stopping = new AbortController();
  const polling = runIntake(deps, [() => hotFolders(deps)], stopping.signal);
  try {
    await expect.poll(condition).toBe(true);
  } finally {
    stopping.abort();
    await polling;
  }
}

test('a complete file becomes one session and is moved to the processed files', async () => {
  await pollUntil(() => existsSync(folder));
  writeFileSync(path.join(folder, 'card.pdf'), '%PDF-1.4 card');
  writeFileSync(path.join(folder, 'copying.pdf.part'), '%PDF-1.4');
  await pollUntil(async () => (await sessions()).length === 1);
  expect(await sessions()).toMatchObject([
    { fileName: 'card.pdf', source: 'CloudFolder', sourceName: 'Cards', status: 'InQueue' },
  ]);
  expect(readdirSync(folder).sort()).toEqual(['copying.pdf.part', 'processed']);
  await pollUntil(() => sleep(500).then(() => true));
  expect(await sessions()).toHaveLength(1);
});

test('a crash between the session and the moving of the file makes no second session', async () => {
  const before = (await sessions()).length;
  const file = path.join(folder, 'again.pdf');
  writeFileSync(file, '%PDF-1.4 again');
  // Takes the item as a process would that dies before it settles.
  const [inlet] = await hotFolders(deps);
  if (!inlet) throw new Error('no hot folder');
  const { signal } = new AbortController();
  const tools = {
    root: deps.env.hotFolderDir,
    memory: new Map<string, unknown>(),
    now: () => performance.now(),
    takesSidecars: false,
    variables: [],
    addressOf: async () => '',
    ...offline,
  };
  const noteOutcome = async () => undefined;
  while ((await sessions()).length === before) {
    for await (const item of inlet.source.poll({ settings: inlet.settings, signal, tools }))
      await takeItem(deps, inlet, { ...item, settle: async () => undefined }, { signal, noteOutcome });
    await sleep(100);
  }
  expect(existsSync(file)).toBe(true);
  await pollUntil(() => !existsSync(file));
  expect(await sessions()).toHaveLength(before + 1);
});

test('images are accepted as in uploads', async () => {
  const before = (await sessions()).length;
  for (const name of ['photo.JPG', 'scan.tif', 'logo.png']) writeFileSync(path.join(folder, name), name);
  await pollUntil(async () => (await sessions()).length === before + 3);
  expect(existsSync(path.join(folder, 'rejected'))).toBe(false);
});

test('a file that cannot be taken is moved aside with the reason, and logged', async () => {
  writeFileSync(path.join(folder, 'letter.docx'), 'no pdf');
  writeFileSync(path.join(folder, 'huge.pdf'), Buffer.alloc(200_000));
  const rejected = path.join(folder, 'rejected');
  await pollUntil(
    () => existsSync(path.join(rejected, 'huge.pdf.txt')) && existsSync(path.join(rejected, 'letter.docx.txt')),
  );
  expect(readFileSync(path.join(rejected, 'letter.docx.txt'), 'utf8')).toBe('The file is not a PDF.\n');
  const items = await deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.ingestItem.findMany({ where: { state: 'Rejected' }, orderBy: { name: 'asc' } }),
  );
  expect(items.map(({ name, reason }) => [name, reason])).toEqual([
    ['huge.pdf', 'file.tooLarge'],
    ['letter.docx', 'file.notPdf'],
  ]);
});

test('while the workflow is disabled the file waits', async () => {
  const before = (await sessions()).length;
  const setEnabled = (isEnabled: boolean) =>
    deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.workflow.update({ where: { id: workflowId }, data: { isEnabled }, select: { id: true } }),
    );
  await setEnabled(false);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'waits.pdf'), '%PDF-1.4 waits');
  await pollUntil(() => sleep(600).then(() => true));
  expect(existsSync(path.join(folder, 'waits.pdf'))).toBe(true);
  await setEnabled(true);
  await pollUntil(async () => (await sessions()).length === before + 1);
  expect((await sessions()).at(-1)?.fileName).toBe('waits.pdf');
});

test('a folder named by the workflow’s id works as well', async () => {
  const before = (await sessions()).length;
  const byId = path.join(deps.env.hotFolderDir, workflowId);
  mkdirSync(byId, { recursive: true });
  writeFileSync(path.join(byId, 'by-id.pdf'), '%PDF-1.4 id');
  await pollUntil(async () => (await sessions()).length === before + 1);
});

test('values beside a file in its hot folder are its variables; what cannot be read is refused, and both lie aside', async () => {
  const id = newId('workflow');
  await deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const draft = workflowDefinitionSchema.parse({
      steps: [
        { id: 'inject', kind: 'Inject', settings: { takesSidecars: true } },
        { id: 'complete', kind: 'Complete' },
      ],
      edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'complete' }],
      variables: [{ name: 'Copies', type: 'Number', isRequired: true }],
    });
    await tx.workflow.create({ data: { id, name: 'With values', draft: draft as object } });
    expect((await publishWorkflow(tx, id)).issues).toEqual([]);
  });
  const there = path.join(deps.env.hotFolderDir, 'With values');
  await pollUntil(() => existsSync(there));
  writeFileSync(path.join(there, 'good.json'), '{"copies": 500}');
  writeFileSync(path.join(there, 'good.pdf'), '%PDF-1.4 good');
  writeFileSync(path.join(there, 'bad.csv'), 'copies\nmany');
  writeFileSync(path.join(there, 'bad.pdf'), '%PDF-1.4 bad');
  await pollUntil(
    () => existsSync(path.join(there, 'processed/good.pdf')) && existsSync(path.join(there, 'rejected/bad.csv')),
  );
  const ofWorkflow = (await sessions()).filter((session) => session.workflowId === id);
  expect(ofWorkflow).toMatchObject([{ fileName: 'good.pdf', variables: { Copies: 500 } }]);
  expect(readdirSync(there).sort()).toEqual(['processed', 'rejected']);
  expect(readdirSync(path.join(there, 'processed')).sort()).toEqual(['good.json', 'good.pdf']);
  expect(readdirSync(path.join(there, 'rejected')).sort()).toEqual(['bad.csv', 'bad.pdf', 'bad.pdf.txt']);
});

test('the process polls the sources that a workflow names, and ends when it is told to', async () => {
  const before = (await sessions()).length;
  const id = newId('workflow');
  const sources = [{ kind: 'folder', settings: { path: 'named/by/step', stableSeconds: 0 } }];
  await deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const draft = workflowDefinitionSchema.parse({
      steps: [
        { id: 'inject', kind: 'Inject', settings: { sources } },
        { id: 'complete', kind: 'Complete' },
      ],
      edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'complete' }],
    });
    await tx.workflow.create({ data: { id, name: 'Named', draft: draft as object } });
    expect((await publishWorkflow(tx, id)).issues).toEqual([]);
  });
  const named = path.join(deps.env.hotFolderDir, 'named/by/step');
  mkdirSync(named, { recursive: true });
  writeFileSync(path.join(named, 'named.pdf'), '%PDF-1.4 named');
  const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: deps.env.databaseUrl,
      DATA_DIR: deps.env.dataDir,
      HOT_FOLDER_POLL_SECONDS: '0.2',
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(async () => (await sessions()).length).toBe(before + 1);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect((await sessions()).at(-1)).toMatchObject({ fileName: 'named.pdf', workflowId: id });
});

test('a wrong variable gives one line that names it', () => {
  expect(() => readEnv({})).toThrow(EnvError);
  expect(() => readEnv({ DATABASE_URL: 'mysql://x' })).toThrow(/^DATABASE_URL /);
  expect(() => readEnv({ DATABASE_URL: 'postgres://h/d', S3_BUCKET: 'b' })).toThrow(/S3_ACCESS_KEY_ID/);
});
