import { setTimeout as sleep } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { redisProgram, startTestRedis, type TestRedis } from '../testing/redis.ts';
import { defaultTiming } from '../timing.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { type DoorbellChoice, openDoorbell } from './doorbell.ts';
import { pumpTick } from './pump.ts';

let server: TestPostgres;
let redis: TestRedis;
let redisPort: number;
beforeAll(async () => {
  server = await startTestPostgres();
  redisPort = await freePort();
  if (redisProgram) redis = await startTestRedis(redisPort);
});
afterAll(async () => {
  await redis?.kill();
  await server.stop();
});

const execute: ExecuteStep = async ({ step, signal }) => {
  await sleep(10, undefined, { signal });
  return step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };
};

async function inLab(
  doorbell: (lab: Lab) => DoorbellChoice,
  work: (lab: Lab, workers: RunningWorker[]) => Promise<void>,
) {
  const lab = await openLab(server);
  const start = () =>
    startWorker(lab.deps, {
      databaseUrl: lab.url,
      instance: 'lab',
      doorbell: doorbell(lab),
      slots: 3,
      execute,
      workFolder: `${lab.folder}/work`,
      engineVersion: 'test',
    });
  const workers = [await start(), await start()];
  try {
    await work(lab, workers);
    expect(await lab.broken()).toEqual([]);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await lab.close();
  }
}

/** Sessions that two workers share. */
const many = isNight ? 25 : 12;
const handMany = (lab: Lab, count: number) => Promise.all(Array.from({ length: count }, () => lab.hand()));
const completed = async (lab: Lab) =>
  (await lab.sql.query(`select count(*)::int as n from sessions where status = 'Completed'`)).rows[0].n;

const choices: [string, boolean, (lab: Lab) => DoorbellChoice][] = [
  ['no doorbell at all', false, () => ({ kind: 'none' })],
  ['BullMQ on Postgres', false, (lab) => ({ kind: 'postgres', url: lab.url })],
  ['BullMQ on Redis', !redisProgram, () => ({ kind: 'redis', url: redis.url })],
];

describe.each(choices)('with %s', (_, isSkipped, doorbell) => {
  test.skipIf(isSkipped)('two workers complete every session once', () =>
    inLab(doorbell, async (lab) => {
      await handMany(lab, many);
      await lab.settled();
      expect(await completed(lab)).toBe(many);
      const { rows } = await lab.sql.query(
        'select max(attempt) as attempts, sum(lost_count)::int as lost from step_runs',
      );
      expect(rows[0]).toEqual({ attempts: 1, lost: 0 });
    }),
  );
});

describe.skipIf(!redisProgram)('Redis may lose everything', () => {
  const onRedis = (): DoorbellChoice => ({ kind: 'redis', url: redis.url });

  test('it is emptied while steps run', () =>
    inLab(onRedis, async (lab) => {
      await handMany(lab, 15);
      for (let times = 0; times < 3; times += 1) {
        await sleep(150);
        await redis.flush();
      }
      await lab.settled();
      expect(await completed(lab)).toBe(15);
    }));

  test('it is emptied while nothing runs', () =>
    inLab(onRedis, async (lab) => {
      await redis.flush();
      await handMany(lab, 3);
      await lab.settled();
      expect(await completed(lab)).toBe(3);
    }));

  test('it is killed: sessions still complete; it is started again: the queue is used again', () =>
    inLab(onRedis, async (lab, workers) => {
      await redis.kill();
      await handMany(lab, 5);
      await lab.settled();
      expect(await completed(lab)).toBe(5);
      await redis.start();
      await expect.poll(() => workers[0]?.state().isDoorbellUp).toBe(true);
      await handMany(lab, 5);
      await lab.settled();
      expect(await completed(lab)).toBe(10);
    }));

  test('a Redis that may evict keys is refused', async () => {
    const port = await freePort();
    const evicting = await startTestRedis(port, ['--maxmemory-policy', 'allkeys-lru']);
    const opening = openDoorbell({
      choice: { kind: 'redis', url: evicting.url },
      instance: 'x',
      slots: 1,
      onRing: async () => undefined,
    });
    await expect(opening).rejects.toThrow(/noeviction/);
    await evicting.kill();
  });
});

test('a step that was rung for in vain is rung for again, under another number', async () => {
  const lab = await openLab(server);
  try {
    await lab.hand();
    await lab.sql.query(`insert into host_facts (key, value, updated_at) values ('worker x', '{"slots": 2}', now())`);
    const tick = async () => (await pumpTick(lab.deps, defaultTiming, { isRinging: true })).rings;
    const [first] = await tick();
    expect(first).toMatchObject({ dispatchNo: 1 });
    expect(await tick()).toEqual([]);
    // Nobody came for it.
    await lab.sql.query(`update step_runs set dispatched_at = dispatched_at - interval '11 s'`);
    expect(await tick()).toEqual([{ id: first?.id, dispatchNo: 2 }]);
  } finally {
    await lab.close();
  }
});

test.each(choices.filter(([, isSkipped, choice]) => choice !== choices[0]?.[2] && !isSkipped))(
  'with %s a ring whose worker is gone does not silence the next one for its step',
  async (_, __, doorbell) => {
    const lab = await openLab(server);
    const heard: number[] = [];
    const bell = await openDoorbell({
      choice: doorbell(lab),
      instance: `again-${lab.subscriberId}`,
      slots: 2,
      // The first one is never answered, as by a worker that died over it.
      onRing: async ({ dispatchNo }) => {
        heard.push(dispatchNo);
        if (dispatchNo === 1) await new Promise(() => undefined);
      },
    });
    try {
      await bell.ring([{ id: 'stp_x', dispatchNo: 1 }]);
      await expect.poll(() => heard).toEqual([1]);
      await bell.ring([{ id: 'stp_x', dispatchNo: 2 }]);
      await expect.poll(() => heard, { timeout: 30_000 }).toEqual([1, 2]);
    } finally {
      await bell.close();
      await lab.close();
    }
  },
);
