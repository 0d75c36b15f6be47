/*
 * Exported as `@pdf2press/engine/env`: the environment variables of the installation (listed in README.md), read once at the
 * start of each process.
 */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { AllowedHost } from '@pdf2press/mail';
import type { CloudApps } from '@pdf2press/sources/contracts';
import { z } from 'zod';
import { readAllowedHost } from './allowed-hosts.ts';

/**
 * A variable that cannot be used. Its message is the one line that is printed at the start; it begins with the variable's
 * name.
 */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

const oneOf = <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number]) =>
  z.preprocess((value) => value || fallback, z.enum(values, `must be one of ${values.join(', ')}`));
const number = (min: number, max: number, fallback: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.preprocess(
    (value) => (value === '' || value === undefined ? fallback : Number(value)),
    z.number(error).min(min, error).max(max, error),
  );
};
const whole = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (value) => (value === '' || value === undefined ? fallback : Number(value)),
    z.number(error).int(error).min(min, error).max(max, error),
  );
};
const text = (fallback: string) => z.preprocess((value) => value || fallback, z.string());
const optionalText = z.preprocess((value) => value || undefined, z.string().optional());
const optionalEmail = z.preprocess((value) => value || undefined, z.email('must be a mail address').optional());
const flag = (fallback: boolean) =>
  z.preprocess(
    (value) => (value === '' || value === undefined ? String(fallback) : value),
    z.stringbool('must be true or false'),
  );
