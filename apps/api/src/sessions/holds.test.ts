import type { Permission, RouteResult, routes } from '@pdf2press/contract';
import { type RunningWorker, receiveFile, startWorker } from '@pdf2press/engine';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Read = RouteResult<typeof routes.sessions.get>;
type List = RouteResult<typeof routes.sessions.list>;

let lab: Lab;
let worker: RunningWorker;
/** May do everything; the planner may only look, and has the role that holds wait for; so may the guest, who has not. */
let ana: SignedIn;
let planner: SignedIn;
let guest: SignedIn;
let roleId: string;
let workflowId: string;

const viewing: readonly Permission[] = ['sessions.view'];

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  planner = await lab.signIn(await lab.makePerson(subscriberId, 'planner@example.com', viewing));
  guest = await lab.signIn(await lab.makePerson(subscriberId, 'guest@example.com', viewing));
  const roles = await lab.call<{ items: { id: string; name: string }[] }>('GET', '/roles', { as: ana });
  roleId = roles.result.items.find(({ name }) => name === 'role of planner@example.com')?.id ?? '';
  workflowId = await publish({
    reason: 'Which paper?',
    assignee: roleId,
    answers: ['continue', 'cancel'],
    escalationHours: 5,
    escalateTo: ana.id,
    fields: [
      { variable: 'paper', use: 'shown' },
      { variable: 'copies', use: 'required' },
    ],
  });
  const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
  worker = await startWorker(lab.deps.engine, {
    databaseUrl: lab.deps.env.databaseUrl,
    instance: 'holds',
    doorbell: { kind: 'none' },
    slots: 1,
    execute: (context) =>
      context.step.kind === 'Inject' ? Promise.resolve({ end: 'outcome', outcome: 'done' }) : runStep(context, tools),
    workFolder: `${lab.deps.env.dataDir}/work`,
    engineVersion: '1',
  });
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await lab.stop();
});

/** Publishes a workflow whose second step holds, with these settings. */
async function publish(settings: object): Promise<string> {
  const { result } = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', {
    as: ana,
    body: { name: 'Holding' },
  });
  const steps = [
    { id: 'inject', kind: 'Inject' },
    { id: 'hold', kind: 'Hold', settings },
    { id: 'complete', kind: 'Complete' },
  ];
  const edges = [
    { id: 'a', from: 'inject', outcome: 'done', to: 'hold' },
    { id: 'b', from: 'hold', outcome: 'continue', to: 'complete' },
  ];
  const variables = [
    { name: 'paper', type: 'String', default: 'matt' },
    { name: 'copies', type: 'Number' },
  ];
  const body = { name: 'Holding', draft: { steps, edges, variables }, draftRevision: result.draftRevision };
  expect((await lab.call('PUT', `/workflows/${result.id}`, { as: ana, body })).statusCode).toBe(200);
  expect((await lab.call('POST', `/workflows/${result.id}/publish`, { as: ana, body: {} })).statusCode).toBe(200);
  return result.id;
}

