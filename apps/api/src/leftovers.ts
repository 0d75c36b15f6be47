import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Nothing that is still written to is that old: every write renews a file's time. */
const oldMs = 24 * 3_600_000;

/** Folders below the data folder in which processes keep files of their own for a while. */
async function passing(dataDir: string): Promise<string[]> {
  const caches = await readdir(path.join(dataDir, 'cache')).catch(() => []);
  return [
    path.join(dataDir, 'tmp'),
    path.join(dataDir, 'run'),
    ...caches.map((app) => path.join(dataDir, 'cache', app, 'tmp')),
  ];
}

/**
 * Removes what processes that were killed left behind: bytes of files that were coming in, and the state of workers.
 * Resolves to how many files.
 */
export async function sweepLeftovers(dataDir: string): Promise<number> {
  let removed = 0;
  for (const folder of await passing(dataDir)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => undefined);
      if (!found?.isFile() || Date.now() - found.mtimeMs < oldMs) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}
