import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  type MessageEvent,
  messageEvents,
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveSession } from '../../commands/archive-commands.ts';
import { cancelSession, continueSession, replaceFile, rerouteSession } from '../../commands/hold-commands.ts';
import { decideProof } from '../../proofs/decide-proof.ts';
import { demandProof } from '../../proofs/proof-row.ts';
import { warnOfDeletion } from '../../retention/warn-of-deletion.ts';
import { type InstanceKeys, keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { noteNotTaken } from '../../sessions/not-taken.ts';
import type { ExecuteStep } from '../../steps/run-step.ts';
import { holding } from '../../testing/holding.ts';
import { chain, type Lab, openLab, tester } from '../../testing/lab.ts';
import { asked, proving } from '../../testing/proving.ts';
import { giveSettings } from '../../testing/settings.ts';
import { type RunningWorker, startWorker } from '../../worker/worker.ts';
import { moveToArchive } from '../archive/run.ts';
import { archivingKeysPurpose } from '../archiving.ts';
import { composeMessages } from '../communication/run.ts';
import { actionSecretPurpose } from './contract.ts';
import { callAddresses } from './run.ts';

/*
 * Every event of the contract, told to a program on the web because of what causes it: a real worker, a real Postgres and a real
 * receiver. Steps that open PDFs end as their names say.
 */

interface Told {
  event: string;
  session: { id: string | null };
}
const taken: Told[] = [];
/** By which a repetition is told. */
const callKeys: unknown[] = [];
const receiver: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    callKeys.push(request.headers['idempotency-key']);
    taken.push(JSON.parse(Buffer.concat(parts).toString()) as Told);
    response.end();
  });
});

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let worker: RunningWorker;
let keys: InstanceKeys;

/** Steps whose real work is done here, because they open no PDF. */
const own: ReadonlySet<string> = new Set(['Hold', 'Proof', 'Complete', 'Cancel']);
const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = async (context) => {
  const { kind, name } = context.step;
  if (own.has(kind)) return runStep(context, tools);
  if (name === 'fails') return { end: 'failure', failure: { code: 'PDF_DAMAGED', params: {} } };
  if (kind === 'Preflight') return { end: 'outcome', outcome: 'done', level: name as 'Success' | 'Warning' | 'Error' };
  if (kind !== 'Fix') return { end: 'outcome', outcome: 'done' };
  const file = { kind: 'ProductionFile', name: 'fixed.pdf', mediaType: 'application/pdf', path: 'fixed.pdf' } as const;
  await mkdir(context.workDir, { recursive: true });
  await writeFile(path.join(context.workDir, file.path), '%PDF-1.4 fixed');
  return { end: 'outcome', outcome: 'done', files: [file] };
};

beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  lab = await openLab(server, { definition: chain(['Inject', 'Complete']) });
  keys = await openInstanceKeys({ dataDir: lab.folder });
  const deps = { ...lab.deps, app: { title: 'House', baseUrl: 'https://print.test' } };
  worker = await startWorker(deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    effects: {
      communication: composeMessages(deps),
      webhook: callAddresses(deps, { keys, allowedHosts: [{ host: '127.0.0.1', port, scheme: 'http' }] }),
      // Nobody listens there.
      archive: moveToArchive(lab.deps, { keys, endpoint: 'http://127.0.0.1:9', cacheFolder: `${lab.folder}/cache` }),
    },
  });
  await inside(async (tx) => {
    const secretId = await keepSecret(tx, keys, { ...context(), purpose: actionSecretPurpose, text: 's'.repeat(32) });
    const url = `http://127.0.0.1:${port}/events`;
    await tx.webhook.create({ data: { id: newId('webhook'), name: 'All', url, events: [...messageEvents], secretId } });
  });
});
afterAll(async () => {
  expect(await lab.broken()).toEqual([]);
  await worker.stop();
  await lab.close();
  await new Promise((resolve) => receiver.close(resolve));
  await server.stop();
});

const context = () => ({ subscriberId: lab.subscriberId });
const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
  lab.deps.database.withSubscriber<T>(context(), work);

/** A session of a new workflow of this kind. */
async function begin({ definition, profiles = {} }: { definition: WorkflowDefinition; profiles?: object }) {
  const workflowId = newId('workflow');
  await inside(async (tx) => {
    await tx.workflow.create({ data: { id: workflowId, name: workflowId, draft: {}, publishedNo: 1 } });
    await tx.workflowVersion.create({
      data: { id: newId('workflowVersion'), workflowId, no: 1, definition: definition as object, profiles, hash: '' },
    });
  });
  const sessionId = await lab.hand({ to: { subscriberId: lab.subscriberId, workflowId } });
  await lab.settled();
  return { sessionId, by: tester };
}
/** Inject, a step of this kind and name, Complete. */
const named = (kind: 'Preflight' | 'Fix', name: string) => {
  const definition = chain(['Inject', kind, 'Complete']);
  const steps = definition.steps.map((step) => (step.kind === kind ? { ...step, name } : step));
  return { definition: workflowDefinitionSchema.parse({ ...definition, steps }) };
};
const held = () => begin({ definition: holding({}) });
const proved = (profile: object = {}) => begin(proving({ approvers: asked('anna@example.com'), ...profile }));
const come = (sessionId: string, time: 'remind_at' | 'due_at') =>
  lab.sql.query(`update waits set ${time} = clock_timestamp() where session_id = $1`, [sessionId]);
