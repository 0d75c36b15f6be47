import { type StepKind, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { runStep } from '@pdf2press/steps/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSession } from '../sessions/start-session.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { places } from '../testing/places.ts';
import { startProcess } from '../testing/processes.ts';
import { startWorker } from '../worker/worker.ts';
import type { ExecuteStep } from './run-step.ts';

let server: TestPostgres;
let lab: Lab;
const second = newId('workflow');

const always = { match: 'all', rules: [{ fact: 'file.extension', operator: 'equals', value: 'PDF' }] };
const never = { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'no such name' }] };

/** Reroutes every file to another workflow; a file that is not rerouted completes. */
const sendsTo = (workflowId: string, rules: object[] = []): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      {
        id: 'route',
        kind: 'Route',
        settings: { rules: [...rules, { id: 'on', when: always, action: 'redirect', workflowId }] },
      },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'route' },
      { id: 'b', from: 'route', outcome: 'otherwise', to: 'complete' },
    ],
  });

const completes = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'complete', kind: 'Complete' },
  ],
  edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
});

const own: ReadonlySet<StepKind> = new Set(['Route', 'Complete']);
const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const execute: ExecuteStep = (context) =>
  own.has(context.step.kind) ? runStep(context, tools) : Promise.resolve({ end: 'outcome', outcome: 'done' });

const begin = (run: ExecuteStep = execute) =>
  startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'a',
    doorbell: { kind: 'none' },
    slots: 2,
    execute: run,
    workFolder: `${lab.folder}/work`,
    engineVersion: '1',
    // A step that waits for its abort is given back at once.
    timing: { grace: 300 },
  });

const context = () => ({ subscriberId: lab.subscriberId });

/** Publishes a graph as the next version of a workflow, and makes the workflow where it does not exist. */
const publish = (workflowId: string, definition: WorkflowDefinition, isEnabled = true) =>
  lab.deps.database.withSubscriber(context(), async (tx) => {
    const known = await tx.workflow.findUnique({ where: { id: workflowId } });
    const no = (known?.publishedNo ?? 0) + 1;
    const data = { publishedNo: no, isEnabled };
    if (known) await tx.workflow.update({ where: { id: workflowId }, data });
    else await tx.workflow.create({ data: { id: workflowId, name: workflowId, draft: {}, ...data } });
    const version = { definition: definition as object, profiles: {}, hash: '' };
    await tx.workflowVersion.create({ data: { id: newId('workflowVersion'), workflowId, no, ...version } });
  });

const sessions = async () =>
  (
    await lab.sql.query(`
    select id, workflow_id as workflow, status::text as status, error_code as code, parent_session_id as parent,
           reroute_count as count, variables, decisions
      from sessions order by created_at, id`)
  ).rows;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function inLab(work: () => Promise<void>): Promise<void> {
  lab = await openLab(server, { definition: sendsTo(second) });
  try {
    await work();
    expect(await lab.broken()).toEqual([]);
  } finally {
    await lab.close();
  }
}

/** Runs steps until none is ready. */
async function settle(): Promise<void> {
  const worker = await begin();
  await lab.settled();
  await worker.stop();
}

test('a rerouted file begins a session in the other workflow, and this one ends as rerouted', () =>
  inLab(async () => {
    await publish(second, completes);
    const id = await lab.hand();
    await settle();
    expect(await sessions()).toMatchObject([
      { id, status: 'Rerouted', count: 0 },
      { workflow: second, parent: id, status: 'Completed', count: 1 },
    ]);
  }));

test('a workflow that processed the same file before does not get it again', () =>
  inLab(async () => {
    await publish(second, sendsTo(lab.workflowId));
    const id = await lab.hand();
    await settle();
    expect(await sessions()).toMatchObject([
      { id, status: 'Rerouted' },
      { workflow: second, parent: id, status: 'Failed', code: 'REROUTE_LOOP' },
    ]);
  }));

