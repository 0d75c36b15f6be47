import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a folder `pdf2press-<purpose>-…` in `place`, by default the system's temporary folder. Other accounts can enter it
 * but not list it: Postgres started by root runs under another account and must reach its data below.
 */
export function makeTemporaryFolder(purpose: string, place = os.tmpdir()): string {
  const folder = mkdtempSync(path.join(place, `pdf2press-${purpose}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Bytes that the files of all tests that run at once take at most, with room for the processes that run beside them. */
const roomForTests = 8 * 1024 ** 3;

/**
 * Where files of tests lie in memory, undefined where the system has no such place with room, or programs in it do not run.
 * Copying a database and making a new one take a tenth of the time there.
 */
export function memoryPlace(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const place = '/dev/shm';
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === place);
  const [, , kind, options = ''] = mount ?? [];
  if (kind !== 'tmpfs' || options.split(',').some((option) => ['noexec', 'ro'].includes(option))) return undefined;
  const { bavail, bsize } = statfsSync(place);
  return Math.min(bavail * bsize, os.freemem()) < roomForTests ? undefined : place;
}

/** Makes a folder in one of those, which other accounts can enter, too. */
export function makeFolderIn(folder: string, name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { mode: 0o711 });
  return made;
}
