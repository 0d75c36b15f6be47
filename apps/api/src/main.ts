import { EnvError, readEnv } from '@pdf2press/engine/env';
import { limitStop, startPulse } from '@pdf2press/engine/pulse';
import { checkSentinel, SecretError } from '@pdf2press/engine/secrets';
import { startTracing, stopTracing } from '@pdf2press/engine/tracing';
import { deploy } from '@pdf2press/prisma/migrate';
import { demandStore } from '@pdf2press/storage';
import { demandIsolation, IsolationError } from '@pdf2press/tasks/isolation';
import pino from 'pino';
import { build } from './build.ts';
import { createDeps } from './create-deps.ts';
import { prepareSetUp } from './setup/set-up.ts';
import { startSweeps } from './sweeps.ts';
import { version } from './version.ts';

/** Milliseconds for requests under way when the process is told to stop. */
const graceMs = 25_000;

const secretPaths = ['password', 'token', 'secret', 'authorization', 'cookie'].flatMap((name) => [name, `*.${name}`]);

async function main(): Promise<void> {
  const env = readEnv();
  const log = pino({ name: 'api', level: env.logLevel, redact: secretPaths });
  await startTracing({ service: 'pdf2press-api', version, warn: (said) => log.warn({ said }, 'traces.unsent') });
  const isolation = demandIsolation(env.pdfIsolation);
  log[isolation.gaps.length > 0 ? 'warn' : 'info']({ isolation }, 'pdf.isolation');
  await deploy(env.databaseUrl);
  await demandStore(env.s3);
  const { deps, stop, close } = await createDeps(env, log, { limitFactor: env.rateLimitFactor });
  await deps.db.asHost((tx) => checkSentinel(tx, deps.keys));
  const link = await prepareSetUp(deps);
  const app = await build(deps);
  await app.listen({ host: env.host, port: env.port });
  startPulse();
  const endSweeps = startSweeps(deps);
  // A plain line instead of a log entry: it is for the person at the terminal and must not be stored.
  if (link) process.stdout.write(`Make the first administrator: ${link}\n`);
  log.info({ host: env.host, port: env.port, version: deps.version }, 'api.started');

  let isStopping = false;
  const end = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    (async () => {
      log.info({ signal }, 'api.stopping');
      limitStop((afterMs) => log.error({ afterMs }, 'api.stop'));
      await endSweeps();
      stop();
      const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close();
      clearTimeout(late);
      await close();
      await stopTracing();
      log.info('api.stopped');
      process.exit(0);
    })().catch((error: unknown) => {
      log.error({ err: error }, 'api.stop');
      process.exit(1);
    });
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
}

const lineFor = (error: unknown): string => {
  if (error instanceof EnvError || error instanceof IsolationError) return error.message;
  if (error instanceof SecretError)
    return 'PDF2PRESS_SECRET_KEY (or instance.key in DATA_DIR) is not the key this database was written with.';
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'PORT is in use by another program.';
  // Those of the database's client begin with an empty line.
  return `api: ${error instanceof Error ? error.message.trim().split('\n')[0] : String(error)}`;
};

main().catch((error: unknown) => {
  process.stderr.write(`${lineFor(error)}\n`);
  process.exit(1);
});
