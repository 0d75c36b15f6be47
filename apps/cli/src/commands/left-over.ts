/** Work directories. Those of commands that were killed are removed by the next command that works in the same place. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const prefix = '.pdf2press-';
/** The directory's name tells machine and process; characters that file names cannot hold are replaced. */
const host = os.hostname().replace(/[^\w.]/g, '_');
const dayMs = 86_400_000;

/** Makes a directory in `parent` whose name tells its process. */
export const makeWorkDir = (parent: string): Promise<string> =>
  mkdtemp(path.join(parent, `${prefix}${host}-${process.pid}-`));

/**
 * Removes work directories whose process on this machine is gone, or that are older than any command takes. Those that
 * cannot be removed belong to another user and stay.
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
    // EPERM: the process belongs to another user and exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
