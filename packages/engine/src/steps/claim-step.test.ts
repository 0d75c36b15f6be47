import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { prioritizeSession } from '../commands/session-commands.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { defaultTiming } from '../timing.ts';
import { startWorker } from '../worker/worker.ts';
import { claimReady, claimStatement } from './claim-step.ts';
import type { ExecuteStep } from './run-step.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
});
afterEach(() => lab.close());

const execute: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

/** Another workflow of the lab's subscriber. */
async function addWorkflow(): Promise<{ subscriberId: string; workflowId: string }> {
  const workflowId = newId('workflow');
  await lab.sql.query(
    `insert into workflows (id, subscriber_id, name, draft, published_no)
     select $1, subscriber_id, $1, draft, published_no from workflows where id = $2`,
    [workflowId, lab.workflowId],
  );
  await lab.sql.query(
    `insert into workflow_versions (id, subscriber_id, workflow_id, no, definition, profiles, hash)
     select $1, subscriber_id, $2, no, definition, profiles, hash from workflow_versions where workflow_id = $3`,
    [newId('workflowVersion'), workflowId, lab.workflowId],
  );
  return { subscriberId: lab.subscriberId, workflowId };
}

/** A backlog, an hour old: sessions with their first step ready, in the lab's workflow or another's. */
const queue = (count: number, { subscriberId, workflowId }: { subscriberId: string; workflowId: string } = lab) =>
  lab.sql
    .query(
      `with made as (
       insert into sessions (id, public_id, subscriber_id, workflow_id, workflow_version_id, source, source_ref, file_name, created_at)
       select $1 || '_' || no, $1 || '_' || no, $2, $3, (select id from workflow_versions where workflow_id = $3),
              'ManualInjected', $1 || '_' || no, 'a.pdf', clock_timestamp() - interval '1 hour' + no * interval '1 ms'
         from generate_series(1, $4::int) no
       returning id, subscriber_id)
     select count(*) from made`,
      [newId('session'), subscriberId, workflowId, count],
    )
    .then(() =>
      lab.sql.query(
        `insert into step_runs (id, subscriber_id, session_id, run_no, node_id, kind, ready_at, workflow_id, queued_at)
       select 'stp_' || id, subscriber_id, id, 1, 'n0', 'Inject', created_at, workflow_id, created_at from sessions session
        where not exists (select 1 from step_runs where step_runs.session_id = session.id)`,
      ),
    );

const claim = { owner: 'me', timing: defaultTiming, age: 0 };
const claimOne = async () => (await claimReady(lab.deps, { ...claim, count: 1 }))[0];
/** As if the step had ended and left nothing to do. */
const end = (id: string | undefined) =>
  lab.sql.query(`update step_runs set status = 'Succeeded', ended_at = now() where id = $1`, [id]);

// The pump, which rings, may hold the rows of steps at the moment of a claim, which then takes the next: so many are begun.
test.each([
  ['none', 2],
  ['postgres', 4],
] as const)('a session is finished before the next one of its workflow begins (%s)', async (kind, begun) => {
  const ids: string[] = [];
  for (let no = 0; no < 8; no += 1) ids.push(await lab.hand());
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'order',
    doorbell: kind === 'none' ? { kind } : { kind, url: lab.url },
    slots: 1,
    execute,
    workFolder: `${lab.folder}/work`,
    engineVersion: 'test',
  });
  await lab.settled();
  await worker.stop();
  const { rows } = await lab.sql.query('select session_id as id from step_runs order by claimed_at');
  const order = rows.map(({ id }) => id as string);
  expect(order).toHaveLength(4 * ids.length);
  for (const [no, id] of ids.slice(begun).entries())
    expect(order.indexOf(id)).toBeGreaterThan(order.lastIndexOf(ids[no] ?? ''));
});

