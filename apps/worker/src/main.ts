import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deliverFile } from '@pdf2press/deliveries/runners';
import {
  deliveryAddress,
  effectRuns,
  guardedFetch,
  mailEnvironmentOf,
  readInstance,
  startAuditAnchors,
  startWorker,
} from '@pdf2press/engine';
import { startScheduledBackups } from '@pdf2press/engine/backup';
import { EnvError, readEnv } from '@pdf2press/engine/env';
import { limitStop, startPulse } from '@pdf2press/engine/pulse';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { currentTrace, startTracing, stopTracing } from '@pdf2press/engine/tracing';
import { createDatabase } from '@pdf2press/prisma';
import { deploy } from '@pdf2press/prisma/migrate';
import { demandStore, openStorage } from '@pdf2press/storage';
import { demandIsolation, IsolationError, readChildrenMemory } from '@pdf2press/tasks/isolation';
import { openWorkFolder } from '@pdf2press/tasks/work-folder';
import pino from 'pino';
import { createExecute } from './execute.ts';
import { version } from './version.ts';

const healthPeriod = 10_000;
/** EX_SOFTWARE: tells the supervisor to start the process again. */
const stuckCode = 70;

async function main(): Promise<void> {
  const env = readEnv();
  const logger = pino({ name: 'worker', level: env.logLevel, redact: ['*.password', '*.token', '*.secret'] });
  await startTracing({ service: 'pdf2press-worker', version, warn: (said) => logger.warn({ said }, 'traces.unsent') });
  const isolation = demandIsolation(env.pdfIsolation);
  // The process that starts first migrates; for a database that is current this costs one query.
  await deploy(env.databaseUrl);
  await demandStore(env.s3);
  const database = createDatabase(env.databaseUrl, {
    connections: Math.min(env.slots + 6, 30),
    trace: currentTrace,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection'),
  });
  const storage = openStorage(env, 'worker');
  const keys = await openInstanceKeys(env);
  const workFolder = await openWorkFolder(path.join(env.dataDir, 'work'));
  const deps = {
    database,
    storage,
    app: { title: env.title, baseUrl: env.publicUrl },
    log: ({
      level,
      event,
      data,
      error,
    }: {
      level: 'info' | 'warn' | 'error';
      event: string;
      data?: object;
      error?: unknown;
    }) => logger[level]({ ...data, ...(error !== undefined && { err: error }) }, event),
  };
  const { execute, ...makers } = createExecute({
    timeFactor: env.pdfTimeFactor,
    log: deps.log,
  });
  const doorbell = env.redisUrl
    ? ({ kind: 'redis', url: env.redisUrl } as const)
    : ({ kind: 'postgres', url: env.databaseUrl } as const);
  const mailer = { keys, environment: mailEnvironmentOf(env), title: env.title, baseUrl: env.publicUrl };
  const worker = await startWorker(deps, {
    databaseUrl: env.databaseUrl,
    instance: await readInstance(database),
    doorbell,
    slots: env.slots,
    execute,
    effects: effectRuns(deps, {
      workFolder,
      ...makers,
      certificate: { ...makers, keys },
      mail: mailer,
      webhook: { keys, allowedHosts: env.outboundAllowedHosts },
      delivery: {
        keys,
        root: env.deliveryFolderDir,
        addressOf: deliveryAddress(env.outboundAllowedHosts),
        fetch: guardedFetch(env.outboundAllowedHosts),
        cloudApps: env.cloudApps,
        deliverFile,
        mailer,
      },
      fetching: { fetch: guardedFetch(env.outboundAllowedHosts), maxBytes: env.maxUploadBytes },
      archive: { keys, endpoint: env.archiveEndpoint, cacheFolder: path.join(env.dataDir, 'cache', 'archive') },
    }),
    onStuck: () => process.exit(stuckCode),
    workFolder,
    engineVersion: version,
  });
  const healthFile = path.join(env.dataDir, 'run', `worker-${process.pid}.json`);
  await mkdir(path.dirname(healthFile), { recursive: true });
  /**
   * For supervisors that read files: its time shows that the process lives, its content how it is. It takes its name when
   * it is whole, so that no reader finds half of it.
   */
  const writeHealth = async () => {
    try {
      const state = { ...worker.state(), isolation, children: readChildrenMemory() };
      await writeFile(`${healthFile}.new`, JSON.stringify(state));
      await rename(`${healthFile}.new`, healthFile);
    } catch (error) {
      logger.warn({ err: error }, 'worker.health');
    }
  };
  const backups = startScheduledBackups(deps, { url: env.databaseUrl, env });
  const anchors = startAuditAnchors(deps, keys);
  startPulse();
  await writeHealth();
  const health = setInterval(writeHealth, healthPeriod);
  logger[isolation.gaps.length > 0 ? 'warn' : 'info']({ isolation }, 'pdf.isolation');
  logger.info({ slots: env.slots, doorbell: doorbell.kind, version }, 'worker.started');

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'worker.stopping');
    limitStop((afterMs) => logger.error({ afterMs }, 'worker.stop'));
    clearInterval(health);
    try {
      await Promise.all([backups.stop(), anchors.stop()]);
      await worker.stop();
      await database.close();
      await stopTracing();
      await Promise.all([rm(healthFile, { force: true }), rm(workFolder, { recursive: true, force: true })]);
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'worker.stop');
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

main().catch((error: unknown) => {
  // One line for an error that a person can correct; a stack for a fault of this program.
  process.stderr.write(
    error instanceof EnvError || error instanceof IsolationError
      ? `${error.message}\n`
      : `worker: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`,
  );
  process.exit(1);
});
