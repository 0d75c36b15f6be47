import type { EngineDeps, ReleaseEnvironment } from '@pdf2press/engine';
import type { Env } from '@pdf2press/engine/env';
import type { InstanceKeys } from '@pdf2press/engine/secrets';
import type { MailEnvironment } from '@pdf2press/mail';
import type { Database } from '@pdf2press/prisma';
import type { Storage } from '@pdf2press/storage';
import type { FastifyBaseLogger } from 'fastify';
import type { CallerCache } from './auth/caller-cache.ts';
import type { Background } from './frame/background.ts';
import type { EventHub } from './sessions/event-hub.ts';
import type { ActiveUploads } from './uploads/active-uploads.ts';

/** Everything the API's functions are given first; built once per app. */
export interface ApiDeps {
  env: Env;
  db: Database;
  storage: Storage;
  engine: EngineDeps;
  keys: InstanceKeys;
  mail: MailEnvironment;
  /** How newer versions of the product are asked for. */
  releases: ReleaseEnvironment;
  callers: CallerCache;
  /** Multiplies every rate limit; 1 except in tests. */
  limitFactor: number;
  events: EventHub;
  background: Background;
  uploads: ActiveUploads;
  /** Where the copies of files lie while their passwords are taken off. */
  unlockFolder: string;
  /** Violations of the content security policy that browsers reported to this process. */
  cspReports: { count: number };
  /** Aborted when the process begins to stop, so that long answers end. */
  stopping: AbortSignal;
  log: FastifyBaseLogger;
  /** Shown to people; null when settings hide it. */
  version: string;
}
