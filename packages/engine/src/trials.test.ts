import { archivingProfileSchema, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import type { StepResult } from '@pdf2press/steps/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pumpTick } from './bell/pump.ts';
import { sweep } from './bell/sweep.ts';
import { restartSession } from './commands/session-commands.ts';
import { enqueueEffect } from './effects/enqueue.ts';
import { startWorkflowTrial } from './sessions/start-workflow-trial.ts';
import { asTried, resultInPlace } from './steps/as-tried.ts';
import { claimReady } from './steps/claim-step.ts';
import { type Lab, openLab, tester } from './testing/lab.ts';
import { defaultTiming as timing } from './timing.ts';

describe('what a step of a trial does instead', () => {
  test('a wait is answered: by what was chosen, else by the first answer', () => {
    const wait: StepResult = { end: 'wait', wait: { kind: 'hold', allowed: ['continue', 'cancel'] }, level: 'Warning' };
    const shown = (answer: string) => ({ level: 'Warning', summary: { trial: { would: 'wait', answer } } });
    expect(asTried(wait, undefined)).toEqual({ end: 'outcome', outcome: 'continue', ...shown('continue') });
    expect(asTried(wait, 'nonsense')).toEqual({ end: 'outcome', outcome: 'continue', ...shown('continue') });
    expect(asTried(wait, 'cancel')).toEqual({ end: 'session', status: 'CanceledByOperator', ...shown('cancel') });
  });

  test('a reroute begins no session, and every other end stays what it is', () => {
    const reroute = { workflowId: 'wfl_other', file: 'original', carriesVariables: true } as const;
    expect(asTried({ end: 'session', status: 'Rerouted', reroute, summary: { taken: 'r' } }, undefined)).toEqual({
      end: 'session',
      status: 'Rerouted',
      summary: { taken: 'r', trial: { would: 'reroute', workflowId: 'wfl_other' } },
    });
    const done: StepResult = { end: 'outcome', outcome: 'done' };
    expect(asTried(done, 'other')).toBe(done);
  });

  test('kinds that act outside are not run', () => {
    const mark = (answer: string) => ({ summary: { trial: { would: 'act', answer } } });
    expect(asTried({ end: 'effects', effects: [], expected: 'done', summary: { sent: [] } }, undefined)).toEqual({
      end: 'outcome',
      outcome: 'done',
      summary: { sent: [], ...mark('done').summary },
    });
    expect(resultInPlace({ kind: 'Proof', nodeId: 'p' }, { p: 'Declined' })).toEqual({
      end: 'outcome',
      outcome: 'Declined',
      ...mark('Declined'),
    });
    for (const kind of ['Inject', 'Preflight', 'Hold', 'Complete'] as const)
      expect(resultInPlace({ kind, nodeId: 'x' }, {})).toBeUndefined();
  });
});

describe('the lane of trials', () => {
  let server: TestPostgres;
  let lab: Lab;
  const context = () => ({ subscriberId: lab.subscriberId });
  const draft = workflowDefinitionSchema.parse({
    steps: [
      { id: 'in', kind: 'Inject' },
      { id: 'out', kind: 'Complete' },
    ],
    edges: [{ id: 'e', from: 'in', outcome: 'done', to: 'out' }],
  });

  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    lab = await openLab(server, { definition: draft });
  });
  afterEach(async () => {
    expect(await lab.broken()).toEqual([]);
    await lab.close();
  });

  /** A trial on the files of as many sessions of the past. */
  async function tryOn(count: number): Promise<string[]> {
    const past = await Promise.all(Array.from({ length: count }, () => lab.hand()));
    await lab.sql.query(`update step_runs set status = 'Running', epoch = 1 where status = 'Ready'`);
    await lab.sql.query(`update step_runs set status = 'Succeeded', outcome = 'done', ended_at = now()`);
    await lab.sql.query(`update sessions set status = 'Processing'`);
    await lab.sql.query(`update sessions set status = 'Completed', finished_at = now()`);
    const { id, issues } = await startWorkflowTrial(lab.deps, {
      context: context(),
      workflowId: lab.workflowId,
      name: 'Test',
      draft,
      answers: {},
      sessionIds: past,
      last: 0,
      createdBy: tester,
    });
    expect(issues).toEqual([]);
    const { rows } = await lab.sql.query('select id from sessions where workflow_version_id = $1', [id]);
    return rows.map((row) => row.id);
  }

  test('sessions that come later are claimed and rung for before any trial', async () => {
    const trials = await tryOn(6);
    const live = [await lab.hand(), await lab.hand()];
    await lab.sql.query(
      `insert into host_facts (key, value, updated_at) values ('worker x', '{"slots": 4}', clock_timestamp())`,
    );
    const { rings } = await pumpTick(lab.deps, timing, { isRinging: true });
    const { rows } = await lab.sql.query('select session_id as id from step_runs where id = any ($1)', [
      rings.map(({ id }) => id),
    ]);
    const rung = rows.map(({ id }) => id);
    expect(rung.filter((id) => live.includes(id))).toHaveLength(2);
    // Trials that were rung for stand before whoever comes next: half of the slots at most.
    expect(rung.filter((id) => trials.includes(id))).toHaveLength(2);
    const claimed = await claimReady(lab.deps, { owner: 'me', timing, count: 2, age: 0 });
    expect(claimed.map(({ sessionId }) => sessionId).sort()).toEqual(live.sort());
  });

  test('a trial records no effect outside and takes no command, and the sweep removes it after a day', async () => {
    const archivePayload = { ...archivingProfileSchema.parse({}), keysId: '' };
    const [trial = ''] = await tryOn(1);
    await lab.deps.database.withSubscriber(context(), async (tx) => {
      await enqueueEffect(tx, {
        kind: 'archive',
        key: 'archive of a trial',
        sessionId: trial,
        payload: archivePayload,
      });
      await enqueueEffect(tx, {
        kind: 'tiles',
        key: 'tiles of a trial',
        sessionId: trial,
        payload: { fileId: 'fil_x', page: 1 },
      });
    });
    const { rows } = await lab.sql.query('select kind from effects');
    expect(rows).toEqual([{ kind: 'tiles' }]);
    await lab.sql.query('delete from effects');
    await expect(restartSession(lab.deps, context(), { sessionId: trial, by: tester })).rejects.toThrow(
      'session.actionNotAllowed',
    );

    const sweepOnce = async () => sweep(lab.deps, await pumpTick(lab.deps, timing, { isRinging: false }), timing);
    const isThere = async () =>
      (await lab.sql.query('select deleted_at is null as there from sessions where id = $1', [trial])).rows[0].there;
    await sweepOnce();
    expect(await isThere()).toBe(true);
    await lab.sql.query(`update sessions set created_at = now() - interval '25 hours'`);
    await sweepOnce();
    expect(await isThere()).toBe(false);
    expect((await lab.sql.query('select id from sessions where deleted_at is null')).rows).toHaveLength(1);
  });
});
