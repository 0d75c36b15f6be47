import { type ConnectionParts, connectionParts } from '@pdf2press/prisma';
import { createPostgresBackend, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type { EngineLog } from '../deps.ts';

/**
 * A message to the queue that a step is ready to run. `dispatchNo` counts the step's rings and makes the job's id unique,
 * because BullMQ ignores a job whose id it knows.
 */
export interface Ring {
  id: string;
  dispatchNo: number;
}

/** What wakes workers. It stores no facts and may lose everything at any time. */
export type DoorbellChoice = { kind: 'none' } | { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

export interface DoorbellOptions {
  choice: DoorbellChoice;
  /** Id of this installation, so that two installations can share one Redis. */
  instance: string;
  /** How many rings are handled at the same time. */
  slots: number;
  /** Occupies one of the doorbell's places until it resolves. */
  onRing: (ring: Ring) => Promise<void>;
  log?: (line: EngineLog) => void;
}

export interface Doorbell {
  /** False = there is no queue and workers search for steps themselves. */
  isRinging: boolean;
  /** The queue's own view of its state; workers also search themselves when a step was not rung for in time. */
  isUp(): boolean;
  /** Best effort: the pump rings again for what fails. Resolves to whether the queue has taken the rings. */
  ring(rings: readonly Ring[]): Promise<boolean>;
  /** Takes no more rings. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

const silent: Doorbell = {
  isRinging: false,
  isUp: () => false,
  ring: async () => false,
  pause: async () => undefined,
  close: async () => undefined,
};

/** Short, so that the pump never hangs on Redis; an `add` that arrives later does no harm. */
const ringTimeout = 2_000;
/** After a failed ring, workers search for steps themselves for this long, or until a ring succeeds. */
const distrust = 5_000;
/** Retries and history are kept in Postgres, so the queue keeps neither. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
/** The pump rings again for a stalled step, so the queue itself must not run it a second time. */
const workerTiming = {
  lockDuration: 60_000,
  stalledInterval: 30_000,
  maxStalledCount: 0,
};

/** @throws Error when Redis is configured to evict keys: it could then drop rings, and other users' data */
async function refuseEviction(redis: Redis): Promise<void> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  if (policy && policy !== 'noeviction') throw new Error(`maxmemory-policy is ${policy}, it must be noeviction`);
}

interface Backend {
  queue: Queue;
  worker: Worker;
  isUp: () => boolean;
  closeConnections: () => Promise<void>;
}

type Process = (job: { data: Ring }) => Promise<void>;

async function redisBackend(
  url: string,
  { instance, slots, log }: DoorbellOptions,
  process: Process,
): Promise<Backend> {
  const producer = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: ringTimeout,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  const consumer = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  for (const connection of [producer, consumer])
    connection.on('error', (error) => log?.({ level: 'warn', event: 'doorbell.redis', error }));
  const closeConnections = async () => {
    producer.disconnect();
    consumer.disconnect();
  };
  const isReady = await new Promise<boolean>((resolve) => {
    producer.once('ready', () => resolve(true));
    setTimeout(() => resolve(false), 3_000);
  });
  if (isReady) {
    await refuseEviction(producer).catch(async (error: unknown) => {
      await closeConnections();
      throw error;
    });
  }
  const shared = { prefix: `pdf2press-${instance}` };
  return {
    queue: new Queue('steps', {
      ...shared,
      connection: producer,
      defaultJobOptions: jobOptions,
      skipWaitingForReady: true,
    }),
    worker: new Worker('steps', process, {
      ...shared,
      ...workerTiming,
      connection: consumer,
      concurrency: slots,
    }),
    isUp: () => producer.status === 'ready',
    closeConnections,
  };
}

function postgresBackend(url: string, { instance, slots }: DoorbellOptions, process: Process): Backend {
  const parts: ConnectionParts = connectionParts(url);
  // BullMQ types connections as those of Redis; with its Postgres backend they are options of `pg`.
  const connection = (max: number) =>
    ({
      ...parts,
      max,
      connectionTimeoutMillis: 5_000,
      schema: 'bullmq',
      migrate: true,
    }) as unknown as QueueOptions['connection'];
  const name = `steps-${instance}`;
  return {
    queue: new Queue(
      name,
      {
        connection: connection(2),
        defaultJobOptions: jobOptions,
      } as QueueOptions,
      createPostgresBackend as never,
    ),
    worker: new Worker(
      name,
      process,
      {
        ...workerTiming,
        connection: connection(Math.min(slots + 2, 8)),
        concurrency: slots,
      } as WorkerOptions,
      createPostgresBackend as never,
    ),
    isUp: () => true,
    closeConnections: async () => undefined,
  };
}

/**
 * Opens the doorbell. This is the only file that uses BullMQ, and only its plain queue: no flows, delays, schedulers,
 * sandboxes or rate limits.
 * @throws Error when Redis answers and is configured to evict keys
 */
export async function openDoorbell(options: DoorbellOptions): Promise<Doorbell> {
  const { choice, onRing, log } = options;
  if (choice.kind === 'none') return silent;
  const process: Process = (job) => onRing(job.data);
  const { queue, worker, isUp, closeConnections } =
    choice.kind === 'redis'
      ? await redisBackend(choice.url, options, process)
      : postgresBackend(choice.url, options, process);
  // An `error` that nobody listens to ends the process.
  queue.on('error', (error) => log?.({ level: 'warn', event: 'doorbell.queue', error }));
  worker.on('error', (error) => log?.({ level: 'warn', event: 'doorbell.worker', error }));
  let failedAt = Number.NEGATIVE_INFINITY;
  return {
    isRinging: true,
    isUp: () => performance.now() - failedAt > distrust && isUp(),
    ring: async (rings) => {
      if (rings.length === 0) return true;
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('the doorbell did not answer')), ringTimeout + 500).unref();
      });
      const jobs = rings.map(({ id, dispatchNo }) => ({
        name: 'step',
        data: { id, dispatchNo },
        opts: { jobId: `${id}-${dispatchNo}` },
      }));
      try {
        await Promise.race([queue.addBulk(jobs), late]);
        failedAt = Number.NEGATIVE_INFINITY;
        return true;
      } catch (error) {
        failedAt = performance.now();
        log?.({ level: 'warn', event: 'doorbell.unrung', error });
        return false;
      }
    },
    pause: async () => {
      await worker.pause(true);
    },
    close: async () => {
      // Forced, because the steps that still run have been given back already.
      const closed = Promise.allSettled([worker.close(true), queue.close()]);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3_000))]);
      await closeConnections();
    },
  };
}
