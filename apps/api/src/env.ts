import path from 'node:path';
import { z } from 'zod';

/** A variable that cannot be used. Its message is the one line that boot prints; it names the variable. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

const whole = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (value) => (value === '' || value === undefined ? fallback : Number(value)),
    z.number(error).int(error).min(min, error).max(max, error),
  );
};
const text = (fallback: string) => z.preprocess((value) => value || fallback, z.string());
const optionalText = z.preprocess((value) => value || undefined, z.string().optional());
const flag = (fallback: boolean) =>
  z.preprocess((value) => (value === '' || value === undefined ? String(fallback) : value), z.stringbool());
const list = z.preprocess(
  (value) =>
    String(value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  z.array(z.string()),
);
const httpAddress = z.preprocess(
  (value) => (value ? String(value).replace(/\/+$/, '') : undefined),
  z.url({ protocol: /^https?$/ }).optional(),
);

const variablesSchema = z.object({
  HOST: text('127.0.0.1'),
  PORT: whole(1, 65_535, 3000),
  DATA_DIR: text('.data').transform((folder) => path.resolve(folder)),
  DATABASE_URL: z
    .string('must be set')
    .regex(/^postgres(ql)?:\/\/[^/]+\/.+/, 'must look like postgresql://user:password@host:5432/database'),
  REDIS_URL: z.preprocess(
    (value) => value || undefined,
    z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .optional(),
  ),
  PUBLIC_URL: httpAddress,
  TRUST_PROXY: list,
  /** Multiplies the limits of how often one may ask, for a house whose visitors share one address. */
  RATE_LIMIT_FACTOR: whole(1, 1000, 1),
  LOG_LEVEL: z.preprocess(
    (value) => value || 'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
  APP_TITLE: text('pdf2press'),
  MAX_UPLOAD_BYTES: whole(1, 4 * 1024 ** 3, 4 * 1024 ** 3),
  PDF2PRESS_SECRET_KEY: z.preprocess(
    (value) => value || undefined,
    z.string().min(32, 'must have at least 32 characters').optional(),
  ),
  PDF2PRESS_ADMIN_EMAIL: z.preprocess((value) => value || undefined, z.email().optional()),
  PDF2PRESS_ADMIN_PASSWORD: optionalText,
  CAPTCHA_PROVIDER: z.preprocess((value) => value || 'altcha', z.enum(['altcha', 'recaptcha', 'off'])),
  RECAPTCHA_SITE_KEY: optionalText,
  RECAPTCHA_SECRET_KEY: optionalText,
  OUTBOUND_ALLOWED_HOSTS: list,
  SMTP_HOST: optionalText,
  SMTP_PORT: whole(1, 65_535, 587),
  SMTP_USERNAME: text(' ').transform((name) => name.trim()),
  SMTP_PASSWORD: optionalText,
  SMTP_SENDER_EMAIL: z.preprocess((value) => value || undefined, z.email().optional()),
  SMTP_ENABLE_SSL: flag(true),
  S3_ENDPOINT: httpAddress,
  S3_REGION: text('us-east-1'),
  S3_BUCKET: optionalText,
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
});

export interface Env {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Where people reach the product; links in mails begin with it, never with a Host header. */
  publicUrl: string;
  trustedProxies: string[];
  logLevel: string;
  rateLimitFactor: number;
  title: string;
  maxUploadBytes: number;
  secretKey: string | undefined;
  administrator: { email: string; password: string } | undefined;
  captcha: { provider: 'altcha' | 'recaptcha' | 'off'; siteKey?: string; secretKey?: string };
  /** Hosts on private networks that outgoing connections may reach although they are blocked by address. */
  outboundAllowedHosts: string[];
  smtp:
    | { host: string; port: number; username: string; password: string | null; senderEmail: string; enableSsl: boolean }
    | undefined;
  s3: { endpoint?: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined;
}

const together = (values: Record<string, unknown>, names: string[]) => {
  const missing = names.find((name) => values[name] === undefined);
  if (missing && names.some((name) => values[name] !== undefined))
    throw new EnvError(
      `${missing} must be set together with ${names.filter((name) => name !== missing).join(' and ')}.`,
    );
};

/**
 * Reads the environment; the only place of this app that does.
 * @throws EnvError with one line naming the variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const read = variablesSchema.safeParse(source);
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0]);
    throw new EnvError(
      `${name} is not usable: ${issue?.message}${source[name] && !/KEY|PASSWORD|URL/.test(name) ? `, not "${source[name]}"` : ''}.`,
    );
  }
  const value = read.data;
  together(value, ['PDF2PRESS_ADMIN_EMAIL', 'PDF2PRESS_ADMIN_PASSWORD']);
  together(value, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  if (value.CAPTCHA_PROVIDER === 'recaptcha' && !(value.RECAPTCHA_SITE_KEY && value.RECAPTCHA_SECRET_KEY))
    throw new EnvError('CAPTCHA_PROVIDER recaptcha needs RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET_KEY.');
  return {
    host: value.HOST,
    port: value.PORT,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    redisUrl: value.REDIS_URL,
    publicUrl: value.PUBLIC_URL ?? `http://localhost:${value.PORT}`,
    trustedProxies: value.TRUST_PROXY,
    logLevel: value.LOG_LEVEL,
    rateLimitFactor: value.RATE_LIMIT_FACTOR,
    title: value.APP_TITLE,
    maxUploadBytes: value.MAX_UPLOAD_BYTES,
    secretKey: value.PDF2PRESS_SECRET_KEY,
    administrator:
      value.PDF2PRESS_ADMIN_EMAIL && value.PDF2PRESS_ADMIN_PASSWORD
        ? { email: value.PDF2PRESS_ADMIN_EMAIL, password: value.PDF2PRESS_ADMIN_PASSWORD }
        : undefined,
    captcha: {
      provider: value.CAPTCHA_PROVIDER,
      ...(value.RECAPTCHA_SITE_KEY ? { siteKey: value.RECAPTCHA_SITE_KEY } : {}),
      ...(value.RECAPTCHA_SECRET_KEY ? { secretKey: value.RECAPTCHA_SECRET_KEY } : {}),
    },
    outboundAllowedHosts: value.OUTBOUND_ALLOWED_HOSTS,
    smtp: value.SMTP_HOST
      ? {
          host: value.SMTP_HOST,
          port: value.SMTP_PORT,
          username: value.SMTP_USERNAME,
          password: value.SMTP_PASSWORD ?? null,
          senderEmail: value.SMTP_SENDER_EMAIL ?? `pdf2press@${value.SMTP_HOST}`,
          enableSsl: value.SMTP_ENABLE_SSL,
        }
      : undefined,
    s3:
      value.S3_BUCKET && value.S3_ACCESS_KEY_ID && value.S3_SECRET_ACCESS_KEY
        ? {
            ...(value.S3_ENDPOINT ? { endpoint: value.S3_ENDPOINT } : {}),
            region: value.S3_REGION,
            bucket: value.S3_BUCKET,
            accessKeyId: value.S3_ACCESS_KEY_ID,
            secretAccessKey: value.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
  };
}
