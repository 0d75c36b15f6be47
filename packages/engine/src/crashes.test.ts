import { setTimeout as sleep } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holding } from './testing/holding.ts';
import { inLab as inOwnLab, patient } from './testing/in-lab.ts';
import { chain, type Lab, openLab } from './testing/lab.ts';
import { startProcess } from './testing/processes.ts';

// One long file: each file of these tests starts a database of its own.
let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const inLab = (work: Parameters<typeof inOwnLab>[1], options?: Parameters<typeof inOwnLab>[2]) =>
  inOwnLab(server, work, options);

const counts = async (lab: Lab) =>
  (
    await lab.sql.query(`
    select (select count(*)::int from files where kind = 'ProductionFile') as files,
           (select count(*)::int from session_events where kind = 'StepFinished') as finished,
           (select coalesce(sum(lost_count), 0)::int from step_runs) as lost,
           (select coalesce(sum(crash_count), 0)::int from step_runs) as crashed,
           (select max(attempt) from step_runs) as attempts`)
  ).rows[0];

/** As if the time were over for which a worker that is dead holds its step; the frozen one below is waited for. */
const endLeases = (lab: Lab) =>
  lab.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);

describe('a worker killed (SIGKILL)', () => {
  const places = ['afterClaim', 'whileRunning', 'beforeCommit', 'insideCommit', 'afterCommit'] as const;
  test.each(isNight ? places : (['insideCommit'] as const))('%s loses nothing and does nothing twice', (place) =>
    inLab(async (lab, start) => {
      const sessionId = await lab.hand();
      expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      await endLeases(lab);
      start({ timing: patient });
      await lab.settled();
      expect(await lab.status(sessionId)).toBe('Completed');
      // Only a step that was claimed and not committed counts as lost.
      expect(await counts(lab)).toMatchObject({
        files: 2,
        finished: 4,
        crashed: 0,
        lost: place === 'afterCommit' ? 0 : 1,
      });
    }),
  );

  test('killed repeatedly at random moments: every session still completes once', () =>
    inLab(async (lab, start) => {
      const many = isNight ? 30 : 16;
      const ids = await Promise.all(Array.from({ length: many }, () => lab.hand()));
      const timing = { lease: 3_000, heartbeat: 300, lostBackoff: 50 };
      const workers = [start({ timing, stepMs: 60 }), start({ timing, stepMs: 60 })];
      let isDone = false;
      const done = lab.settled().then(() => {
        isDone = true;
      });
      for (let kills = 0; kills < (isNight ? 6 : 4) && !isDone; kills += 1) {
        await sleep(400 + Math.random() * 600);
        const victim = kills % 2;
        workers[victim]?.child.kill('SIGKILL');
        workers[victim] = start({ timing, stepMs: 60 });
      }
      await done;
      for (const id of ids) expect(await lab.status(id)).toBe('Completed');
      expect(await counts(lab)).toMatchObject({ files: 2 * many, finished: 4 * many });
    }));
});

