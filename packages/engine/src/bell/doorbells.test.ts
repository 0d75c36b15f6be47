import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { redisProgram, startTestRedis, type TestRedis } from '../testing/redis.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { type DoorbellChoice, openDoorbell } from './doorbell.ts';

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
      await handMany(lab, 25);
      await lab.settled();
      expect(await completed(lab)).toBe(25);
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
      await handMany(lab, 10);
      await lab.settled();
      expect(await completed(lab)).toBe(10);
      await redis.start();
      await expect.poll(() => workers[0]?.state().isDoorbellUp).toBe(true);
      await handMany(lab, 10);
      await lab.settled();
      expect(await completed(lab)).toBe(20);
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
