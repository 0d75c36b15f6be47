/* A worker as its own process, for tests that kill it. Steps sleep, write a file and go on. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@pdf2press/prisma';
import { openDiskStorage } from '@pdf2press/storage';
import type { EngineLog } from '../deps.ts';
import type { DoorbellChoice } from '../doorbell.ts';
import { receiveFile } from '../receive-file.ts';
import type { ExecuteStep } from '../run-step.ts';
import type { Timing } from '../timing.ts';
import { startWorker } from '../worker.ts';
import { tester } from './lab.ts';

export interface ProcessJob {
  url: string;
  folder: string;
  doorbell: DoorbellChoice;
  timing: Partial<Timing>;
  slots: number;
  stepMs: number;
  /** Hands in one file instead of working. */
  hand?: { key: string; subscriberId: string; workflowId: string };
}

const job: ProcessJob = JSON.parse(process.env.JOB ?? '{}');
const deps = {
  database: createDatabase(job.url, { connections: 6, patience: 30_000 }),
  storage: openDiskStorage({ folder: job.folder }),
};
const log = (line: EngineLog) =>
  process.stdout.write(`${line.event} ${line.error instanceof Error ? line.error.stack : ''}\n`);

/** Steps of the middle make a production file each; the last one ends the session. */
export const execute: ExecuteStep = async ({ step, workDir, signal }) => {
  await sleep(job.stepMs, undefined, { signal });
  if (step.kind === 'Complete') return { end: 'session', status: 'Completed' };
  if (step.kind === 'Inject') return { end: 'outcome', outcome: 'done' };
  await writeFile(path.join(workDir, 'made.pdf'), `${step.id} ${Math.random()}`);
  const made = { kind: 'ProductionFile', path: 'made.pdf', name: 'made.pdf', mediaType: 'application/pdf' } as const;
  return { end: 'outcome', outcome: 'done', files: [made] };
};

async function* once(bytes: Uint8Array) {
  yield bytes;
}

if (job.hand) {
  const { key, ...to } = job.hand;
  const { sessionId } = await receiveFile(deps, {
    context: { subscriberId: to.subscriberId },
    workflowId: to.workflowId,
    source: 'ExternalApi',
    fileName: 'handed.pdf',
    bytes: once(Buffer.from(key)),
    ingest: { kind: 'api', key },
    createdBy: tester,
  });
  process.stdout.write(`acknowledged ${sessionId}\n`);
  await deps.database.close();
} else {
  const worker = await startWorker(
    { ...deps, log },
    {
      databaseUrl: job.url,
      instance: 'test',
      doorbell: job.doorbell,
      slots: job.slots,
      execute,
      workFolder: path.join(job.folder, 'work', String(process.pid)),
      engineVersion: 'test',
      timing: job.timing,
    },
  );
  process.stdout.write('ready\n');
  process.on('SIGTERM', async () => {
    await worker.stop();
    await deps.database.close();
    process.exit(0);
  });
}
