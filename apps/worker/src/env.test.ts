import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const fine = { DATABASE_URL: 'postgresql://app@127.0.0.1:5432/app' };

test('what is not set has a default, and Postgres rings', () => {
  const env = readEnv(fine);
  expect(env.slots).toBeGreaterThan(0);
  expect(env.doorbell).toEqual({ kind: 'postgres', url: fine.DATABASE_URL });
  expect(env.s3).toBeUndefined();
});

test('REDIS_URL makes Redis ring', () => {
  expect(readEnv({ ...fine, REDIS_URL: 'redis://r:6379' }).doorbell).toEqual({ kind: 'redis', url: 'redis://r:6379' });
});

test.each([
  [{}, 'DATABASE_URL'],
  [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL'],
  [{ ...fine, REDIS_URL: 'nonsense' }, 'REDIS_URL'],
  [{ ...fine, WORKER_SLOTS: 'two' }, 'WORKER_SLOTS'],
  [{ ...fine, WORKER_SLOTS: '0' }, 'WORKER_SLOTS'],
  [{ ...fine, LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ ...fine, S3_ENDPOINT: 's3' }, 'S3_ENDPOINT'],
  [{ ...fine, S3_BUCKET: 'files' }, 'S3_ACCESS_KEY_ID'],
])('%j is refused in one line that names %s', (env, name) => {
  expect(() => readEnv(env)).toThrow(new RegExp(`^${name} `));
});
