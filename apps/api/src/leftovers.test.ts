import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sweepLeftovers } from './leftovers.ts';

test('what killed processes left is removed after a day; what is in use and what is stored stays', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-leftovers-'));
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
  const make = async (name: string, isOld: boolean) => {
    const file = path.join(dataDir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'x');
    if (isOld) await utimes(file, twoDaysAgo, twoDaysAgo);
  };
  try {
    await make('tmp/killed', true);
    await make('tmp/coming', false);
    await make('run/worker-1.json', true);
    await make('run/worker-2.json', false);
    await make('cache/worker/tmp/killed', true);
    await make('cache/worker/cache/kept', true);
    await make('blobs/sub/ab/kept', true);
    expect(await sweepLeftovers(dataDir)).toBe(3);
    const left = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(
      left
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['coming', 'kept', 'kept', 'worker-2.json']);
    expect(await sweepLeftovers(path.join(dataDir, 'nowhere'))).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
