import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceFile } from '../commands/hold-commands.ts';
import { restartSession } from '../commands/session-commands.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import type { ExecuteStep } from './run-step.ts';

let server: TestPostgres;
let lab: Lab;
let worker: RunningWorker;

/** By step, what each of its runs found of the file before. */
const found: Record<string, unknown[]> = { first: [], second: [] };

const definition = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'first', name: 'first', kind: 'Preflight', settings: { profileId: 'prf_1' } },
    { id: 'second', name: 'second', kind: 'Preflight', settings: { profileId: 'prf_1' } },
    { id: 'hold', kind: 'Hold', settings: { reason: 'Is the paper there?' } },
    { id: 'complete', kind: 'Complete' },
  ],
  edges: [
    { id: 'a', from: 'inject', outcome: 'done', to: 'first' },
    { id: 'b', from: 'first', outcome: 'done', to: 'second' },
    { id: 'c', from: 'second', outcome: 'done', to: 'hold' },
    { id: 'd', from: 'hold', outcome: 'continue', to: 'complete' },
  ],
});

/** Steps that write a report, and note what they get of the report on the file before. */
const execute: ExecuteStep = async ({ step, session, workDir, readMadeBefore }) => {
  if (step.kind === 'Hold')
    return { end: 'wait', wait: { kind: 'hold', allowed: ['continue', 'replaceFile'], leavesBy: 'continue' } };
  if (step.kind !== 'Preflight') return { end: 'outcome', outcome: 'done' };
  found[step.name]?.push(await readMadeBefore('preflightReport'));
  await writeFile(path.join(workDir, 'report.json'), JSON.stringify({ by: step.name, run: session.runNo }));
  const report = { kind: 'Others', path: 'report.json', name: 'report.json', mediaType: 'application/json' } as const;
  return { end: 'outcome', outcome: 'done', files: [{ ...report, meta: { role: 'preflightReport' } }] };
};

beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server, { definition });
  worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
  });
});
afterAll(async () => {
  expect(lab.logs).toEqual([]);
  await worker.stop();
  await lab.close();
  await server.stop();
});

test('a step finds its own report on the file before; a run that was begun again is not compared with itself', async () => {
  const context = { subscriberId: lab.subscriberId };
  const sessionId = await lab.hand();
  await lab.settled();
  const ask = { sessionId, by: tester };
  await restartSession(lab.deps, context, ask);
  await lab.settled();
  const stored = await lab.storage.put({
    subscriberId: lab.subscriberId,
    bytes: (async function* () {
      yield Buffer.from('Better');
    })(),
  });
  await replaceFile(lab.deps, context, { ...ask, file: { ...stored, name: 'better.pdf' } });
  await lab.settled();
  await restartSession(lab.deps, context, ask);
  await lab.settled();
  // Runs 1 and 2 have the first file, runs 3 and 4 the second one.
  expect(found).toEqual({
    first: [undefined, undefined, { by: 'first', run: 2 }, { by: 'first', run: 2 }],
    second: [undefined, undefined, { by: 'second', run: 2 }, { by: 'second', run: 2 }],
  });
});
