import path from 'node:path';
import { repositoryRoot } from './house/root.ts';

/** What `start` reads of the environment; the apps check the rest themselves at their own boot. */
export interface StartEnv {
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
}

/** A variable with a value that cannot be used; its message is the one line that boot prints. */
export class EnvError extends Error {}

/** Reads the environment. Errors: `EnvError` naming the variable. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): StartEnv {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new EnvError(`PORT must be a whole number from 1 to 65535, not "${env.PORT}".`);
  }
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\/[^/]+\/.+/.test(databaseUrl)) {
    throw new EnvError('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
  }
  return { port, dataDir: path.resolve(repositoryRoot, env.DATA_DIR || '.data'), databaseUrl };
}
