import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { EnvError, type HouseEnv } from '@pdf2press/engine/env';
import { BackupError } from '@pdf2press/prisma/backup';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '@pdf2press/prisma/embedded';
import { HelpAsked, UsageError } from '../../commands/file-work.ts';
import { claimFolder } from '../stack.ts';

/** Where the embedded Postgres keeps its cluster. */
export const clusterOf = ({ dataDir }: Pick<HouseEnv, 'dataDir'>): string => path.join(dataDir, 'postgres');

/**
 * Runs work with the installation's database: that of DATABASE_URL, the embedded one of the product that runs, or the
 * embedded one started for the work.
 * @throws BootError where the product is about to start on the data folder
 */
export async function withDatabase<T>(
  env: HouseEnv,
  { isNew }: { isNew: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const folder = clusterOf(env);
  const running = env.databaseUrl ?? runningEmbeddedPostgres(folder);
  if (running) return work(running);
  if (!isNew && !existsSync(folder)) throw new BackupError(`There is no database in ${env.dataDir}.`);
  const release = claimFolder(env.dataDir);
  try {
    const postgres = await startEmbeddedPostgres({
      folder,
      port: await freePort(),
      logFile: path.join(env.dataDir, 'logs', 'postgres.log'),
      ownsFolder: true,
    });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    release();
  }
}

/** Turns what the two commands throw into a sentence and an exit code: 2 for a wrong call, else 1. */
export async function tellingErrors(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof HelpAsked) {
      console.log(error.message);
      return 0;
    }
    console.error(error.message);
    return error instanceof EnvError || error instanceof UsageError ? 2 : 1;
  }
}
