/* A worker as its own process, for tests that kill it. Its steps sleep, write a file and end. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepKind, VariableValues } from '@pdf2press/contract';
import { deliverFile } from '@pdf2press/deliveries/runners';
import type { AllowedHost } from '@pdf2press/mail';
import { createDatabase } from '@pdf2press/prisma';
import type { StepContext, StepResult } from '@pdf2press/steps/contracts';
import { runStep, type StepTools } from '@pdf2press/steps/runners';
import { openDiskStorage } from '@pdf2press/storage';
import type { DoorbellChoice } from '../bell/doorbell.ts';
import { overwriteVariables } from '../commands/hold-commands.ts';
import type { EngineLog } from '../deps.ts';
import { writeToChannels } from '../effects/chat/run.ts';
import { composeMessages } from '../effects/communication/run.ts';
import { deliveryAddress } from '../effects/delivery/address.ts';
import { deliverFiles } from '../effects/delivery/run.ts';
import { fetchFiles } from '../effects/fetch/run.ts';
import { deliverMail } from '../effects/mail/run.ts';
import { callAddresses } from '../effects/webhook/run.ts';
import { decideProof } from '../proofs/decide-proof.ts';
import { removeDueFiles } from '../retention/remove-files.ts';
import { openInstanceKeys } from '../secrets/secrets.ts';
import { receiveFile } from '../sessions/receive-file.ts';
import { guardedFetch } from '../sources/guarded-fetch.ts';
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
  allowedHosts?: AllowedHost[];
  /** Delivers files, into folders below this one and to the allowed hosts. */
  deliveryRoot?: string;
  /** Sends messages, to this server. */
  smtpPort?: number;
  /** Approves a proof for a recipient instead of running steps. */
  decide?: { subscriberId: string; proofId: string; recipientId: string; key: string };
  /** Gives variables of a held session values instead of running steps. */
  set?: { subscriberId: string; sessionId: string; variables: VariableValues };
  /** Removes what is due by the policies of sessions instead of running steps. */
  retain?: true;
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
const own: ReadonlySet<StepKind> = new Set([
  'Action',
  'Cancel',
  'Complete',
  'Condition',
  'Hold',
  'Proof',
  'Rename',
  'Retention',
  'Route',
]);
/** The files of these tests are no PDFs: what is known of one is said here. */
const tools: StepTools = {
  progress: () => undefined,
  runTask: async (task) => {
    if (task === 'inspect') return { pageCount: 0, pages: [], inks: [] } as never;
    throw new Error('opens no PDF');
  },
};

/** An injection step that divides files makes three pages of each file that is no part itself. */
async function divided({ settings, session, workDir }: StepContext): Promise<StepResult> {
  const { splitting = 'file' } = settings as { splitting?: string };
  if (splitting === 'file' || session.arrival.part) return { end: 'outcome', outcome: 'done' };
  const parts = await Promise.all(
    [1, 2, 3].map(async (page) => {
      await writeFile(path.join(workDir, `${page}`), `page ${page} of ${session.id}`);
      const pages: [number, number] = [page, page];
      return { path: `${page}`, name: `test_p${page}.pdf`, mediaType: 'application/pdf', from: { pages } };
    }),
  );
  return { end: 'session', status: 'Completed', parts, summary: {} };
}

/** Middle steps make a production file each; the last one ends the session. */
export const execute: ExecuteStep = async (context) => {
  const { step, workDir, signal } = context;
  if (own.has(step.kind)) return runStep(context, tools);
  await sleep(job.stepMs, undefined, { signal });
  if (step.kind === 'Inject') return divided(context);
  await writeFile(path.join(workDir, 'made.pdf'), `${step.id} ${Math.random()}`);
  const made = { kind: 'ProductionFile', path: 'made.pdf', name: 'made.pdf', mediaType: 'application/pdf' } as const;
  return { end: 'outcome', outcome: 'done', files: [made] };
};

const serverAt = (port: number) => ({
  host: '127.0.0.1',
  port,
  username: '',
  password: null,
  senderEmail: 'a@b.test',
  enableSsl: false,
});
const environmentOf = (port: number | undefined) => ({
  keepFolder: path.join(job.folder, 'mail'),
  allowedHosts: [],
  hostServer: port === undefined ? undefined : serverAt(port),
});

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
} else if (job.retain) {
  await removeDueFiles(deps);
  await deps.database.close();
} else if (job.decide) {
  const { subscriberId, ...which } = job.decide;
  const by = { kind: 'customer', name: 'Anna' } as const;
  await decideProof(deps, { subscriberId }, { ...which, given: { decision: 'Approved' }, by });
  await deps.database.close();
} else if (job.set) {
  const { subscriberId, ...ask } = job.set;
  await overwriteVariables(deps, { subscriberId }, { ...ask, by: tester });
  await deps.database.close();
} else {
  const { allowedHosts, smtpPort, deliveryRoot } = job;
  const keys = await openInstanceKeys({ dataDir: job.folder });
  const effects = {
    ...(allowedHosts && {
      webhook: callAddresses(deps, { keys, allowedHosts }),
      chat: writeToChannels(deps, { keys, allowedHosts }),
      fetch: fetchFiles(deps, { fetch: guardedFetch(allowedHosts), maxBytes: 64 * 1024 * 1024 }),
    }),
    ...(deliveryRoot !== undefined && {
      delivery: deliverFiles(deps, {
        keys,
        root: deliveryRoot,
        addressOf: deliveryAddress(allowedHosts ?? []),
        fetch: guardedFetch(allowedHosts ?? []),
        cloudApps: {},
        deliverFile,
        mailer: { keys, environment: environmentOf(smtpPort), title: 'House', baseUrl: 'https://print.test' },
      }),
    }),
    ...((smtpPort !== undefined || allowedHosts) && { communication: composeMessages(deps) }),
    ...(smtpPort !== undefined && {
      mail: deliverMail(deps, {
        keys,
        environment: environmentOf(smtpPort),
        title: 'House',
        baseUrl: 'https://print.test',
      }),
    }),
  };
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
  process.on('SIGTERM', async () => {
    await worker.stop();
    await deps.database.close();
    process.exit(0);
  });
  // Last: whoever reads it may send the signal at once.
  process.stdout.write('ready\n');
}