async function held(fileName: string, by = ''): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    sourceName: 'Ana',
    fileName,
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${fileName}`);
    })(),
    createdBy: by ? { kind: 'user', id: by, name: '' } : { kind: 'system', name: '' },
    ingest: { kind: 'test', key: fileName },
  });
  await expect.poll(async () => (await read(sessionId)).status, { timeout: 60_000 }).toBe('OnHold');
  return sessionId;
}
const read = async (id: string, as: SignedIn = ana) => (await lab.call<Read>('GET', `/sessions/${id}`, { as })).result;
const answer = (id: string, act: string, as: SignedIn, body: object = {}) =>
  lab.call<Read>('POST', `/sessions/${id}/${act}`, { as, body });

test('a hold tells whose it is, what may be answered, what is asked for, and when it passes to whom', async () => {
  const id = await held('told.pdf');
  const { hold, openActions } = await read(id, planner);
  expect(hold).toMatchObject({
    reason: 'Which paper?',
    answers: ['continue', 'cancel'],
    assignee: { id: roleId, name: 'role of planner@example.com' },
    isMine: true,
    dueAt: null,
    escalation: { to: { id: ana.id, name: 'ana Test' } },
    fields: [
      { variable: { name: 'paper', type: 'String' }, use: 'shown', value: 'matt' },
      { variable: { name: 'copies', type: 'Number' }, use: 'required', value: null },
    ],
  });
  expect(openActions).toEqual(['continue', 'cancel']);
  expect((await read(id, guest)).hold).toMatchObject({ isMine: false });
  expect((await read(id, guest)).openActions).toEqual([]);
  // The administrator may do everything, but only what the step offers.
  expect((await read(id)).openActions).not.toContain('reroute');
  expect((await read(id)).openActions).toEqual(expect.arrayContaining(['continue', 'cancel', 'restart', 'delete']));
});

test('the assignee answers without the permission; others need it; nobody gives an answer that is not offered', async () => {
  const id = await held('answered.pdf');
  const body = { variables: { copies: 500 } };
  const refused = await answer(id, 'continue', guest, body);
  expect([refused.statusCode, refused.envelope.errors[0]?.code]).toEqual([403, 'access.denied']);
  expect((await answer(id, 'restart', planner)).statusCode).toBe(403);
  expect((await answer(id, 'reroute', planner, { workflowId })).statusCode).toBe(403);
  expect((await answer(id, 'reroute', ana, { workflowId })).envelope.errors[0]?.code).toBe('session.answerNotOffered');
  const missing = await answer(id, 'continue', planner);
  expect([missing.statusCode, missing.envelope.errors[0]]).toMatchObject([
    422,
    { code: 'workflow.variableMissing', field: 'variables.copies' },
  ]);
  expect((await answer(id, 'continue', planner, body)).statusCode).toBe(200);
  await expect.poll(async () => (await read(id)).status).toBe('Completed');
  expect((await read(id)).variables).toMatchObject({ paper: 'matt', copies: 500 });
  expect((await answer(id, 'cancel', planner)).statusCode).toBe(403);
});

test('in bulk the assignee answers what is assigned, and is told why the rest is not', async () => {
  const id = await held('bulk.pdf');
  const bulk = (as: SignedIn, action: string) =>
    lab.call<{ success: boolean; error?: { code: string } }[]>('POST', '/sessions/bulk', {
      as,
      body: { action, ids: [id] },
    });
  expect((await bulk(guest, 'cancel')).result).toMatchObject([{ success: false, error: { code: 'access.denied' } }]);
  expect((await bulk(planner, 'delete')).statusCode).toBe(403);
  expect((await bulk(planner, 'cancel')).result).toMatchObject([{ success: true }]);
});

test('sessions that wait for the reader are counted and listed', async () => {
  const id = await held('mine.pdf');
  const list = async (as: SignedIn) => (await lab.call<List>('GET', '/sessions?waitingForMe=true', { as })).result;
  const mine = await list(planner);
  expect(mine.items.map((item) => item.id)).toContain(id);
  expect([mine.total, mine.waitingForMe]).toEqual([mine.items.length, mine.items.length]);
  expect(mine.items.every(({ status, hold }) => status === 'OnHold' && hold?.isMine)).toBe(true);
  expect(await list(guest)).toMatchObject({ total: 0, waitingForMe: 0 });
  await answer(id, 'cancel', planner);
  expect((await list(planner)).items.map((item) => item.id)).not.toContain(id);
});

test('a list of what the reader submitted has nothing of others', async () => {
  const id = await held('own.pdf', planner.id);
  const list = async (as: SignedIn) => (await lab.call<List>('GET', '/sessions?mine=true', { as })).result;
  expect((await list(planner)).items.map((item) => item.id)).toEqual([id]);
  expect(await list(guest)).toMatchObject({ total: 0 });
  await answer(id, 'cancel', planner);
});

test('a hold for somebody who does not exist cannot be published', async () => {
  const { result } = await lab.call<{ issues: object[]; draftRevision: number; draft: { steps: object[] } }>(
    'GET',
    `/workflows/${workflowId}`,
    { as: ana },
  );
  const draft = {
    ...result.draft,
    steps: result.draft.steps.map((step) =>
      'kind' in step && step.kind === 'Hold' ? { ...step, settings: { assignee: 'usr_gone' } } : step,
    ),
  };
  const saved = await lab.call<{ issues: object[] }>('PUT', `/workflows/${workflowId}`, {
    as: ana,
    body: { name: 'Holding', draft, draftRevision: result.draftRevision },
  });
  expect(saved.result.issues).toMatchObject([{ code: 'workflow.assigneeGone', stepId: 'hold', field: 'assignee' }]);
});

test('the people whose decision a hold is are notified, see how many, and no longer when it is over', async () => {
  type Told = RouteResult<typeof routes.system.notifications>;
  const told = async (as: SignedIn) =>
    (await lab.call<Told>('GET', '/notifications', { as })).result.filter(({ code }) => code === 'hold.waiting');
  const before = { planner: (await told(planner)).length, guest: (await told(guest)).length };
  const id = await held('notified.pdf');
  const [newest, ...others] = await told(planner);
  expect(others).toHaveLength(before.planner);
  expect(newest).toMatchObject({ params: { sessionId: id }, isRead: false });
  expect(newest?.message).toMatch(/waits for your decision/);
  expect(await told(guest)).toHaveLength(before.guest);
  await lab.call('POST', `/sessions/${id}/cancel`, { as: ana, body: {} });
  expect((await told(planner)).find(({ params }) => params.sessionId === id)).toMatchObject({ isRead: true });
});
