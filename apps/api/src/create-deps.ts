import path from 'node:path';
import { guardedFetch, mailEnvironmentOf } from '@pdf2press/engine';
import type { Env } from '@pdf2press/engine/env';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { currentTrace } from '@pdf2press/engine/tracing';
import { createDatabase } from '@pdf2press/prisma';
import { openStorage } from '@pdf2press/storage';
import { openWorkFolder } from '@pdf2press/tasks/work-folder';
import type { FastifyBaseLogger } from 'fastify';
import { createCallerCache } from './auth/caller-cache.ts';
import type { ApiDeps } from './deps.ts';
import { createBackground } from './frame/background.ts';
import { isWriting } from './frame/writes.ts';
import { createEventHub } from './sessions/event-hub.ts';
import { createActiveUploads } from './uploads/active-uploads.ts';
import { version } from './version.ts';

/** Opens database, storage and the other dependencies of the app. Call `close` after the app is closed. */
export async function createDeps(
  env: Env,
  log: FastifyBaseLogger,
  { limitFactor = 1, patience }: { limitFactor?: number; patience?: number } = {},
): Promise<{ deps: ApiDeps; stop: () => void; close: () => Promise<void> }> {
  const db = createDatabase(env.databaseUrl, {
    ...(patience !== undefined && { patience }),
    trace: currentTrace,
    isFirst: isWriting,
    onConnectionError: (error) => log.warn({ err: error }, 'database connection broke'),
  });
  const storage = openStorage(env, 'api');
  const stopping = new AbortController();
  const background = createBackground(log);
  const events = createEventHub(env.databaseUrl, db, log);
  const deps: ApiDeps = {
    env,
    db,
    storage,
    engine: {
      database: db,
      storage,
      app: { title: env.title, baseUrl: env.publicUrl },
      version,
      log: ({ level, event, data, error }) => log[level]({ ...data, err: error }, event),
    },
    keys: await openInstanceKeys({ dataDir: env.dataDir, secretKey: env.secretKey }),
    mail: mailEnvironmentOf(env),
    releases: { fetch: guardedFetch(env.outboundAllowedHosts), usualAddress: env.releasesUrl },
    callers: createCallerCache(db),
    limitFactor,
    events,
    background,
    uploads: createActiveUploads(),
    unlockFolder: await openWorkFolder(path.join(env.dataDir, 'unlock')),
    cspReports: { count: 0 },
    stopping: stopping.signal,
    log,
    version,
  };
  return {
    deps,
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort();
      await background.idle();
      await events.close();
      await db.close();
    },
  };
}
