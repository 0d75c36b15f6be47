import { EnvError, readEnv } from '@pdf2press/engine/env';
import { limitStop, startPulse } from '@pdf2press/engine/pulse';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { currentTrace, startTracing, stopTracing } from '@pdf2press/engine/tracing';
import { createDatabase } from '@pdf2press/prisma';
import { deploy } from '@pdf2press/prisma/migrate';
import { polledSources } from '@pdf2press/sources/runners';
import { demandStore, openStorage } from '@pdf2press/storage';
import pino from 'pino';
import { cloudFolders } from './cloud-folders.ts';
import { defaultTiming, type IntakeDeps } from './deps.ts';
import { hotFolders } from './hot-folders.ts';
import { mailboxes } from './mailboxes.ts';
import { namedSources } from './named-sources.ts';
import { runIntake } from './run-intake.ts';
import { version } from './version.ts';

async function main(): Promise<void> {
  const env = readEnv();
  const log = pino({ name: 'intake', level: env.logLevel, redact: ['*.password', '*.token', '*.secret'] });
  await startTracing({ service: 'pdf2press-intake', version, warn: (said) => log.warn({ said }, 'traces.unsent') });
  await deploy(env.databaseUrl);
  await demandStore(env.s3);
  const db = createDatabase(env.databaseUrl, {
    connections: 8,
    trace: currentTrace,
    onConnectionError: (error) => log.warn({ err: error }, 'database.connection'),
  });
  const storage = openStorage(env, 'intake');
  const deps: IntakeDeps = {
    env,
    db,
    log,
    engine: { database: db, storage },
    keys: await openInstanceKeys(env),
    sources: polledSources,
    timing: defaultTiming,
  };
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  stopping.signal.addEventListener('abort', () => limitStop((afterMs) => log.error({ afterMs }, 'intake.stop')));
  startPulse();
  log.info({ hotFolderDir: env.hotFolderDir }, 'intake.started');
  const lists = [hotFolders, namedSources, mailboxes, cloudFolders].map((list) => () => list(deps));
  await runIntake(deps, lists, stopping.signal);
  await db.close();
  await stopTracing();
  log.info('intake.stopped');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(
      error instanceof EnvError
        ? `${error.message}\n`
        : `intake: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`,
    );
    process.exit(1);
  },
);
