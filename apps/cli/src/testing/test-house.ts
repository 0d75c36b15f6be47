import { readFileSync, rmSync } from 'node:fs';
import { freePort } from '@pdf2press/config/free-port';
import { type Stack, startStack } from '../house/stack.ts';
import { makeTemporaryFolder } from '../house/temporary-folder.ts';
import { type HouseClient, openHouse } from './house-client.ts';

export const administrator = { email: 'admin@pdf2press.test', password: 'Proof-4-Press!' };

/** Variables for every product under test: many tests run at once on a busy machine, all from one address. */
export const testVariables: Record<string, string> = {
  REDIS_URL: '',
  S3_BUCKET: '',
  PDF2PRESS_ADMIN_EMAIL: administrator.email,
  PDF2PRESS_ADMIN_PASSWORD: administrator.password,
  RATE_LIMIT_FACTOR: '100',
  OVERLOAD_DELAY_MS: '600000',
};

export interface House {
  stack: Stack;
  client: HouseClient;
  folder: string;
  stop: () => Promise<void>;
}

/** The processes that `npm start` runs, on a folder of their own. */
export async function startHouse(env: Record<string, string> = {}): Promise<House> {
  const folder = makeTemporaryFolder('house');
  const stack = await startStack({
    port: await freePort(),
    postgresPort: await freePort(),
    dataDir: folder,
    databaseUrl: undefined,
    isDurable: false,
    silence: 15_000,
    env: { ...testVariables, ...env },
  });
  return {
    stack,
    folder,
    client: await openHouse(stack.address.replace('localhost', '127.0.0.1'), administrator, { isNew: true }),
    stop: async () => {
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function pidOf(house: House, name: string): number {
  const pid = house.stack.apps.find((app) => app.name === name)?.pid;
  if (!pid) throw new Error(`${name} does not run`);
  return pid;
}

/** The process below `parent` whose command line holds `words`; needs /proc. */
export function pidBelow(parent: number, words: string): number {
  const below = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number);
  const found = below.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words));
  if (!found) throw new Error(`${words} does not run`);
  return found;
}
