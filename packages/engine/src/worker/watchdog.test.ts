import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import type { Timing } from '../timing.ts';
import { startWorker } from './worker.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
});
afterEach(() => lab.close());

const execute: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

const start = (timing: Partial<Timing>, stuck: string[], deps = lab.deps) =>
  startWorker(deps, {
    databaseUrl: lab.url,
    instance: 'watchdog',
    doorbell: { kind: 'postgres', url: lab.url },
    slots: 2,
    execute,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'test',
    timing,
    onStuck: (reason) => stuck.push(reason),
  });

test('a worker without work receives its canary and keeps its doorbell', async () => {
  const stuck: string[] = [];
  // Two checks pass, each far longer than a canary takes, also on a busy machine.
  const worker = await start({ watch: 8_000, stuck: 60_000 }, stuck);
  await sleep(17_000);
  await worker.stop();
  expect(lab.logs.filter(({ event }) => event === 'doorbell.reopened')).toEqual([]);
  expect(stuck).toEqual([]);
});

test('a worker whose search for steps does not end reports it while Postgres answers', async () => {
  const stuck: string[] = [];
  let isHeld = false;
  let release: (rows: never[]) => void = () => undefined;
  const held = new Promise<never[]>((resolve) => {
    release = resolve;
  });
  // Claims hang, as on a connection that broke without notice; everything else works.
  const database: Lab['deps']['database'] = {
    ...lab.deps.database,
    asHost: (work, options) =>
      isHeld && String(work).includes('skip locked')
        ? (held as Promise<never>)
        : lab.deps.database.asHost(work, options),
  };
  const worker = await start({ watch: 500, stuck: 10_000 }, stuck, { ...lab.deps, database });
  await sleep(2_000);
  expect(stuck).toEqual([]);
  isHeld = true;
  for (let tries = 0; stuck.length === 0 && tries < 2_000; tries += 1) await sleep(100);
  expect(stuck[0]).toBe('idle');
  expect(lab.logs).toContainEqual(expect.objectContaining({ level: 'error', event: 'worker.stuck' }));
  isHeld = false;
  release([]);
  await worker.stop();
});
