/** Work directories, and those of commands that were killed outright: the next one that works in the same place clears them. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const prefix = '.pdf2press-';
/** Who works in a directory is in its name. A machine's name may be anything; here it is part of a file's. */
const host = os.hostname().replace(/[^\w.]/g, '_');
const dayMs = 86_400_000;

/** A new directory in `parent` that tells whose it is. */
export const makeWorkDir = (parent: string): Promise<string> =>
  mkdtemp(path.join(parent, `${prefix}${host}-${process.pid}-`));

/**
 * Removes work directories that nobody works in any more: whose process of this machine is gone, or that are days old,
 * longer than any command takes. What cannot be removed is another's to remove.
 */
export async function clearLeftOvers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const directory = path.join(parent, name);
    if (!(await isLeftOver(directory, name))) continue;
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftOver(directory: string, name: string): Promise<boolean> {
  const owner = /^(.*)-(\d+)-[^-]{6}$/.exec(name.slice(prefix.length));
  if (owner?.[1] === host && !isRunning(Number(owner[2]))) return true;
  const facts = await stat(directory).catch(() => null);
  return facts?.isDirectory() === true && Date.now() - facts.mtimeMs > dayMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
