import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EnvError, readEnv, readHouseEnv, variableNames } from './env.ts';

const fine = { DATABASE_URL: 'postgresql://app@127.0.0.1:5432/app' };

test('a variable that is not set has a default', () => {
  const env = readEnv(fine);
  expect(env.slots).toBeGreaterThan(0);
  expect(env).toMatchObject({ port: 3000, s3: undefined, smtp: undefined, redisUrl: undefined, corsOrigins: [] });
  expect(env.publicUrl).toBe('http://localhost:3000');
  expect(env.hotFolderDir).toBe(`${env.dataDir}/hot`);
});

test('everything but the database is read before there is a database', () => {
  expect(readHouseEnv({}).databaseUrl).toBeUndefined();
});

test.each([
  [{}, 'DATABASE_URL'],
  [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL'],
  [{ ...fine, PORT: 'x' }, 'PORT'],
  [{ ...fine, PORT: '70000' }, 'PORT'],
  [{ ...fine, PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL'],
  [{ ...fine, HOST: 'http://here' }, 'HOST'],
  [{ ...fine, TRUST_PROXY: '10.0.0.1, the proxy' }, 'TRUST_PROXY'],
  [{ ...fine, OUTBOUND_ALLOWED_HOSTS: 'mail.example/path' }, 'OUTBOUND_ALLOWED_HOSTS'],
  [{ ...fine, OUTBOUND_ALLOWED_HOSTS: 'mis.local, ftp://mis.local' }, 'OUTBOUND_ALLOWED_HOSTS'],
  [{ ...fine, PDF_TIME_FACTOR: '0' }, 'PDF_TIME_FACTOR'],
  [{ ...fine, PDF_ISOLATION: 'strong' }, 'PDF_ISOLATION'],
  [{ ...fine, OVERLOAD_DELAY_MS: 'soon' }, 'OVERLOAD_DELAY_MS'],
  [{ ...fine, CORS_ORIGINS: 'https://a.example, *' }, 'CORS_ORIGINS'],
  [{ ...fine, LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ ...fine, REDIS_URL: 'nonsense' }, 'REDIS_URL'],
  [{ ...fine, REDIS_URL: 'http://x' }, 'REDIS_URL'],
  [{ ...fine, WORKER_SLOTS: 'two' }, 'WORKER_SLOTS'],
  [{ ...fine, WORKER_SLOTS: '0' }, 'WORKER_SLOTS'],
  [{ ...fine, HOT_FOLDER_POLL_SECONDS: 'often' }, 'HOT_FOLDER_POLL_SECONDS'],
  [{ ...fine, S3_ENDPOINT: 's3' }, 'S3_ENDPOINT'],
  [{ ...fine, S3_ENDPOINT: 'http://127.0.0.1:9000' }, 'S3_BUCKET'],
  [{ ...fine, S3_BUCKET: 'files' }, 'S3_ACCESS_KEY_ID'],
  [{ ...fine, SMTP_HOST: 'h', SMTP_PORT: 'x' }, 'SMTP_PORT'],
  [{ ...fine, SMTP_ENABLE_SSL: 'perhaps' }, 'SMTP_ENABLE_SSL'],
  [{ ...fine, PDF2PRESS_SECRET_KEY: 'short' }, 'PDF2PRESS_SECRET_KEY'],
  [{ ...fine, PDF2PRESS_ADMIN_EMAIL: 'a@example.com' }, 'PDF2PRESS_ADMIN_PASSWORD'],
  [{ ...fine, PDF2PRESS_ADMIN_EMAIL: 'nobody', PDF2PRESS_ADMIN_PASSWORD: 'x' }, 'PDF2PRESS_ADMIN_EMAIL'],
  [{ ...fine, CAPTCHA_PROVIDER: 'recaptcha' }, 'RECAPTCHA_SITE_KEY'],
])('%j is refused with one line that begins with %s', (env, name) => {
  let error: unknown;
  try {
    readEnv(env);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(EnvError);
  expect((error as Error).message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
});

test('a secret that is wrong is not repeated in the message', () => {
  expect(() => readEnv({ ...fine, PDF2PRESS_SECRET_KEY: 'hunter2' })).toThrow(expect.not.stringContaining('hunter2'));
});

/** The environment that `docker compose` gives the apps, with these variables in `.env`. */
function composed(dotEnv: Record<string, string>): Record<string, string> {
  const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
  const block = /environment: &environment\n((?: {4}.*\n)+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const filled = ([, name = '', value = '']: RegExpMatchArray) => [
    name,
    value.replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, asked: string, other: string) => dotEnv[asked] ?? other),
  ];
  return Object.fromEntries([...block.matchAll(/^ {4}([A-Z0-9_]+): (.*)$/gm)].map(filled));
}

test('docker compose passes every variable on, and none that is left out has a wrong value', () => {
  // Of the image: where it listens, and where its volumes are.
  const ofImage = new Set(['HOST', 'PORT', 'DATA_DIR', 'HOT_FOLDER_DIR', 'DELIVERY_FOLDER_DIR']);
  const secrets = { POSTGRES_PASSWORD: 'p', S3_SECRET_KEY: 's', PDF2PRESS_SECRET_KEY: 'k'.repeat(64) };
  const plain = composed(secrets);
  // Those of traces are read by the library, which gives them their meaning.
  const own = Object.keys(plain).filter((name) => !name.startsWith('OTEL_'));
  expect(own.sort()).toEqual(variableNames.filter((name) => !ofImage.has(name)).sort());
  expect(readEnv(plain)).toMatchObject({ trustedProxies: [], captcha: { provider: 'altcha' } });
  expect(readEnv(composed({ ...secrets, TRUST_PROXY: 'uniquelocal' })).trustedProxies).toEqual(['uniquelocal']);
});