test('a file is rerouted ten times at most', () =>
  inLab(async () => {
    await publish(second, completes);
    const first = await lab.hand();
    await settle();
    await lab.deps.database.withSubscriber(context(), async (tx) => {
      const { sha256, size, name } = await tx.file.findFirstOrThrow({ where: { sessionId: first } });
      await startSession(tx, {
        workflowId: lab.workflowId,
        source: 'ManualInjected',
        ingest: { kind: 'upload', key: 'tenth' },
        file: { sha256, size: Number(size), name },
        rerouteCount: 10,
        createdBy: tester,
      });
    });
    await settle();
    expect((await sessions()).at(-1)).toMatchObject({ status: 'Failed', code: 'REROUTE_LIMIT', count: 10 });
  }));

test('a reroute to a workflow that takes no files fails the step with the reason, and is not tried again', () =>
  inLab(async () => {
    await publish(second, completes, false);
    await lab.hand();
    await settle();
    expect(await sessions()).toMatchObject([{ status: 'Failed', code: 'REROUTE_REFUSED' }]);
    const { rows } = await lab.sql.query(
      `select status::text, attempt, error_params from step_runs where kind = 'Route'`,
    );
    expect(rows).toEqual([{ status: 'Failed', attempt: 1, error_params: { problem: 'workflow.disabled' } }]);
  }));

test('the first rule that holds decides: variables, profile of messages, or its own way', () =>
  inLab(async () => {
    const rules = [
      { id: 'no', when: never, action: 'cancel' },
      {
        id: 'set',
        when: always,
        action: 'overwriteVariables',
        variables: { Paper: '{{file.baseName|upper}}', copies: 5 },
      },
    ];
    const definition = sendsTo(second, rules);
    const next = { ...completes, steps: definition.steps };
    await publish(lab.workflowId, {
      ...next,
      steps: [
        ...definition.steps,
        {
          id: 'messages',
          kind: 'Route',
          name: '',
          settings: { rules: [{ id: 'told', when: always, action: 'changeCommunication', profileId: 'prf_1' }] },
          position: { x: 0, y: 0 },
        },
      ],
      edges: [
        ...definition.edges,
        { id: 'c', from: 'route', outcome: 'set', to: 'messages' },
        { id: 'd', from: 'messages', outcome: 'told', to: 'complete' },
        { id: 'e', from: 'messages', outcome: 'otherwise', to: 'complete' },
      ],
      variables: [
        { name: 'paper', type: 'String', default: null, isRequired: false, isPublic: false, options: [] },
        { name: 'copies', type: 'Number', default: 1, isRequired: false, isPublic: false, options: [] },
      ],
    });
    await lab.hand();
    await settle();
    expect(await sessions()).toMatchObject([
      {
        status: 'Completed',
        variables: { paper: 'TEST', copies: 5 },
        decisions: { communicationProfileId: 'prf_1' },
      },
    ]);
    const { rows } = await lab.sql.query(`select output from step_runs where node_id = 'route'`);
    expect(rows[0].output.summary).toMatchObject({
      taken: 'set',
      action: 'overwriteVariables',
      rules: [
        { id: 'no', verdict: false, table: [{ fact: 'file.name', operator: 'contains', actual: 'test.pdf' }] },
        {
          id: 'set',
          verdict: true,
          table: [{ fact: 'file.extension', expected: ['PDF'], actual: 'pdf', verdict: true }],
        },
      ],
    });
  }));

test.each(places('afterClaim', 'beforeCommit', 'insideCommit', 'afterCommit'))(
  'a worker killed (SIGKILL) %s of the redirection begins one session @night',
  (place) =>
    inLab(async () => {
      await publish(second, completes);
      const id = await lab.hand();
      // The route is claimed and given back, so that the next process begins with it.
      const worker = await begin(async (context) => {
        if (context.step.kind !== 'Route') return execute(context, { isHeavy: false, onProgress: () => undefined });
        return new Promise((_, reject) =>
          context.signal.addEventListener('abort', () => reject(context.signal.reason)),
        );
      });
      await expect
        .poll(
          async () =>
            (await lab.sql.query(`select 1 from step_runs where status = 'Running' and kind = 'Route'`)).rows.length,
          { timeout: 60_000 },
        )
        .toBe(1);
      await worker.stop();
      expect(await startProcess(lab, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      const next = startProcess(lab);
      await lab.settled();
      next.child.kill('SIGKILL');
      await next.ended;
      expect(await sessions()).toMatchObject([
        { id, status: 'Rerouted' },
        { workflow: second, parent: id, status: 'Completed' },
      ]);
    }),
);
