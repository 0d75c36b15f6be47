/* Faults of the pump and the store, and commands that come at the worst moment; after each every invariant must hold. */
import { readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DoorbellChoice } from './bell/doorbell.ts';
import { cancelSession } from './commands/hold-commands.ts';
import { deleteSession, restartSession, resumeSession, stopSession } from './commands/session-commands.ts';
import { inLab as inOwnLab, patient } from './testing/in-lab.ts';
import { type Lab, tester } from './testing/lab.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

type Work = Parameters<typeof inOwnLab>[1];
const inLab = (work: Work) => inOwnLab(server, work);
const handMany = (lab: Lab, count: number) => Promise.all(Array.from({ length: count }, () => lab.hand()));
const counts = async (lab: Lab) =>
  (
    await lab.sql.query(`
    select (select count(*)::int from files where kind = 'ProductionFile') as files,
           (select count(*)::int from session_events where kind = 'StepFinished') as finished,
           (select count(*)::int from sessions where status = 'Completed') as completed,
           (select coalesce(sum(lost_count), 0)::int from step_runs) as lost,
           (select coalesce(sum(crash_count), 0)::int from step_runs) as crashed`)
  ).rows[0];
/** What `sessions` that ran whole leave, each once. */
const whole = (sessions: number) => ({ completed: sessions, files: 2 * sessions, finished: 4 * sessions });

describe('the pump is killed (SIGKILL)', () => {
  test.each(['insidePump', 'afterPump', 'afterRing'] as const)(
    '%s: another worker rings for the step, and it counts once',
    (place) =>
      inLab(async (lab, start) => {
        await handMany(lab, 3);
        const doorbell: DoorbellChoice = { kind: 'postgres', url: lab.url };
        expect(await start({ doorbell, failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        start({ doorbell, timing: patient });
        await lab.settled();
        expect(await counts(lab)).toMatchObject(whole(3));
      }),
  );
});

describe('the store', () => {
  test('has lost the bytes of a step: it waits for them, and goes on when they are back', () =>
    inLab(async (lab, start) => {
      const sessionId = await lab.hand();
      const { sha256 } = (await lab.sql.query('select sha256 from files')).rows[0];
      const file = path.join(lab.folder, 'blobs', lab.subscriberId, sha256.slice(0, 2), sha256);
      await rename(file, `${file}.lost`);
      start({ timing: { ...patient, remoteBackoff: 200, remoteBackoffMax: 400 } });
      await expect
        .poll(async () => (await lab.sql.query('select error_code from step_runs')).rows[0].error_code)
        .toBe('STORAGE_UNAVAILABLE');
      expect(['InQueue', 'Processing']).toContain(await lab.status(sessionId));
      await rename(`${file}.lost`, file);
      await lab.settled();
      expect(await counts(lab)).toMatchObject({ ...whole(1), crashed: 0 });
    }));

  test('holds a file of which a bit has changed: the step says so and uses none of it; the same file sent again heals it', () =>
    inLab(async (lab, start) => {
      const sessionId = await lab.hand();
      const { sha256 } = (await lab.sql.query('select sha256 from files')).rows[0];
      const file = path.join(lab.folder, 'blobs', lab.subscriberId, sha256.slice(0, 2), sha256);
      const bytes = readFileSync(file);
      const decayed = Buffer.from(bytes);
      decayed[0] = (decayed[0] ?? 0) ^ 1;
      writeFileSync(file, decayed);
      start({ timing: patient });
      await expect.poll(() => lab.status(sessionId)).toBe('Failed');
      const failed = await lab.sql.query(`select error_code from step_runs where status = 'Failed'`);
      expect(failed.rows).toEqual([{ error_code: 'STORAGE_DAMAGED' }]);
      expect((await counts(lab)).files).toBe(0);
      await lab.storage.put({ subscriberId: lab.subscriberId, bytes: Readable.from([bytes]) });
      await restartSession(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by: tester });
      await lab.settled();
      expect(await counts(lab)).toMatchObject({ completed: 1, files: 2, crashed: 0 });
    }));
});

describe('a command comes while a worker stands before its commit', () => {
  const by = tester;
  const after = async (lab: Lab, sessionId: string) => ({
    status: await lab.status(sessionId),
    finished: (
      await lab.sql.query(
        `select count(*)::int as n from session_events where kind = 'StepFinished' and session_id = $1 and run_no = 1`,
        [sessionId],
      )
    ).rows[0].n,
  });

  test.each([
    ['stop', stopSession, 'OnHold'],
    ['delete', deleteSession, 'CanceledByOperator'],
    ['cancel', cancelSession, 'CanceledByOperator'],
  ] as const)('%s wins: the step that ends later changes nothing', (_, command, status) =>
    inLab(async (lab, start) => {
      const sessionId = await lab.hand();
      const late = start({ failpoints: 'beforeCommit:freeze', timing: { lease: 60_000, heartbeat: 1_000 } });
      await expect.poll(() => readFileSync(`/proc/${late.child.pid}/stat`, 'utf8').includes(') T ')).toBe(true);
      await command(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by });
      expect(await after(lab, sessionId)).toEqual({ status, finished: 0 });
      late.child.kill('SIGCONT');
      await late.until('step.lost');
      expect(await after(lab, sessionId)).toEqual({ status, finished: 0 });
      if (command !== stopSession) return;
      await resumeSession(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by });
      await lab.settled();
      expect(await counts(lab)).toMatchObject(whole(1));
    }),
  );
});

describe('the same command twenty times at once', () => {
  const twenty = (run: () => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: 20 }, run)).then(
      (answers) => answers.filter(({ status }) => status === 'fulfilled').length,
    );

  test.each([
    ['restart', restartSession],
    ['delete', deleteSession],
    ['cancel', cancelSession],
    ['stop', stopSession],
  ] as const)('%s happens as often as it was answered with success, and its events once each', (name, command) =>
    inLab(async (lab, start) => {
      const sessionId = await lab.hand();
      const context = { subscriberId: lab.subscriberId };
      if (name === 'restart') {
        const first = start({ timing: patient });
        await lab.settled();
        first.child.kill('SIGKILL');
        await first.ended;
      }
      const done = await twenty(() => command(lab.deps, context, { sessionId, by: tester }));
      expect(done).toBeGreaterThan(0);
      const [row] = (await lab.sql.query('select run_no, deleted_at is not null as gone, status::text from sessions'))
        .rows;
      if (name === 'restart') expect(row.run_no).toBe(1 + done);
      if (name === 'delete') expect(row).toMatchObject({ gone: true, run_no: 1 });
      if (name === 'cancel') expect([row.status, done]).toEqual(['CanceledByOperator', 1]);
      if (name === 'stop') expect(row).toMatchObject({ status: 'OnHold', run_no: 1 });
    }),
  );
});

test('workers told to stop (SIGTERM) one after the other, a dozen times: no step is lost, none fails, none is tried again', () =>
  inLab(async (lab, start) => {
    const sessions = 20;
    await handMany(lab, sessions);
    for (let round = 0; round < 12; round += 1) {
      const worker = start({ stepMs: 80, timing: { ...patient, grace: 200 } });
      await worker.until('ready');
      await sleep(100 + 400 * Math.random());
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe('0');
    }
    start({ timing: patient });
    await lab.settled();
    expect(await counts(lab)).toMatchObject({ ...whole(sessions), lost: 0, crashed: 0 });
  }));
