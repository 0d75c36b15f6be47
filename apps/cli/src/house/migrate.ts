import { EnvError } from '@pdf2press/engine/env';
import { deploy } from '@pdf2press/prisma/migrate';
import { readStartEnv } from './house-env.ts';

/** `pdf2press migrate`: brings the database of DATABASE_URL up to date; for production, where apps run by themselves. */
export async function migrate(): Promise<number> {
  try {
    const { databaseUrl } = readStartEnv();
    if (!databaseUrl) throw new EnvError('DATABASE_URL must name the database to migrate.');
    const applied = await deploy(databaseUrl);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return error instanceof EnvError ? 2 : 1;
  }
}
