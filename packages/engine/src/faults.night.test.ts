/* Faults of what the engine stands on, each at a moment of its own; after each every invariant must hold. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DoorbellChoice } from './bell/doorbell.ts';
import { cancelSession } from './commands/hold-commands.ts';
import { deleteSession, restartSession, resumeSession, stopSession } from './commands/session-commands.ts';
import { inLab as inOwnLab, patient } from './testing/in-lab.ts';
import { type Lab, tester } from './testing/lab.ts';
import { redisProgram, startTestRedis, type TestRedis } from './testing/redis.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

type Work = Parameters<typeof inOwnLab>[1];
const inLab = (work: Work, on: { url: string } = server) => inOwnLab(on, work);
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

describe('a worker stands still (SIGSTOP) past its lease', () => {
  test.each(['afterClaim', 'whileRunning', 'insideCommit', 'afterCommit'] as const)(
    '%s: its step is taken over, and it writes nothing when it goes on',
    (place) =>
      inLab(async (lab, start) => {
        await lab.hand();
        const zombie = start({ failpoints: `${place}:freeze` });
        const isFrozen = () => readFileSync(`/proc/${zombie.child.pid}/stat`, 'utf8').includes(') T ');
        await expect.poll(isFrozen).toBe(true);
        start();
        await lab.settled();
        zombie.child.kill('SIGCONT');
        await zombie.until(place === 'afterCommit' ? 'ready' : 'step.');
        expect(await counts(lab)).toMatchObject(whole(1));
      }),
  );
});

describe.skipIf(!redisProgram)('Redis', () => {
  const withRedis = async (work: (redis: TestRedis) => Promise<void>, args: string[] = []) => {
    const redis = await startTestRedis(await freePort(), args);
    try {
      await work(redis);
    } finally {
      redis.thaw();
      await redis.kill();
    }
  };
  const onRedis = ({ url }: TestRedis) => ({ doorbell: { kind: 'redis', url } as const, timing: patient });

  test('stands still while steps run, and goes on', () =>
    withRedis((redis) =>
      inLab(async (lab, start) => {
        await start(onRedis(redis)).until('ready');
        await handMany(lab, 6);
        redis.freeze();
        await lab.settled();
        redis.thaw();
        await handMany(lab, 6);
        await lab.settled();
        expect(await counts(lab)).toMatchObject({ ...whole(12), crashed: 0 });
      }),
    ));

  test('has no memory left', () =>
    withRedis(
      (redis) =>
        inLab(async (lab, start) => {
          await start(onRedis(redis)).until('ready');
          await handMany(lab, 12);
          await lab.settled();
          expect(await counts(lab)).toMatchObject({ ...whole(12), crashed: 0 });
        }),
      ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'],
    ));

  test('is away when a worker starts', () =>
    withRedis(async (redis) => {
      await redis.kill();
      await inLab(async (lab, start) => {
        start(onRedis(redis));
        await handMany(lab, 4);
        await lab.settled();
        await redis.start();
        await handMany(lab, 4);
        await lab.settled();
        expect(await counts(lab)).toMatchObject(whole(8));
      });
    }));
});

describe('Postgres', () => {
  /** A server of its own, because others share the usual one; `admin` has a connection that its faults leave alone. */
  const onOwnServer = async (work: (own: TestPostgres, admin: pg.Client) => Promise<void>) => {
    const own = await startTestPostgres();
    const admin = new pg.Client(own.url);
    admin.on('error', () => undefined);
    await admin.connect();
    try {
      await work(own, admin);
    } finally {
      await admin.end();
      await own.stop();
    }
  };
  const others = `select pg_terminate_backend(pid) from pg_stat_activity
                   where backend_type = 'client backend' and pid <> pg_backend_pid() and datname <> 'app'`;

  test('cuts connections again and again while steps run', () =>
    onOwnServer((own, admin) =>
      inLab(async (lab, start) => {
        await start({ stepMs: 60, timing: patient }).until('ready');
        await handMany(lab, 12);
        for (let cuts = 0; cuts < 8; cuts += 1) {
          await sleep(150);
          await admin.query(others);
        }
        await lab.settled();
        expect(await counts(lab)).toMatchObject({ ...whole(12), crashed: 0 });
      }, own),
    ));

  test('stands still (SIGSTOP) while steps run, and goes on', () =>
    onOwnServer((own, admin) =>
      inLab(async (lab, start) => {
        await start({ stepMs: 60, timing: { lease: 4_000, heartbeat: 1_000, gap: 3_000 } }).until('ready');
        await handMany(lab, 8);
        const pid = (await admin.query('select pg_backend_pid() as pid')).rows[0].pid;
        const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
        const processes = () => [
          parent,
          ...readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number),
        ];
        const all = processes();
        for (const one of all) process.kill(one, 'SIGSTOP');
        try {
          // Longer than the lease: nobody could renew it.
          await sleep(6_000);
        } finally {
          for (const one of all) process.kill(one, 'SIGCONT');
        }
        await lab.settled();
        expect(await counts(lab)).toMatchObject({ ...whole(8), crashed: 0 });
      }, own),
    ));

  test('has no connection left for a while', () =>
    onOwnServer((own, admin) =>
      inLab(async (lab, start) => {
        await start({ stepMs: 60, timing: patient }).until('ready');
        await handMany(lab, 8);
        const takers: pg.Client[] = [];
        const take = async () => {
          for (;;) {
            const taker = new pg.Client(own.url);
            taker.on('error', () => undefined);
            if (
              !(await taker.connect().then(
                () => true,
                () => false,
              ))
            )
              return;
            takers.push(taker);
          }
        };
        await take();
        await admin.query(others);
        await take();
        expect(takers.length).toBeGreaterThan(50);
        await sleep(2_000);
        await Promise.all(takers.map((taker) => taker.end()));
        await lab.settled();
        expect(await counts(lab)).toMatchObject({ ...whole(8), crashed: 0 });
      }, own),
    ));

  test('takes no writes for a while', () =>
    onOwnServer((own, admin) =>
      inLab(async (lab, start) => {
        await start({ stepMs: 60, timing: { lease: 4_000, heartbeat: 1_000 } }).until('ready');
        await handMany(lab, 8);
        await sleep(300);
        await admin.query('set default_transaction_read_only = off');
        await admin.query('alter system set default_transaction_read_only = on');
        await admin.query('select pg_reload_conf()');
        await sleep(2_000);
        await admin.query('alter system reset default_transaction_read_only');
        await admin.query('select pg_reload_conf()');
        await lab.settled();
        expect(await counts(lab)).toMatchObject({ ...whole(8), crashed: 0 });
      }, own),
    ));
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

test('eight programs take all processors: no lease is lost, and every session ends', () =>
  inLab(async (lab, start) => {
    const busy: ChildProcess[] = Array.from({ length: 8 }, () => spawn(process.execPath, ['-e', 'for(;;);']));
    try {
      await handMany(lab, 6);
      // The leases of an installation.
      for (let workers = 0; workers < 2; workers += 1) start({ timing: { lease: 30_000, heartbeat: 10_000 } });
      await lab.settled();
    } finally {
      for (const one of busy) one.kill('SIGKILL');
    }
    expect(await counts(lab)).toMatchObject({ ...whole(6), lost: 0, crashed: 0 });
  }));
