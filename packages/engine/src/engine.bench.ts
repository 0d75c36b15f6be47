import path from 'node:path';
import type { BenchRow } from '@pdf2press/config/bench';
import { freePort } from '@pdf2press/config/free-port';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import type { DoorbellChoice } from './bell/doorbell.ts';
import type { ExecuteStep } from './steps/run-step.ts';
import { type Lab, openLab } from './testing/lab.ts';
import { redisProgram, startTestRedis } from './testing/redis.ts';
import { startWorker } from './worker/worker.ts';

const sessions = 150;
const stepsPerSession = 4;
const wanted = 50;

const execute: ExecuteStep = async ({ step }) =>
  step.kind === 'Complete' ? { end: 'session', status: 'Completed' } : { end: 'outcome', outcome: 'done' };

async function measure(lab: Lab, doorbell: DoorbellChoice): Promise<number> {
  await Promise.all(Array.from({ length: sessions }, () => lab.hand()));
  const worker = await startWorker(lab.deps, {
    databaseUrl: lab.url,
    instance: 'bench',
    doorbell,
    slots: 8,
    execute,
    workFolder: path.join(lab.folder, 'work'),
    engineVersion: 'bench',
  });
  const started = performance.now();
  await lab.settled(120_000);
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  return (sessions * stepsPerSession) / seconds;
}

/** Steps that do nothing, per second, with fsync on: the cost of recording a step. */
export async function bench(): Promise<BenchRow[]> {
  const server = await startTestPostgres({ isDurable: true });
  const redis = redisProgram ? await startTestRedis(await freePort()) : undefined;
  const choices: [string, (lab: Lab) => DoorbellChoice][] = [
    ['none', () => ({ kind: 'none' })],
    ['Postgres', (lab) => ({ kind: 'postgres', url: lab.url })],
    ...(redis ? [['Redis', () => ({ kind: 'redis', url: redis.url })] as [string, () => DoorbellChoice]] : []),
  ];
  const rows: BenchRow[] = [];
  for (const [name, choice] of choices) {
    const lab = await openLab(server);
    const rate = await measure(lab, choice(lab));
    await lab.close();
    rows.push({
      name: `engine: steps that do nothing, doorbell ${name}`,
      ours: rate,
      unit: 'steps/s',
      limit: wanted,
      isFloor: true,
    });
  }
  await redis?.kill();
  await server.stop();
  return rows;
}
