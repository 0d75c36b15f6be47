import path from 'node:path';
import type { S3Options } from '@pdf2press/storage';

/** A variable with a value that cannot be used; its message is the one line that boot prints. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

export interface IntakeEnv {
  databaseUrl: string;
  dataDir: string;
  /** Hot folders lie below it. */
  hotFolders: string;
  pollSeconds: number;
  maxBytes: number;
  s3: Omit<S3Options, 'cacheFolder'> | undefined;
  logLevel: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function urlOf(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[], like: string): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) throw new EnvError(`${name} must look like ${like}.`);
  return value;
}

function wholeOf(env: NodeJS.ProcessEnv, name: string, min: number, max: number, fallback: number): number {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new EnvError(`${name} must be a whole number from ${min} to ${max}, not "${env[name]}".`);
  return value;
}

function s3Of(env: NodeJS.ProcessEnv): IntakeEnv['s3'] {
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
export function readEnv(env: NodeJS.ProcessEnv = process.env): IntakeEnv {
  const databaseUrl = urlOf(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/database');
  if (!databaseUrl) throw new EnvError('DATABASE_URL is missing; npm start sets it, or point it at a Postgres of yours.');
  const logLevel = env.LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) throw new EnvError(`LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  return {
    databaseUrl,
    dataDir,
    hotFolders: path.resolve(env.HOT_FOLDERS || path.join(dataDir, 'hot-folders')),
    pollSeconds: wholeOf(env, 'POLL_SECONDS', 1, 3600, 5),
    maxBytes: wholeOf(env, 'MAX_UPLOAD_BYTES', 1, 4 * 1024 ** 3, 4 * 1024 ** 3),
    s3: s3Of(env),
    logLevel,
  };
}