describe('a worker killed (SIGKILL) while it divides a file', () => {
  const definition = chain(['Inject', 'Complete'], { 0: { splitting: 'page' } });

  test.each(
    isNight ? (['beforeCommit', 'insideParts', 'insideCommit', 'afterCommit'] as const) : (['insideParts'] as const),
  )('%s: each part has exactly one session', (place) =>
    inLab(
      async (lab, start) => {
        const sessionId = await lab.hand();
        expect(await start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
        await endLeases(lab);
        start({ timing: patient });
        await lab.settled();
        const { rows } = await lab.sql.query(`
            select file_name, status::text, parent_session_id, arrival->'part' as part from sessions order by created_at, id`);
        const part = (page: number) => ({
          file_name: `test_p${page}.pdf`,
          status: 'Completed',
          parent_session_id: sessionId,
          part: { fileName: 'test.pdf', pages: [page, page], index: page, count: 3 },
        });
        expect(rows).toEqual([
          { file_name: 'test.pdf', status: 'Completed', parent_session_id: null, part: null },
          part(1),
          part(2),
          part(3),
        ]);
      },
      { definition },
    ),
  );
});

describe('names by numbers', () => {
  const definition = chain(['Inject', 'Rename', 'Complete'], {
    1: {
      pattern: '{{file.baseName}}',
      operations: [
        { action: 'counter', counts: 'all', digits: 3 },
        { action: 'counter', counts: 'workflow', digits: 1, place: 'end' },
      ],
      scope: 'all',
    },
  });

  test('many at once: no number is given twice and none is left out @night', () =>
    inLab(
      async (lab, start) => {
        const handed = await Promise.all(Array.from({ length: 24 }, () => lab.hand()));
        start({ timing: patient });
        start({ timing: patient });
        await lab.settled();
        const { rows } = await lab.sql.query('select name from files order by name');
        expect(rows.map(({ name }) => name.slice(0, 3))).toEqual(
          handed.map((_, at) => String(at + 1).padStart(3, '0')),
        );
        expect(new Set(rows.map(({ name }) => name.split('_')[2])).size).toBe(handed.length);
      },
      { definition },
    ));
});

test('a worker killed (SIGKILL) while its step begins to wait: the session waits once @night', () =>
  inLab(
    async (lab, start) => {
      const sessionId = await lab.hand();
      expect(await start({ failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
      expect(await start({ failpoints: 'insideCommit:kill' }).ended).toBe('SIGKILL');
      start({ timing: patient });
      await expect.poll(() => lab.status(sessionId), { timeout: 60_000 }).toBe('OnHold');
      const entered = `select count(*)::int as times from session_events where kind = 'HoldEntered'`;
      expect((await lab.sql.query(entered)).rows).toEqual([{ times: 1 }]);
      expect((await lab.sql.query('select 1 from waits')).rows).toHaveLength(1);
    },
    { definition: holding({}) },
  ));

describe('a delivery whose receiver is killed', () => {
  const dangerous = [['afterStartCommit', 1]] as const;
  const all = [['afterSpool', 0], ['beforeStartCommit', 0], ...dangerous] as const;
  test.each(isNight ? all : dangerous)('%s makes one session when it is delivered again', (place, sessions) =>
    inLab(async (lab, start) => {
      const hand = { key: 'order-1', subscriberId: lab.subscriberId, workflowId: lab.workflowId };
      const first = start({ hand, failpoints: `${place}:kill` });
      expect(await first.ended).toBe('SIGKILL');
      expect(first.output()).not.toContain('acknowledged');
      const count = async () => (await lab.sql.query('select count(*)::int as n from sessions')).rows[0].n;
      expect(await count()).toBe(sessions);
      const second = start({ hand });
      expect(await second.ended).toBe('0');
      expect(second.output()).toContain('acknowledged ses_');
      expect(await count()).toBe(1);
      start();
      await lab.settled();
    }),
  );
});

test('an answer to a commit that is lost on the way is looked up, and nothing is done again @night', () =>
  inLab(async (lab, start) => {
    const sessionId = await lab.hand();
    const worker = start({ failpoints: 'answerToCommit:lose', timing: patient });
    await lab.settled();
    expect(await lab.status(sessionId)).toBe('Completed');
    expect(await counts(lab)).toMatchObject({ files: 2, finished: 4, lost: 0, crashed: 0, attempts: 1 });
    expect(worker.output()).not.toMatch(/step\.(lost|failed|unrecorded)/);
  }));

test('a worker frozen past its lease finds its step taken over when it continues, and writes nothing', () =>
  inLab(async (lab, start) => {
    const sessionId = await lab.hand();
    const zombie = start({ failpoints: 'beforeCommit:freeze' });
    for (;;) {
      const { rows } = await lab.sql.query(
        `select 1 from step_runs where status = 'Running' and lease_until < clock_timestamp()`,
      );
      if (rows.length > 0) break;
      await sleep(50);
    }
    start();
    await lab.settled();
    zombie.child.kill('SIGCONT');
    await zombie.until('step.lost');
    expect(await lab.status(sessionId)).toBe('Completed');
    expect(await counts(lab)).toMatchObject({ files: 2, finished: 4 });
  }));

test('a worker that is told to stop gives its steps back as never tried', () =>
  inLab(async (lab, start) => {
    const sessionId = await lab.hand();
    const first = start({ stepMs: 600_000, timing: { ...patient, grace: 300 } });
    await first.until('ready');
    await expect
      .poll(async () => (await lab.sql.query(`select 1 from step_runs where status = 'Running'`)).rows.length)
      .toBe(1);
    first.child.kill('SIGTERM');
    // If it waited for its step it would end ten minutes later.
    expect(await first.ended).toBe('0');
    start({ timing: patient });
    await lab.settled();
    expect(await lab.status(sessionId)).toBe('Completed');
    expect(await counts(lab)).toMatchObject({ lost: 0, crashed: 0, attempts: 1 });
  }));

test.each([10, -10, 60, -60])('a worker whose clock is wrong by %i minutes changes nothing @night', (minutes) =>
  inLab(async (lab, start) => {
    const skew = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${minutes * 60_000};`;
    start({ stepMs: 300, timing: patient, nodeArgs: ['--import', skew] });
    const right = start({ stepMs: 300, timing: patient });
    await right.until('ready');
    const ids = await Promise.all(Array.from({ length: 6 }, () => lab.hand()));
    await lab.settled();
    for (const id of ids) expect(await lab.status(id)).toBe('Completed');
    expect(await counts(lab)).toMatchObject({ lost: 0, attempts: 1 });
  }),
);

test('Postgres restarted without warning while steps run', async () => {
  const own = await startTestPostgres();
  const lab = await openLab(own);
  const worker = startProcess(lab, { stepMs: 80, timing: patient });
  try {
    await worker.until('ready');
    const ids = await Promise.all(Array.from({ length: 12 }, () => lab.hand()));
    await sleep(700);
    await own.restart();
    await lab.settled();
    for (const id of ids) expect(await lab.status(id), worker.output()).toBe('Completed');
    expect(await lab.broken()).toEqual([]);
    expect(await counts(lab), worker.output()).toMatchObject({ files: 24, finished: 48 });
  } finally {
    worker.child.kill('SIGKILL');
    await worker.ended;
    await lab.close();
    await own.stop();
  }
});
