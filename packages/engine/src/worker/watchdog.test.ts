import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DoorbellChoice } from '../bell/doorbell.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { redisProgram, startTestRedis, type TestRedis } from '../testing/redis.ts';
import type { Timing } from '../timing.ts';
import { startWorker } from './worker.ts';

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

interface Choice {
  deps?: Lab['deps'];
  doorbell?: DoorbellChoice;
  run?: ExecuteStep;
}

const start = (timing: Partial<Timing>, stuck: string[], { deps = lab.deps, doorbell, run = execute }: Choice = {}) =>
  startWorker(deps, {
    databaseUrl: lab.url,
    instance: 'watchdog',
    doorbell: doorbell ?? { kind: 'postgres', url: lab.url },
    slots: 2,
    execute: run,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'test',
    timing,
    onStuck: (reason) => stuck.push(reason),
  });

test('workers without work each receive their own canary and keep their doorbells @night', async () => {
  const stuck: string[] = [];
  // Two checks pass, each far longer than a canary takes, also on a busy machine.
  const timing = { watch: 8_000, stuck: 60_000 };
  const workers = await Promise.all([start(timing, stuck), start(timing, stuck)]);
  await sleep(17_000);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(lab.logs.filter(({ event }) => event === 'doorbell.reopened')).toEqual([]);
  expect(stuck).toEqual([]);
});

test('a worker whose search for steps does not end reports it while Postgres answers @night', async () => {
  const stuck: string[] = [];
  let isHeld = false;
  let release: (rows: never[]) => void = () => undefined;
  const held = new Promise<never[]>((resolve) => {
    release = resolve;
  });
  // Claims hang, as on a connection that broke without notice; everything else works.
  const database: Lab['deps']['database'] = {
    ...lab.deps.database,
    asHost: (work, options) =>
      isHeld && String(work).includes('claimStatement')
        ? (held as Promise<never>)
        : lab.deps.database.asHost(work, options),
  };
  const worker = await start({ watch: 500, stuck: 10_000 }, stuck, {
    deps: { ...lab.deps, database },
  });
  await sleep(2_000);
  expect(stuck).toEqual([]);
  isHeld = true;
  for (let tries = 0; stuck.length === 0 && tries < 2_000; tries += 1) await sleep(100);
  expect(stuck[0]).toBe('idle');
  expect(lab.logs).toContainEqual(expect.objectContaining({ level: 'error', event: 'worker.stuck' }));
  isHeld = false;
  release([]);
  await worker.stop();
});

const reopened = () => lab.logs.filter(({ event }) => event === 'doorbell.reopened').length;
const untilSo = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo() && tries < 2_000; tries += 1) await sleep(100);
  expect(isSo()).toBe(true);
};

test('a backlog older than every limit neither opens the doorbell again nor ends the worker', async () => {
  await Promise.all(Array.from({ length: isNight ? 60 : 30 }, () => lab.hand()));
  await lab.sql.query(`update step_runs set ready_at = ready_at - interval '1 hour'`);
  const stuck: string[] = [];
  const slow: ExecuteStep = async (context, options) => {
    await sleep(20, undefined, { signal: context.signal });
    return execute(context, options);
  };
  // The search is so frequent, and repeated rings so seldom, that most steps are found without a ring.
  const worker = await start({ watch: 2_000, unheard: 0, pump: 10, stuck: 60_000 }, stuck, { run: slow });
  await lab.settled();
  await worker.stop();
  expect(reopened()).toBe(0);
  expect(stuck).toEqual([]);
  const { rows } = await lab.sql.query('select max(attempt) as attempts, sum(lost_count)::int as lost from step_runs');
  expect(rows[0]).toEqual({ attempts: 1, lost: 0 });
});

test('rings that come while every slot is taken are answered when one is free', async () => {
  const stuck: string[] = [];
  const ends: (() => void)[] = [];
  const held: ExecuteStep = async (context, options) => {
    if (context.step.kind === 'Inject') await new Promise<void>((resolve) => ends.push(resolve));
    return execute(context, options);
  };
  // Only rings may start steps once the worker has begun: neither the search nor a second ring comes in time.
  const never = 3_600_000;
  await Promise.all([lab.hand(), lab.hand()]);
  await lab.sql.query(
    `update step_runs set ready_at = ready_at - interval '3 hours', dispatched_at = clock_timestamp()`,
  );
  const worker = await start({ watch: never, unheard: never, rering: never, stuck: never }, stuck, { run: held });
  await untilSo(() => ends.length === 2);
  const waiting = await lab.hand();
  await expect
    .poll(async () => (await lab.sql.query('select dispatch_no from step_runs where session_id = $1', [waiting])).rows)
    .toEqual([{ dispatch_no: 1 }]);
  // The ring was delivered long ago.
  await sleep(2_000);
  for (const end of ends.splice(0)) end();
  await untilSo(() => ends.length === 1);
  for (const end of ends.splice(0)) end();
  await lab.settled();
  await worker.stop();
});

describe.skipIf(!redisProgram)('a doorbell on Redis', () => {
  let redis: TestRedis;
  let door: net.Server;
  let doorbell: DoorbellChoice;
  let isDeaf = false;
  const sockets = new Set<net.Socket>();

  beforeAll(async () => {
    redis = await startTestRedis(await freePort());
    const { port: redisPort } = new URL(redis.url);
    // A way to Redis that, while it is deaf, loses the answers to connections that fetch rings, and no others.
    door = net.createServer((client) => {
      const upstream = net.connect(Number(redisPort), '127.0.0.1');
      let isFetching = false;
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.on('data', (data) => {
        isFetching ||= /bzpopmin|lockDuration/i.test(data.toString('latin1'));
        upstream.write(data);
      });
      upstream.on('data', (data) => {
        if (!(isDeaf && isFetching)) client.write(data);
      });
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    doorbell = {
      kind: 'redis',
      url: `redis://127.0.0.1:${(door.address() as net.AddressInfo).port}`,
    };
  });
  afterAll(async () => {
    door.close();
    for (const socket of sockets) socket.destroy();
    await redis.kill();
  });
  beforeEach(() => {
    isDeaf = false;
  });

  test('that delivers no more is opened again, then reported, also while another worker hears everything @night', async () => {
    const [stuck, ofOther]: [string[], string[]] = [[], []];
    const worker = await start({ watch: 4_000, stuck: 600_000 }, stuck, {
      doorbell,
    });
    const other = await start({ watch: 600_000, stuck: 600_000 }, ofOther, {
      doorbell: { kind: 'redis', url: redis.url },
    });
    isDeaf = true;
    await untilSo(() => stuck.includes('deaf'));
    expect(reopened()).toBeGreaterThanOrEqual(3);
    expect(ofOther).toEqual([]);
    await Promise.all([worker.stop(), other.stop()]);
  });

  test('that delivers again after it was opened again is kept @night', async () => {
    const stuck: string[] = [];
    const worker = await start({ watch: 4_000, unheard: 3_600_000, stuck: 600_000 }, stuck, { doorbell });
    isDeaf = true;
    await untilSo(() => reopened() > 0);
    isDeaf = false;
    await lab.hand();
    await lab.settled();
    expect(stuck).toEqual([]);
    await worker.stop();
  });
});
