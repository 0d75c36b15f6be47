import { type StepKind, workflowDefinitionSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from '../sessions/events.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { chain, type Lab, openLab, tester } from '../testing/lab.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { cancelSession, continueSession, overwriteVariables, replaceFile, rerouteSession } from './hold-commands.ts';
import { stopSession } from './session-commands.ts';

let server: TestPostgres;
let lab: Lab;
let worker: RunningWorker;

const definition = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'hold', kind: 'Hold', settings: { reason: 'Is the paper there?' } },
    { id: 'complete', kind: 'Complete' },
  ],
  edges: [
    { id: 'a', from: 'inject', outcome: 'done', to: 'hold' },
    { id: 'b', from: 'hold', outcome: 'continue', to: 'complete' },
  ],
  variables: [
    { name: 'sheets', type: 'Number', default: 100, isRequired: true },
    { name: 'grade', type: 'String', default: 'plain' },
  ],
});

/** Kinds that need no PDF: their real steps run here. */
const own: ReadonlySet<StepKind> = new Set(['Hold', 'Complete']);
const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = (context) =>
  own.has(context.step.kind) ? runStep(context, tools) : Promise.resolve({ end: 'outcome', outcome: 'done' });

const begin = (instance: string) =>
  startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance,
    doorbell: { kind: 'none' },
    slots: 2,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
  });

beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server, { definition });
  worker = await begin('a');
});
afterAll(async () => {
  expect(await lab.broken()).toEqual([]);
  expect(lab.logs).toEqual([]);
  await worker.stop();
  await lab.close();
  await server.stop();
});

const context = () => ({ subscriberId: lab.subscriberId });
const held = async () => {
  const sessionId = await lab.hand();
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('OnHold');
  return { sessionId, by: tester };
};
const kindsOf = async (sessionId: string) =>
  (await readEvents(lab.deps.database, context(), { after: 0, sessionId })).map(({ kind }) => kind);
const put = async (text: string) => {
  async function* once() {
    yield Buffer.from(text);
  }
  return { ...(await lab.storage.put({ subscriberId: lab.subscriberId, bytes: once() })), name: `${text}.pdf` };
};

test('continue lets the session go on, and works once', async () => {
  const ask = await held();
  const both = await Promise.allSettled([
    continueSession(lab.deps, context(), ask),
    continueSession(lab.deps, context(), ask),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await lab.settled();
  expect(await lab.status(ask.sessionId)).toBe('Completed');
  expect((await kindsOf(ask.sessionId)).filter((kind) => kind === 'HoldReleased')).toHaveLength(1);
});

test('continue is refused for a stopped session and for a step that waits for another decision', async () => {
  await worker.stop();
  const stopped = { sessionId: await lab.hand(), by: tester };
  await stopSession(lab.deps, context(), stopped);
  await expect(continueSession(lab.deps, context(), stopped)).rejects.toThrow('session.actionNotAllowed');
  await cancelSession(lab.deps, context(), stopped);
  worker = await begin('b');
  const ask = await held();
  await lab.sql.query(`update waits set kind = 'proof', allowed = '{Approved,Declined}' where session_id = $1`, [
    ask.sessionId,
  ]);
  await expect(continueSession(lab.deps, context(), ask)).rejects.toThrow('session.actionNotAllowed');
  await cancelSession(lab.deps, context(), ask);
});

test('cancel ends waiting and running steps, nothing goes on afterwards, and a second cancel is refused', async () => {
  const ask = await held();
  await cancelSession(lab.deps, context(), ask);
  expect(await lab.status(ask.sessionId)).toBe('CanceledByOperator');
  await expect(cancelSession(lab.deps, context(), ask)).rejects.toThrow('session.actionNotAllowed');
  await expect(continueSession(lab.deps, context(), ask)).rejects.toThrow('session.actionNotAllowed');
  expect((await kindsOf(ask.sessionId)).at(-1)).toBe('Cancelled');
});

test('replacing the file runs the workflow again on the new file; the earlier file and run stay readable', async () => {
  const ask = await held();
  await replaceFile(lab.deps, context(), { ...ask, file: await put('Better') });
  await lab.settled();
  const session = await lab.deps.database.withSubscriber(context(), (tx) =>
    tx.session.findUniqueOrThrow({
      where: { id: ask.sessionId },
      include: { files: { orderBy: { createdAt: 'asc' } }, stepRuns: { where: { kind: 'Inject' } } },
    }),
  );
  expect(session).toMatchObject({
    runNo: 2,
    status: 'OnHold',
    source: 'ReplacedFileAndRestartedWorkflow',
    fileName: 'Better.pdf',
    fileSize: 6n,
  });
  expect(session.files.map(({ kind, name, runNo }) => `${kind} ${name} ${runNo}`)).toEqual([
    'OriginalFile test.pdf 1',
    'OriginalFile Better.pdf 2',
  ]);
  expect(session.stepRuns.find(({ runNo }) => runNo === 2)?.input).toMatchObject({ fileId: session.files[1]?.id });
  const kinds = await kindsOf(ask.sessionId);
  expect(kinds.indexOf('FileReplaced')).toBeLessThan(kinds.indexOf('Restarted'));
  await expect(replaceFile(lab.deps, context(), { ...ask, version: 1, file: await put('Worse') })).rejects.toThrow(
    'resource.conflict',
  );
  await cancelSession(lab.deps, context(), ask);
});

test('rerouting starts the file and variables in another workflow and ends this session as rerouted', async () => {
  const workflowId = newId('workflow');
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    await tx.workflow.create({ data: { id: workflowId, name: 'Other', draft: {}, publishedNo: 1 } });
    const other = {
      ...chain(['Inject', 'Complete']),
      variables: [{ name: 'copies', type: 'Number', isRequired: true }],
    };
    const data = {
      id: newId('workflowVersion'),
      workflowId,
      no: 1,
      definition: other as object,
      profiles: {},
      hash: '',
    };
    await tx.workflowVersion.create({ data });
  });
  const ask = { ...(await held()), workflowId };
  await expect(rerouteSession(lab.deps, context(), ask)).rejects.toThrow('workflow.variableMissing');
  expect(await lab.status(ask.sessionId)).toBe('OnHold');
  const to = await rerouteSession(lab.deps, context(), { ...ask, variables: { copies: 500, paper: 'matt' } });
  await lab.settled();
  expect(await lab.status(ask.sessionId)).toBe('Rerouted');
  const [from, there] = await lab.deps.database.withSubscriber(context(), (tx) =>
    tx.session.findMany({
      where: { id: { in: [ask.sessionId, to] } },
      include: { files: true },
      orderBy: { id: 'asc' },
    }),
  );
  expect(there).toMatchObject({
    status: 'Completed',
    parentSessionId: ask.sessionId,
    source: 'InjectedFromPreviousWorkflow',
    sourceName: 'Test',
    rerouteCount: 1,
    variables: { copies: 500, paper: 'matt' },
  });
  expect(there?.files[0]?.sha256).toBe(from?.files[0]?.sha256);
  await expect(rerouteSession(lab.deps, context(), ask)).rejects.toThrow('session.actionNotAllowed');
});

