import path from 'node:path';
import { z } from 'zod';

/** A variable with a value that cannot be used; its message is the one line that boot prints. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

export interface IntakeEnv {
  databaseUrl: string;
  dataDir: string;
  /** Holds a folder for each workflow. */
  hotFolderDir: string;
  /** A file is whole when nothing about it has changed for so long. */
  stableSeconds: number;
  pollSeconds: number;
  maxUploadBytes: number;
  logLevel: string;
  s3: { endpoint?: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined;
}

const number = (min: number, max: number, fallback: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.preprocess(
    (value) => (value === undefined || value === '' ? fallback : Number(value)),
    z.number(error).min(min, error).max(max, error),
  );
};
const optional = z.preprocess((value) => value || undefined, z.string().optional());

const variablesSchema = z.object({
  DATABASE_URL: z
    .string('must be set')
    .regex(/^postgres(ql)?:\/\/[^/]+\/.+/, 'must look like postgresql://user:password@host:5432/database'),
  DATA_DIR: z.preprocess((value) => value || '.data', z.string()),
  HOT_FOLDER_DIR: optional,
  HOT_FOLDER_STABLE_SECONDS: number(0, 3600, 4),
  HOT_FOLDER_POLL_SECONDS: number(0.1, 3600, 2),
  MAX_UPLOAD_BYTES: number(1, 4 * 1024 ** 3, 4 * 1024 ** 3),
  LOG_LEVEL: z.preprocess(
    (value) => value || 'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
  S3_ENDPOINT: optional,
  S3_REGION: z.preprocess((value) => value || 'us-east-1', z.string()),
  S3_BUCKET: optional,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
});

/** The only reader of the environment in this app. @throws EnvError naming the variable */
export function readEnv(source: NodeJS.ProcessEnv = process.env): IntakeEnv {
  const read = variablesSchema.safeParse(source);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new EnvError(`${String(issue?.path[0])} is not usable: ${issue?.message}.`);
  }
  const value = read.data;
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value;
  const hasS3 = Boolean(bucket || accessKeyId || secretAccessKey);
  if (hasS3 && !(bucket && accessKeyId && secretAccessKey))
    throw new EnvError('S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.');
  const dataDir = path.resolve(value.DATA_DIR);
  return {
    databaseUrl: value.DATABASE_URL,
    dataDir,
    hotFolderDir: path.resolve(value.HOT_FOLDER_DIR ?? path.join(dataDir, 'hot')),
    stableSeconds: value.HOT_FOLDER_STABLE_SECONDS,
    pollSeconds: value.HOT_FOLDER_POLL_SECONDS,
    maxUploadBytes: value.MAX_UPLOAD_BYTES,
    logLevel: value.LOG_LEVEL,
    s3:
      bucket && accessKeyId && secretAccessKey
        ? {
            ...(value.S3_ENDPOINT ? { endpoint: value.S3_ENDPOINT } : {}),
            region: value.S3_REGION,
            bucket,
            accessKeyId,
            secretAccessKey,
          }
        : undefined,
  };
}
