import path from 'node:path';
import { type EngineDeps, listPolledSources, repeat } from '@pdf2press/engine';
import { createDatabase } from '@pdf2press/prisma';
import { deploy } from '@pdf2press/prisma/migrate';
import { openDiskStorage, openS3Storage } from '@pdf2press/storage';
import pino from 'pino';
import { EnvError, readEnv } from './env.ts';
import { takeFiles } from './take-files.ts';

async function main(): Promise<void> {
  const env = readEnv();
  const logger = pino({ name: 'intake', level: env.logLevel, redact: ['*.password', '*.token', '*.secret'] });
  await deploy(env.databaseUrl);
  const database = createDatabase(env.databaseUrl, {
    connections: 4,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection'),
  });
  const storage = env.s3
    ? openS3Storage({ ...env.s3, cacheFolder: path.join(env.dataDir, 'cache', 'intake') })
    : openDiskStorage({ folder: env.dataDir });
  const log: EngineDeps['log'] = ({ level, event, data, error }) => logger[level]({ ...data, ...(error !== undefined && { err: error }) }, event);
  const deps: EngineDeps = { database, storage, log };

  /** Below this share of the volume new files wait where they are. */
  const minFreeShare = 0.1;
  async function hasRoom(): Promise<boolean> {
    const room = await storage.room();
    return !room || room.freeBytes / room.totalBytes >= minFreeShare || room.freeBytes > 20 * 1024 ** 3;
  }

  async function look(): Promise<void> {
    if (!(await hasRoom())) return void logger.warn('intake.noRoom');
    for (const source of await listPolledSources(deps)) {
      // One place that cannot be read keeps none of the others waiting.
      await takeFiles(deps, source, env).catch((error: unknown) => logger.warn({ err: error, source: source.id }, 'intake.source'));
    }
  }
  const looker = repeat(look, env.pollSeconds * 1000, (error) => logger.warn({ err: error }, 'intake.look'));
  logger.info({ hotFolders: env.hotFolders }, 'intake.started');

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'intake.stopping');
    await looker.stop();
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

main().catch((error: unknown) => {
  // One line for what a person can put right; the stack is for us.
  process.stderr.write(error instanceof EnvError ? `${error.message}\n` : `intake: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`);
  process.exit(1);
});