const list = z.preprocess(
  (value) =>
    String(value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  z.array(z.string()),
);
const httpAddress = (like: string) =>
  z.preprocess(
    (value) => (value ? String(value).replace(/\/+$/, '') : undefined),
    z.url({ protocol: /^https?$/, error: `must look like ${like}` }).optional(),
  );
/** The address of a server whose scheme browsers do not know. */
const serverAddress = (protocols: readonly string[], like: string) =>
  z.preprocess(
    (value) => value || undefined,
    z
      .string()
      .refine((value) => {
        const url = URL.canParse(value) ? new URL(value) : undefined;
        return url !== undefined && protocols.includes(url.protocol) && url.hostname !== '';
      }, `must look like ${like}`)
      .optional(),
  );

/** A host name or an IP address, without anything around it. */
const isHost = (value: string) => /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i.test(value) || isIP(value) !== 0;
const host = (fallback?: string) =>
  z.preprocess((value) => value || fallback, z.string().refine(isHost, 'must be the name or address of a host'));
const optionalHost = z.preprocess(
  (value) => value || undefined,
  z.string().refine(isHost, 'must be the name or address of a host').optional(),
);
/** Addresses, ranges, or the names for the usual ranges of proxies. */
const isProxy = (value: string) => {
  const [address = '', bits, ...rest] = value.split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
};

const giga = 1024 ** 3;

const variablesSchema = z.object({
  HOST: host('127.0.0.1'),
  PORT: whole(1, 65_535, 3000),
  DATA_DIR: text('.data').transform((folder) => path.resolve(folder)),
  DATABASE_URL: z.preprocess(
    (value) => value || undefined,
    z
      .string()
      .regex(/^postgres(ql)?:\/\/[^/]+\/.+/, 'must look like postgresql://user:password@host:5432/database')
      .optional(),
  ),
  REDIS_URL: serverAddress(['redis:', 'rediss:'], 'redis://host:6379'),
  PUBLIC_URL: httpAddress('https://print.example.com'),
  TRUST_PROXY: list.pipe(z.array(z.string().refine(isProxy, 'must be addresses like 10.0.0.1 or 10.0.0.0/8'))),
  CORS_ORIGINS: list.pipe(
    z.array(z.url({ protocol: /^https?$/, error: 'must be addresses like https://shop.example.com' })),
  ),
  RATE_LIMIT_FACTOR: whole(1, 1000, 1),
  OVERLOAD_DELAY_MS: whole(50, 600_000, 1000),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  APP_TITLE: text('pdf2press'),
  MAX_UPLOAD_BYTES: whole(1, 4 * giga, 4 * giga),
  PDF2PRESS_SECRET_KEY: z.preprocess(
    (value) => value || undefined,
    z.string().min(32, 'must have at least 32 characters').optional(),
  ),
  METRICS_TOKEN: z.preprocess(
    (value) => value || undefined,
    z.string().min(16, 'must have at least 16 characters').optional(),
  ),
  PDF2PRESS_ADMIN_EMAIL: optionalEmail,
  PDF2PRESS_ADMIN_PASSWORD: optionalText,
  CAPTCHA_PROVIDER: oneOf(['altcha', 'recaptcha', 'off'], 'altcha'),
  RECAPTCHA_SITE_KEY: optionalText,
  RECAPTCHA_SECRET_KEY: optionalText,
  OUTBOUND_ALLOWED_HOSTS: list.pipe(
    z.array(
      z
        .string()
        .refine((entry) => readAllowedHost(entry) !== null, 'must be hosts like mis.local or http://mis.local:8080'),
    ),
  ),
  SMTP_HOST: optionalHost,
  SMTP_PORT: whole(1, 65_535, 587),
  SMTP_USERNAME: text(' ').transform((name) => name.trim()),
  SMTP_PASSWORD: optionalText,
  SMTP_SENDER_EMAIL: optionalEmail,
  SMTP_ENABLE_SSL: flag(true),
  S3_ENDPOINT: httpAddress('https://s3.example.com'),
  S3_REGION: text('us-east-1'),
  S3_BUCKET: optionalText,
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  ARCHIVE_ENDPOINT: httpAddress('https://archive.example.com'),
  RELEASES_URL: httpAddress('https://releases.example.com/latest.json'),
  GOOGLE_CLIENT_ID: optionalText,
  GOOGLE_CLIENT_SECRET: optionalText,
  GOOGLE_ENDPOINT: httpAddress('https://www.googleapis.com'),
  MICROSOFT_CLIENT_ID: optionalText,
  MICROSOFT_CLIENT_SECRET: optionalText,
  MICROSOFT_ENDPOINT: httpAddress('https://graph.microsoft.us'),
  WORKER_SLOTS: whole(1, 256, availableParallelism()),
  PDF_TIME_FACTOR: number(0.01, 100, 1),
  PDF_ISOLATION: oneOf(['timer', 'limits', 'namespace', 'files', 'walls'], 'timer'),
  HOT_FOLDER_DIR: optionalText,
  DELIVERY_FOLDER_DIR: optionalText,
  HOT_FOLDER_STABLE_SECONDS: number(0, 3600, 4),
  HOT_FOLDER_POLL_SECONDS: number(0.1, 3600, 2),
  REMOTE_POLL_SECONDS: number(1, 3600, 30),
});

/** Every variable of the product. */
export const variableNames: readonly string[] = Object.keys(variablesSchema.shape);

export interface HouseEnv {
  host: string;
  port: number;
  dataDir: string;
  /** Undefined = `npm start` starts a Postgres of its own. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** The address of the product; links in mails begin with it, never with a Host header. */
  publicUrl: string;
  trustedProxies: string[];
  /** Origins of other sites whose pages may call the API with a token; cookies are never accepted from them. */
  corsOrigins: string[];
  logLevel: string;
  /** Multiplies the rate limits, for a company whose users share one IP address. */
  rateLimitFactor: number;
  /**
   * Event loop delay in milliseconds above which the API refuses requests without a session; above five times as many it
   * refuses all.
   */
  overloadDelay: number;
  title: string;
  maxUploadBytes: number;
  secretKey: string | undefined;
  /** What a program that collects metrics signs in with; undefined = none is served. */
  metricsToken: string | undefined;
  administrator: { email: string; password: string } | undefined;
  captcha: { provider: 'altcha' | 'recaptcha' | 'off'; siteKey?: string; secretKey?: string };
  /** What outgoing connections may reach although private addresses and unusual ports are blocked. */
  outboundAllowedHosts: AllowedHost[];
  smtp:
    | { host: string; port: number; username: string; password: string | null; senderEmail: string; enableSsl: boolean }
    | undefined;
  s3: { endpoint?: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined;
  /** The S3-compatible service that holds the subscribers' archives; undefined = Amazon S3, by region. */
  archiveEndpoint: string | undefined;
  /** Where it is asked for newer versions unless the settings name another address; undefined = only by the settings. */
  releasesUrl: string | undefined;
  /** The cloud services that the installation is registered at. */
  cloudApps: CloudApps;
  /** How many steps a worker runs at the same time. */
  slots: number;
  /** Multiplies the time limits of work on one PDF. */
  pdfTimeFactor: number;
  /** The least isolation of processes that open PDFs with which this installation starts (docs/security.md). */
  pdfIsolation: 'timer' | 'limits' | 'namespace' | 'files' | 'walls';
  /** Contains one folder for each workflow. */
  hotFolderDir: string;
  /** Contains the folders that files are delivered to. */
  deliveryFolderDir: string;
  /** A file is complete when its size and time have not changed for this long. */
  stableSeconds: number;
  pollSeconds: number;
  /** Seconds between two polls of a mailbox or a cloud folder. */
  remotePollSeconds: number;
}

/** The environment of an app, which starts after the database. */
export interface Env extends HouseEnv {
  databaseUrl: string;
}

type Variables = z.output<typeof variablesSchema>;

/** Whether a value may be shown in the message: not when it is a secret or an address that may contain one. */
const isShown = (name: string) => !/KEY|PASSWORD|SECRET|TOKEN|URL|ENDPOINT/.test(name);

function readVariables(source: NodeJS.ProcessEnv): Variables {
  const read = variablesSchema.safeParse(source);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = String(issue?.path[0]);
  const given = source[name] && isShown(name) ? `, not "${source[name]}"` : '';
  throw new EnvError(`${name} ${issue?.message}${given}.`);
}

/** For variables that must be set together: reports the first that is missing when another one is set. */
function demandTogether(values: Variables, names: readonly (keyof Variables)[]): void {
  const missing = names.find((name) => values[name] === undefined);
  const present = names.filter((name) => values[name] !== undefined);
  if (missing && present.length > 0)
    throw new EnvError(`${missing} is missing, because ${present.join(' and ')} is set.`);
}

function s3Of(values: Variables): HouseEnv['s3'] {
  demandTogether(values, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = values;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (endpoint && !bucket) throw new EnvError('S3_BUCKET is missing, because S3_ENDPOINT is set.');
  if (!bucket || !accessKeyId || !secretAccessKey) return undefined;
  return { ...(endpoint ? { endpoint } : {}), region: values.S3_REGION, bucket, accessKeyId, secretAccessKey };
}

function cloudAppsOf(values: Variables): CloudApps {
  demandTogether(values, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']);
  demandTogether(values, ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET']);
  const app = (clientId?: string, clientSecret?: string, endpoint?: string) =>
    clientId && clientSecret ? { clientId, clientSecret, endpoint } : undefined;
  const google = app(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET, values.GOOGLE_ENDPOINT);
  const microsoft = app(values.MICROSOFT_CLIENT_ID, values.MICROSOFT_CLIENT_SECRET, values.MICROSOFT_ENDPOINT);
  return { ...(google && { GoogleDrive: google }), ...(microsoft && { OneDrive: microsoft }) };
}

function smtpOf(values: Variables): HouseEnv['smtp'] {
  const { SMTP_HOST: host } = values;
  if (!host) return undefined;
  return {
    host,
    port: values.SMTP_PORT,
    username: values.SMTP_USERNAME,
    password: values.SMTP_PASSWORD ?? null,
    senderEmail: values.SMTP_SENDER_EMAIL ?? `pdf2press@${host}`,
    enableSsl: values.SMTP_ENABLE_SSL,
  };
}

function captchaOf(values: Variables): HouseEnv['captcha'] {
  const { CAPTCHA_PROVIDER: provider, RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET_KEY: secretKey } = values;
  if (provider === 'recaptcha' && !(siteKey && secretKey))
    throw new EnvError(
      `${siteKey ? 'RECAPTCHA_SECRET_KEY' : 'RECAPTCHA_SITE_KEY'} is missing, because CAPTCHA_PROVIDER is recaptcha.`,
    );
  return { provider, ...(siteKey ? { siteKey } : {}), ...(secretKey ? { secretKey } : {}) };
}

/**
 * Reads every variable of the product, whichever process asks, so that a wrong value is reported once, before anything
 * starts, and means the same everywhere.
 * @throws EnvError with one line naming the variable
 */
export function readHouseEnv(source: NodeJS.ProcessEnv = process.env): HouseEnv {
  const values = readVariables(source);
  demandTogether(values, ['PDF2PRESS_ADMIN_EMAIL', 'PDF2PRESS_ADMIN_PASSWORD']);
  const { PDF2PRESS_ADMIN_EMAIL: email, PDF2PRESS_ADMIN_PASSWORD: password } = values;
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    trustedProxies: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS.map((address) => new URL(address).origin),
    logLevel: values.LOG_LEVEL,
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    overloadDelay: values.OVERLOAD_DELAY_MS,
    title: values.APP_TITLE,
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    secretKey: values.PDF2PRESS_SECRET_KEY,
    metricsToken: values.METRICS_TOKEN,
    administrator: email && password ? { email, password } : undefined,
    captcha: captchaOf(values),
    outboundAllowedHosts: values.OUTBOUND_ALLOWED_HOSTS.flatMap((entry) => readAllowedHost(entry) ?? []),
    smtp: smtpOf(values),
    s3: s3Of(values),
    archiveEndpoint: values.ARCHIVE_ENDPOINT ?? values.S3_ENDPOINT,
    releasesUrl: values.RELEASES_URL,
    cloudApps: cloudAppsOf(values),
    slots: values.WORKER_SLOTS,
    pdfTimeFactor: values.PDF_TIME_FACTOR,
    pdfIsolation: values.PDF_ISOLATION,
    hotFolderDir: path.resolve(values.HOT_FOLDER_DIR ?? path.join(values.DATA_DIR, 'hot')),
    deliveryFolderDir: path.resolve(values.DELIVERY_FOLDER_DIR ?? path.join(values.DATA_DIR, 'out')),
    stableSeconds: values.HOT_FOLDER_STABLE_SECONDS,
    pollSeconds: values.HOT_FOLDER_POLL_SECONDS,
    remotePollSeconds: values.REMOTE_POLL_SECONDS,
  };
}

/** What an app reads when it starts. @throws EnvError with one line naming the variable */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const { databaseUrl, ...env } = readHouseEnv(source);
  if (!databaseUrl)
    throw new EnvError('DATABASE_URL is missing; npm start sets it, or point it at a Postgres of yours.');
  return { ...env, databaseUrl };
}
