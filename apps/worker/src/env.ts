import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { DoorbellChoice } from '@pdf2press/engine';
import type { S3Options } from '@pdf2press/storage';

/** A variable with a value that cannot be used; its message is the one line that boot prints. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

export interface WorkerEnv {
  databaseUrl: string;
  dataDir: string;
  doorbell: DoorbellChoice;
  s3: Omit<S3Options, 'cacheFolder'> | undefined;
  slots: number;
  logLevel: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function urlOf(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[], like: string): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  const isFine = URL.canParse(value) && protocols.includes(new URL(value).protocol);
  if (!isFine) throw new EnvError(`${name} must look like ${like}.`);
  return value;
}

function s3Of(env: NodeJS.ProcessEnv): WorkerEnv['s3'] {
  const names = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const endpoint = urlOf(env, 'S3_ENDPOINT', ['http:', 'https:'], 'https://s3.example.com');
  if (!endpoint && names.every((name) => !env[name])) return undefined;
  const missing = names.find((name) => !env[name]);
  if (missing) throw new EnvError(`${missing} is needed, because other S3_ variables are set.`);
  return {
    ...(endpoint && { endpoint }),
    region: env.S3_REGION || 'us-east-1',
    bucket: env.S3_BUCKET ?? '',
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  };
}

/** The only reader of the environment. @throws EnvError naming the variable */
export function readEnv(env: NodeJS.ProcessEnv = process.env): WorkerEnv {
  const databaseUrl = urlOf(
    env,
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'postgresql://user:password@host:5432/database',
  );
  if (!databaseUrl)
    throw new EnvError('DATABASE_URL is missing; npm start sets it, or point it at a Postgres of yours.');
  const redisUrl = urlOf(env, 'REDIS_URL', ['redis:', 'rediss:'], 'redis://host:6379');
  const slots = Number(env.WORKER_SLOTS || availableParallelism());
  if (!Number.isInteger(slots) || slots < 1 || slots > 256)
    throw new EnvError(`WORKER_SLOTS must be a whole number from 1 to 256, not "${env.WORKER_SLOTS}".`);
  const logLevel = env.LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) throw new EnvError(`LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  return {
    databaseUrl,
    dataDir: path.resolve(env.DATA_DIR || '.data'),
    doorbell: redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url: databaseUrl },
    s3: s3Of(env),
    slots,
    logLevel,
  };
}