test('variables of a session on hold are overwritten by their types, and each change is in the history', async () => {
  const ask = await held();
  const read = async () =>
    (await lab.sql.query('select variables, version from sessions where id = $1', [ask.sessionId])).rows[0];
  const { version } = await read();
  await overwriteVariables(lab.deps, context(), { ...ask, version, variables: { Sheets: '250', grade: '' } });
  expect((await read()).variables).toEqual({ sheets: 250, grade: null });
  const changes = (await readEvents(lab.deps.database, context(), { after: 0, sessionId: ask.sessionId })).filter(
    ({ kind }) => kind === 'VariableSet',
  );
  expect(changes.map(({ data, actor }) => [data, actor.name])).toEqual([
    [{ name: 'sheets', from: 100, to: 250 }, tester.name],
    [{ name: 'grade', from: 'plain', to: null }, tester.name],
  ]);
  // Nothing of it when one does not fit; nothing when somebody was faster; nothing after the hold.
  const over = (variables: Record<string, string>, more: object = {}) =>
    overwriteVariables(lab.deps, context(), { ...ask, variables, ...more });
  await expect(over({ sheets: 'many', grade: 'fine' })).rejects.toThrow('workflow.variableInvalid');
  await expect(over({ nothing: 'x' })).rejects.toThrow('workflow.variableUnknown');
  await expect(over({ sheets: '' })).rejects.toThrow('workflow.variableMissing');
  await expect(over({ grade: 'fine' }, { version })).rejects.toThrow('resource.conflict');
  await continueSession(lab.deps, context(), ask);
  await lab.settled();
  await expect(over({ grade: 'fine' })).rejects.toThrow('session.actionNotAllowed');
  expect((await read()).variables).toEqual({ sheets: 250, grade: null });
});

test('a hold that waits for a variable is released by whoever sets it, once all that must have a value have one', async () => {
  const waiting = { ...definition, steps: definition.steps.map((step) => ({ ...step })) };
  for (const step of waiting.steps)
    if (step.kind === 'Hold')
      step.settings = {
        releaseWhen: 'ticket',
        answers: ['cancel'],
        fields: [{ variable: 'proofed', use: 'required' }],
      };
  const variable = (name: string) => ({
    ...{ name, type: 'String' as const, default: null },
    ...{ isRequired: false, isPublic: false, options: [] },
  });
  waiting.variables = [...definition.variables, variable('ticket'), variable('proofed')];
  const other = await lab.addSubscriber();
  await lab.sql.query('alter table workflow_versions disable trigger immutable');
  await lab.sql.query('update workflow_versions set definition = $1 where workflow_id = $2', [
    waiting,
    other.workflowId,
  ]);
  const there = { subscriberId: other.subscriberId };
  const sessionId = await lab.hand({ to: other });
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('OnHold');
  const set = (variables: Record<string, string>) =>
    overwriteVariables(lab.deps, there, { sessionId, by: tester, variables });
  await set({ grade: 'fine' });
  await set({ ticket: 'T-1' });
  expect(await lab.status(sessionId)).toBe('OnHold');
  await set({ proofed: 'yes' });
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('Completed');
  const { rows } = await lab.sql.query(
    `select decision, decided_by->>'name' as by, decision_data as data from waits where session_id = $1`,
    [sessionId],
  );
  expect(rows).toEqual([{ decision: 'continue', by: 'Tester', data: { releasedBy: 'ticket' } }]);
});
