/* A worker as its own process, for tests that kill it. Its steps sleep, write a file and end. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepKind } from '@pdf2press/contract';
import { createDatabase } from '@pdf2press/prisma';
import { runStep } from '@pdf2press/steps/runners';
import { openDiskStorage } from '@pdf2press/storage';
import type { DoorbellChoice } from '../bell/doorbell.ts';
import type { EngineLog } from '../deps.ts';
import { callAddresses } from '../effects/webhook/run.ts';
import { openInstanceKeys } from '../secrets/secrets.ts';
import { receiveFile } from '../sessions/receive-file.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import type { Timing } from '../timing.ts';
import { startWorker } from '../worker/worker.ts';
import { tester } from './lab.ts';

export interface ProcessJob {
  url: string;
  folder: string;
  doorbell: DoorbellChoice;
  timing: Partial<Timing>;
  slots: number;
  stepMs: number;
  /** Carries out calls of web addresses, to these hosts. */
  allowedHosts?: string[];
  /** Delivers one file instead of running steps. */
  hand?: { key: string; subscriberId: string; workflowId: string };
}

const job: ProcessJob = JSON.parse(process.env.JOB ?? '{}');
const deps = {
  database: createDatabase(job.url, { connections: 6, patience: 30_000 }),
  storage: openDiskStorage({ folder: job.folder }),
};
const log = (line: EngineLog) =>
  process.stdout.write(`${line.event} ${line.error instanceof Error ? line.error.stack : ''}\n`);

/** Kinds that need no PDF: their real steps run here. */
const own: ReadonlySet<StepKind> = new Set(['Action', 'Condition', 'Hold', 'Rename', 'Retention', 'Route']);
const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };

/** Middle steps make a production file each; the last one ends the session. */
export const execute: ExecuteStep = async (context) => {
  const { step, workDir, signal } = context;
  if (own.has(step.kind)) return runStep(context, tools);
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
  const { allowedHosts } = job;
  const effects = allowedHosts
    ? { webhook: callAddresses(deps, { keys: await openInstanceKeys({ dataDir: job.folder }), allowedHosts }) }
    : {};
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
      effects,
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
