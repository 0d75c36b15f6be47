import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { type Stack, startStack } from '../house/stack.ts';

/** Who may do all in it. */
export const administrator = { email: 'bench@pdf2press.test', password: 'Proof-4-Press!' };

export interface BenchStack {
  stack: Stack;
  /** Where it answers, by a number: looking up a name would be measured as well. */
  origin: string;
}

/** The whole product on a Postgres of its own and without Redis, with an administrator, for a benchmark. */
export async function startBenchStack(folder: string, env: Readonly<Record<string, string>> = {}): Promise<BenchStack> {
  const stack = await startStack({
    port: await freePort(),
    postgresPort: await freePort(),
    dataDir: path.join(folder, 'stack'),
    databaseUrl: undefined,
    env: {
      REDIS_URL: '',
      PDF2PRESS_ADMIN_EMAIL: administrator.email,
      PDF2PRESS_ADMIN_PASSWORD: administrator.password,
      ...env,
    },
  });
  return { stack, origin: stack.address.replace('localhost', '127.0.0.1') };
}
