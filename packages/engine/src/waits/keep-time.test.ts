import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelSession, continueSession, replaceFile } from '../commands/hold-commands.ts';
import { deleteSession } from '../commands/session-commands.ts';
import { readEvents } from '../sessions/events.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { holding } from '../testing/holding.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';

/** Holds that are somebody's, ask for variables and keep times, with a worker and a real Postgres. */
let server: TestPostgres;
let lab: Lab;
let worker: RunningWorker;
const ids = { ana: newId('user'), ben: newId('user'), cleo: newId('user'), planners: newId('role') };

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = (context) =>
  context.step.kind === 'Inject' ? Promise.resolve({ end: 'outcome', outcome: 'done' }) : runStep(context, tools);

const definition = holding({
  assignee: ids.ana,
  answers: ['continue'],
  reminderHours: 4,
  escalationHours: 24,
  escalateTo: ids.planners,
  timeoutHours: 48,
  onTimeout: 'cancel',
  fields: [
    { variable: 'paper', use: 'shown' },
    { variable: 'copies', use: 'required' },
    { variable: 'note', use: 'asked' },
  ],
});

beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server, { definition });
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    const person = (id: string, name: string, more: object = {}) =>
      tx.user.create({
        data: { id, email: `${name}@example.com`, userName: name, firstName: name, lastName: '', ...more },
      });
    await person(ids.ana, 'ana');
    await person(ids.ben, 'ben');
    // Sees only organizations of their own; the sessions of this test belong to none.
    await person(ids.cleo, 'cleo', { isOrganizationRestricted: true });
    await tx.role.create({ data: { id: ids.planners, name: 'Planners', permissions: [] } });
    for (const userId of [ids.ben, ids.cleo]) await tx.userRole.create({ data: { userId, roleId: ids.planners } });
  });
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
  expect(await lab.broken()).toEqual([]);
  expect(lab.logs).toEqual([]);
  await worker.stop();
  await lab.close();
  await server.stop();
});

const context = () => ({ subscriberId: lab.subscriberId });
async function held() {
  const sessionId = await lab.hand();
  await lab.settled();
  expect(await lab.status(sessionId)).toBe('OnHold');
  return { sessionId, by: tester };
}
const waitOf = async (sessionId: string) =>
  (await lab.sql.query('select * from waits where session_id = $1', [sessionId])).rows[0];
const come = (sessionId: string, time: 'remind_at' | 'escalate_at' | 'due_at') =>
  lab.sql.query(`update waits set ${time} = clock_timestamp() where session_id = $1`, [sessionId]);
const eventsOf = async (sessionId: string) => readEvents(lab.deps.database, context(), { after: 0, sessionId });
const mails = async (sessionId: string) =>
  (
    await lab.sql.query(
      `select payload->>'template' as template, payload->>'to' as "to", payload->>'path' as path
         from effects where session_id = $1 order by created_at`,
      [sessionId],
    )
  ).rows;
const variables = async (sessionId: string) =>
  (await lab.sql.query('select variables from sessions where id = $1', [sessionId])).rows[0].variables;

test('the times of a hold are counted from the moment it began, by the clock of Postgres', async () => {
  const { sessionId } = await held();
  const { rows } = await lab.sql.query(
    `select round(extract(epoch from remind_at - created_at) / 3600)::int as remind,
            round(extract(epoch from escalate_at - created_at) / 3600)::int as escalate,
            round(extract(epoch from due_at - created_at) / 3600)::int as due, assignee_id
       from waits where session_id = $1`,
    [sessionId],
  );
  expect(rows).toEqual([{ remind: 4, escalate: 24, due: 48, assignee_id: ids.ana }]);
});

test('the assignee is reminded once, by mail', async () => {
  const { sessionId } = await held();
  await come(sessionId, 'remind_at');
  await expect.poll(async () => (await waitOf(sessionId)).remind_at).toBeNull();
  expect(await mails(sessionId)).toEqual([
    { template: 'holdReminder', to: 'ana@example.com', path: `/workflows/session/${sessionId}` },
  ]);
  const told = (await eventsOf(sessionId)).filter(({ kind }) => kind === 'HoldReminded');
  expect(told.map(({ data }) => data)).toMatchObject([{ name: 'ana', people: 1 }]);
  expect(await lab.status(sessionId)).toBe('OnHold');
});

test('it passes to those of the role who may see the session, and nobody is reminded any more', async () => {
  const { sessionId } = await held();
  await come(sessionId, 'escalate_at');
  await expect.poll(async () => (await waitOf(sessionId)).escalate_at).toBeNull();
  expect(await waitOf(sessionId)).toMatchObject({ assignee_id: ids.planners, remind_at: null, decided_at: null });
  expect(await mails(sessionId)).toMatchObject([{ template: 'holdEscalated', to: 'ben@example.com' }]);
  expect((await eventsOf(sessionId)).at(-1)).toMatchObject({ kind: 'HoldEscalated', data: { name: 'Planners' } });
});

test('its end comes before all else, although the step does not offer it to people', async () => {
  const { sessionId } = await held();
  await lab.sql.query(
    `update waits set remind_at = clock_timestamp(), escalate_at = clock_timestamp(), due_at = clock_timestamp()
      where session_id = $1`,
    [sessionId],
  );
  await expect.poll(() => lab.status(sessionId)).toBe('CanceledByOperator');
  expect(await waitOf(sessionId)).toMatchObject({
    decision: 'cancel',
    remind_at: null,
    escalate_at: null,
    due_at: null,
  });
  expect(await mails(sessionId)).toEqual([]);
});

test('an answer that the step does not offer is refused', async () => {
  const ask = await held();
  await expect(cancelSession(lab.deps, context(), ask)).rejects.toThrow('session.answerNotOffered');
  const file = { sha256: 'a'.repeat(64), size: 1, name: 'a.pdf' };
  await expect(replaceFile(lab.deps, context(), { ...ask, file })).rejects.toThrow('session.answerNotOffered');
  expect(await lab.status(ask.sessionId)).toBe('OnHold');
});

test('what is required must have a value before it continues; each change is in the history', async () => {
  const ask = await held();
  const answer = (given: Record<string, string | number>) =>
    continueSession(lab.deps, context(), { ...ask, variables: given });
  await expect(answer({})).rejects.toMatchObject({
    problems: [{ code: 'workflow.variableMissing', field: 'variables.copies' }],
  });
  await expect(answer({ copies: 'many' })).rejects.toThrow('workflow.variableInvalid');
  await expect(answer({ copies: 5, paper: 'gloss' })).rejects.toThrow('request.invalid');
  expect(await variables(ask.sessionId)).toMatchObject({ paper: 'matt' });
  await answer({ copies: '500' });
  await lab.settled();
  expect(await lab.status(ask.sessionId)).toBe('Completed');
  expect(await variables(ask.sessionId)).toMatchObject({ paper: 'matt', copies: 500 });
  const set = (await eventsOf(ask.sessionId)).filter(({ kind }) => kind === 'VariableSet');
  expect(set.map(({ data, actor }) => ({ ...data, by: actor.name }))).toEqual([
    { name: 'copies', from: null, to: 500, by: 'Tester' },
  ]);
  expect((await waitOf(ask.sessionId)).decision_data).toEqual({ variables: { copies: 500 } });
});

test('a session that ends otherwise leaves no time behind', async () => {
  const { sessionId, by } = await held();
  await deleteSession(lab.deps, context(), { sessionId, by });
  expect(await waitOf(sessionId)).toMatchObject({ due_at: null, remind_at: null, escalate_at: null, decided_at: null });
});
