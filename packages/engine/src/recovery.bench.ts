import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRow } from '@pdf2press/config/bench';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { stopSession } from './commands/session-commands.ts';
import type { ExecuteStep } from './steps/run-step.ts';
import { type Lab, openLab, tester } from './testing/lab.ts';
import { startProcess } from './testing/processes.ts';
import { redisProgram, startTestRedis } from './testing/redis.ts';
import { startWorker, type WorkerOptions } from './worker/worker.ts';

type Server = Awaited<ReturnType<typeof startTestPostgres>>;

const plain: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

const work = (lab: Lab, options: Partial<WorkerOptions> = {}) =>
  startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'bench',
    doorbell: { kind: 'none' },
    slots: 8,
    execute: plain,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'bench',
    ...options,
  });

const secondsOf = async (wait: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await wait();
  return (performance.now() - from) / 1000;
};

const isRunning = async (lab: Lab) =>
  (await lab.sql.query(`select 1 from step_runs where status = 'Running'`)).rows.length > 0;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

/** A step whose worker was killed runs again once its lease has run out. */
async function afterKill(server: Server): Promise<BenchRow> {
  const lab = await openLab(server);
  const timing = { lease: 3_000, heartbeat: 1_000 };
  await lab.hand();
  await startProcess(lab, { failpoints: 'whileRunning:kill', timing }).ended;
  const { rows } = await lab.sql.query(
    `select extract(epoch from lease_until - clock_timestamp())::float8 as rest from step_runs where status = 'Running'`,
  );
  const worker = await work(lab, { timing });
  const seconds = await secondsOf(() => lab.settled());
  await worker.stop();
  await lab.close();
  const name = 'engine: the step of a killed worker goes on, from the end of its lease';
  return { name, ours: seconds - Math.max(0, rows[0].rest), unit: 's', limit: 5 };
}

/** Steps run again after Postgres was killed and started again. */
async function afterPostgres(): Promise<BenchRow> {
  const server = await startTestPostgres({ isDurable: true });
  const lab = await openLab(server);
  const worker = await work(lab);
  await server.restart();
  const seconds = await secondsOf(async () => {
    for (;;) {
      try {
        await lab.hand();
        break;
      } catch {
        await sleep(50); // No answer yet; a client would ask again.
      }
    }
    await lab.settled();
  });
  await worker.stop();
  await lab.close();
  await server.stop();
  return { name: 'engine: a whole session after Postgres was killed and is back', ours: seconds, unit: 's', limit: 20 };
}

/** Stop takes a running step from its worker. */
async function afterStop(server: Server): Promise<BenchRow> {
  const lab = await openLab(server);
  let abortedAt = 0;
  const execute: ExecuteStep = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        abortedAt = performance.now();
        reject(signal.reason);
      });
    });
  const worker = await work(lab, { execute });
  const sessionId = await lab.hand();
  await until(() => isRunning(lab));
  await sleep(500);
  const from = performance.now();
  await stopSession(lab.deps, { subscriberId: lab.subscriberId }, { sessionId, by: tester });
  await until(async () => abortedAt > 0);
  await worker.stop();
  await lab.close();
  return { name: 'engine: stop ends a running step', ours: (abortedAt - from) / 1000, unit: 's', limit: 5 };
}

/** Without Redis workers find steps by searching; when Redis is back, the queue is used again. */
async function withoutRedis(server: Server): Promise<BenchRow[]> {
  if (!redisProgram) return [];
  const redis = await startTestRedis(await freePort());
  const lab = await openLab(server);
  const worker = await work(lab, { doorbell: { kind: 'redis', url: redis.url } });
  const count = 100;
  const rate = async () => {
    const handed = Array.from({ length: count }, () => lab.hand());
    return (4 * count) / (await secondsOf(() => Promise.all(handed).then(() => lab.settled())));
  };
  const ringing = await rate();
  await redis.kill();
  const silent = await rate();
  await redis.start();
  const back = await secondsOf(() => until(async () => worker.state().isDoorbellUp));
  await worker.stop();
  await lab.close();
  await redis.kill();
  return [
    {
      name: 'engine: steps while Redis is away',
      ours: silent,
      unit: 'steps/s',
      peer: 'with Redis',
      peerValue: ringing,
      ratio: silent / ringing,
      limit: 1 / 3,
      isFloor: true,
    },
    { name: 'engine: the bell rings again after Redis is back', ours: back, unit: 's', limit: 15 },
  ];
}

/** How soon work goes on after a failure. That it goes on at all is tested in crashes.test.ts and promises.test.ts. */
export async function bench(): Promise<BenchRow[]> {
  const server = await startTestPostgres({ isDurable: true });
  try {
    return [await afterKill(server), await afterPostgres(), await afterStop(server), ...(await withoutRedis(server))];
  } finally {
    await server.stop();
  }
}
