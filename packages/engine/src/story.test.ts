import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from './sessions/events.ts';
import type { ExecuteStep } from './steps/run-step.ts';
import { openLab } from './testing/lab.ts';
import { startWorker } from './worker/worker.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const execute: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

test('a file becomes a session, runs through its steps and is completed', async () => {
  const lab = await openLab(server);
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
  });
  const id = await lab.hand();
  await lab.settled();
  expect(await lab.status(id)).toBe('Completed');
  const events = await readEvents(lab.deps.database, { subscriberId: lab.subscriberId }, { after: 0, sessionId: id });
  expect(events.map((event) => event.kind)).toEqual([
    'Created',
    'FileReceived',
    ...Array.from({ length: 4 }, () => ['StepStarted', 'StepFinished']).flat(),
    'Completed',
  ]);
  expect(await lab.broken()).toEqual([]);
  await worker.stop();
  expect(lab.logs).toEqual([]);
  await lab.close();
});
