import { featureKeys, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorkflowTrial } from './sessions/start-workflow-trial.ts';
import { type Lab, openLab, tester } from './testing/lab.ts';
import { startProcess } from './testing/processes.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

/** Renames, would call an address, would wait for a person, and ends. */
const draft = workflowDefinitionSchema.parse({
  steps: [
    { id: 'in', kind: 'Inject' },
    { id: 'rename', kind: 'Rename', settings: { pattern: '{{file.baseName}}-{{counter}}.pdf' } },
    { id: 'call', kind: 'Action', settings: { url: 'https://mis.example/jobs' } },
    { id: 'hold', kind: 'Hold', settings: { reason: 'Paper' } },
    { id: 'out', kind: 'Complete' },
  ],
  edges: [
    { id: 'a', from: 'in', outcome: 'done', to: 'rename' },
    { id: 'b', from: 'rename', outcome: 'done', to: 'call' },
    { id: 'c', from: 'call', outcome: 'done', to: 'hold' },
    { id: 'd', from: 'hold', outcome: 'continue', to: 'out' },
  ],
});

/** All that a trial must leave as it was. */
const outside = async (lab: Lab) =>
  (
    await lab.sql.query(`
      select (select count(*)::int from effects) as effects, (select count(*)::int from waits) as waits,
             (select count(*)::int from notifications) as notifications, (select count(*)::int from inlets) as inlets,
             (select count(*)::int from workflow_counters) as counters,
             (select jsonb_agg(to_jsonb(sessions) order by id) from sessions where not is_trial) as live,
             (select count(*)::int from files join sessions on sessions.id = session_id where not is_trial) as files`)
  ).rows[0];

async function inTrial(lab: Lab): Promise<{ trial: string; before: unknown }> {
  await lab.deps.database.withSubscriber({ subscriberId: lab.subscriberId }, (tx) =>
    tx.feature.createMany({ data: featureKeys.map((featureKey) => ({ featureKey })) }),
  );
  const past = await lab.hand();
  const first = startProcess(lab);
  await lab.settled();
  first.child.kill('SIGKILL');
  await first.ended;
  const before = await outside(lab);
  const { id, issues } = await startWorkflowTrial(lab.deps, {
    context: { subscriberId: lab.subscriberId },
    workflowId: lab.workflowId,
    name: 'Test',
    draft,
    answers: {},
    sessionIds: [past],
    last: 0,
    createdBy: tester,
  });
  expect(issues).toEqual([]);
  const { rows } = await lab.sql.query('select id from sessions where workflow_version_id = $1', [id]);
  return { trial: rows[0].id, before };
}

const stepsOf = async (lab: Lab, sessionId: string) =>
  (
    await lab.sql.query(
      `select node_id as step, outcome, output #>> '{summary,trial,would}' as would from step_runs
        where session_id = $1 order by created_at, id`,
      [sessionId],
    )
  ).rows;

test.each(['afterClaim', 'whileRunning', 'beforeCommit', 'insideCommit', 'afterCommit'] as const)(
  'a worker killed (SIGKILL) %s of the steps of a trial that would act and wait: it ends with its result, and nothing is delivered',
  async (place) => {
    const lab = await openLab(server);
    try {
      const { trial, before } = await inTrial(lab);
      // The first dies at the call, its third step; the next one does that and dies at the following step.
      for (const count of [3, 2])
        expect(await startProcess(lab, { failpoints: `${place}:kill:${count}` }).ended).toBe('SIGKILL');
      const last = startProcess(lab);
      await lab.settled();
      last.child.kill('SIGKILL');
      await last.ended;

      expect(await lab.status(trial)).toBe('Completed');
      expect(await stepsOf(lab, trial)).toEqual([
        { step: 'in', outcome: 'done', would: null },
        { step: 'rename', outcome: 'done', would: null },
        { step: 'call', outcome: 'done', would: 'act' },
        { step: 'hold', outcome: 'continue', would: 'wait' },
        { step: 'out', outcome: null, would: null },
      ]);
      expect(await outside(lab)).toEqual(before);
      expect(await lab.broken()).toEqual([]);
    } finally {
      await lab.close();
    }
  },
);