test('one file of another workflow, organization or subscriber begins at once behind a backlog, with a single slot', async () => {
  await queue(500);
  const workflow = await addWorkflow();
  const subscriber = await lab.addSubscriber();
  await end((await claimOne())?.id);
  const ofWorkflow = await lab.hand({ to: workflow });
  const ofSubscriber = await lab.hand({ to: subscriber });
  const ofOrganization = await lab.hand();
  await lab.sql.query(`update step_runs set organization_id = 'org_x' where session_id = $1`, [ofOrganization]);
  const claimed: (string | undefined)[] = [];
  for (let times = 0; times < 5; times += 1) {
    const step = await claimOne();
    claimed.push(step?.sessionId);
    await end(step?.id);
  }
  expect(claimed[0]).toBe(ofSubscriber);
  expect(claimed).toEqual(expect.arrayContaining([ofSubscriber, ofOrganization, ofWorkflow]));
});

test('who has many workflows gets no more turns than who has one', async () => {
  const other = await lab.addSubscriber();
  await queue(20, other);
  for (let no = 0; no < 6; no += 1) await queue(5, await addWorkflow());
  const turns: (string | undefined)[] = [];
  for (let times = 0; times < 20; times += 1) {
    const step = await claimOne();
    turns.push(step?.subscriberId);
    await end(step?.id);
  }
  expect(turns.filter((id) => id === other.subscriberId)).toHaveLength(10);
});

test('who runs many long steps leaves the free slot to who runs fewer', async () => {
  const other = await lab.addSubscriber();
  await queue(20);
  await queue(20, other);
  const steps = await claimReady(lab.deps, { ...claim, count: 8 });
  expect(steps.filter(({ subscriberId }) => subscriberId === other.subscriberId)).toHaveLength(4);
  // Of one, all steps end but those of the other last.
  for (const step of steps) if (step.subscriberId === other.subscriberId) await end(step.id);
  const next = await claimReady(lab.deps, { ...claim, count: 4 });
  expect(next.map(({ subscriberId }) => subscriberId)).toEqual(Array.from({ length: 4 }, () => other.subscriberId));
});

test('an urgent session behind a thousand begins first, whether it came so or became so', async () => {
  await queue(1_000);
  const { rows } = await lab.sql.query('select id from sessions order by created_at desc limit 1');
  const last = rows[0].id as string;
  await prioritizeSession(lab.deps, lab, { sessionId: last, by: tester });
  expect((await claimOne())?.sessionId).toBe(last);
  const urgent = await lab.hand({ priority: 'Urgent' });
  expect((await claimOne())?.sessionId).toBe(urgent);
  // Not at the cost of others: who has none that is urgent gets the same turns.
  const other = await lab.addSubscriber();
  await lab.hand({ to: other });
  for (let no = 0; no < 3; no += 1) await lab.hand({ priority: 'Urgent' });
  expect((await claimOne())?.subscriberId).toBe(other.subscriberId);
});

test('workers that claim at the same moment get different steps, and each gets one', async () => {
  await queue(40);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, no) => claimReady(lab.deps, { ...claim, owner: `w${no}`, count: 1 })),
  );
  expect(new Set(all.flat().map(({ id }) => id)).size).toBe(8);
});

test('a claim reads a few pages of 100,000 ready steps @night', async () => {
  const other = await lab.addSubscriber();
  const workflows = await Promise.all(Array.from({ length: 8 }, addWorkflow));
  // Without triggers, which take most of the time.
  await lab.sql.query('set session_replication_role = replica');
  for (const workflow of [lab, other, ...workflows]) await queue(10_000, workflow);
  await lab.sql.query('set session_replication_role = origin');
  await lab.sql.query('analyze');
  const statement = claimStatement({ owner: 'me', timing: defaultTiming });
  await claimOne();
  await lab.sql.query('set role pdf2press_host');
  const { rows } = await lab.sql.query(`explain (analyze, buffers) ${statement.text}`, statement.values as unknown[]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan on (step_runs|sessions)/);
  const [, pages] = /Buffers: shared hit=(\d+)/.exec(plan) ?? [];
  expect(Number(pages)).toBeLessThan(1_500);
  if (process.env.SHOW_OUTPUT) process.stdout.write(`${plan}\n`);
});