async function decided(decision: 'Approved' | 'Declined') {
  const { sessionId } = await proved();
  const { rows } = await lab.sql.query('select id from proofs where session_id = $1', [sessionId]);
  const proofId = String(rows[0].id);
  const proof = await inside((tx) => demandProof(tx, proofId));
  const { id = '', name = '' } = proof.recipients[0] ?? {};
  await decideProof(lab.deps, context(), {
    ...{ proofId, recipientId: id, key: newId('upload'), pageCount: 1 },
    given: decision === 'Approved' ? { decision } : { decision, comment: 'Too small' },
    by: { kind: 'customer', id, name },
    from: { ip: '203.0.113.7', userAgent: 'Browser', locale: 'fr', timeZone: 'Europe/Paris' },
  });
  return { sessionId };
}

/** What causes each event; it resolves to the session that the event is about, or to null where there is none. */
const causes: Readonly<Record<MessageEvent, () => Promise<{ sessionId: string | null }>>> = {
  Received: () => begin({ definition: chain(['Inject', 'Complete']) }),
  Rejected: async () => {
    await noteNotTaken(lab.deps, lab, {
      ...{ workflowId: lab.workflowId, kind: 'folder', key: 'a.txt', name: 'a.txt', size: 12, way: 'hotFolder' },
      ...{ sourceName: 'Flyers', state: 'Rejected', reason: 'file.notPdf', params: {} },
    });
    return { sessionId: null };
  },
  PreflightPassed: () => begin(named('Preflight', 'Success')),
  PreflightWarnings: () => begin(named('Preflight', 'Warning')),
  PreflightFailed: () => begin(named('Preflight', 'Error')),
  FixApplied: () => begin(named('Fix', 'fixes')),
  ProofRequested: () => proved(),
  ProofReminder: async () => {
    const one = await proved({ reminder: { firstAfterHours: 1, everyHours: 1, max: 1 } });
    await come(one.sessionId, 'remind_at');
    return one;
  },
  ProofApproved: () => decided('Approved'),
  ProofDeclined: () => decided('Declined'),
  ProofExpired: async () => {
    const one = await proved({ deadlineHours: 24, onDeadline: 'Expire' });
    await come(one.sessionId, 'due_at');
    return one;
  },
  Held: held,
  Released: async () => {
    const one = await held();
    await continueSession(lab.deps, context(), one);
    return one;
  },
  FileReplaced: async () => {
    const one = await held();
    async function* bytes() {
      yield Buffer.from('%PDF-1.4 better');
    }
    const file = { ...(await lab.storage.put({ ...context(), bytes: bytes() })), name: 'better.pdf' };
    await replaceFile(lab.deps, context(), { ...one, file });
    return one;
  },
  Rerouted: async () => {
    const one = await held();
    await rerouteSession(lab.deps, context(), { ...one, workflowId: lab.workflowId });
    return one;
  },
  Completed: () => begin({ definition: chain(['Inject', 'Complete']) }),
  CompletedWithWarnings: () => begin(named('Preflight', 'Warning')),
  Failed: () => begin(named('Preflight', 'fails')),
  Cancelled: async () => {
    const one = await held();
    await cancelSession(lab.deps, context(), one);
    return one;
  },
  ArchiveFailed: async () => {
    await inside(async (tx) => {
      const secretKey = await keepSecret(tx, keys, { ...context(), purpose: archivingKeysPurpose, text: 'none' });
      const config = { accessKey: 'none', bucketName: 'archive', region: 'us-east-1', secretKey };
      await giveSettings(tx, lab.subscriberId, { archivingSettings: { config, enabled: true } });
    });
    const one = await begin({ definition: chain(['Inject', 'Complete']) });
    await archiveSession(lab.deps, context(), one);
    // As if it had been tried for more than a day.
    await lab.sql.query(
      `update effects set next_at = clock_timestamp(), created_at = created_at - interval '25 hours' where kind = 'archive'`,
    );
    return one;
  },
  RetentionWarning: async () => {
    const one = await begin({ definition: chain(['Inject', 'Complete']) });
    const policy = { daysSource: 10, daysFinal: 20, start: 'completed', noticeDays: 7, isLegalHold: false };
    const retention = { ...policy, keepsThumbnails: true, keepsRecord: true, policy: null };
    await lab.sql.query(`update sessions set finished_at = now() - interval '5 days', decisions = $2 where id = $1`, [
      one.sessionId,
      { retention },
    ]);
    await warnOfDeletion(lab.deps);
    return one;
  },
};

test.each(messageEvents)('%s is told once, to a program, because of what causes it', async (event) => {
  const { sessionId } = await causes[event]();
  const told = () => taken.filter((one) => one.event === event && one.session.id === sessionId).length;
  await expect.poll(told, { timeout: 60_000 }).toBe(1);
});

test('no event has a cause that the contract does not know, and each is told but once', async () => {
  expect(Object.keys(causes)).toEqual([...messageEvents]);
  await lab.settled();
  await expect
    .poll(
      async () => (await lab.sql.query(`select kind from effects where kind = 'webhook' and state <> 'Done'`)).rows,
      {
        timeout: 60_000,
      },
    )
    .toEqual([]);
  expect(new Set(callKeys).size).toBe(taken.length);
});
