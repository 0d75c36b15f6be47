import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Makes a folder for this process below `parent`, in which steps write; folders of processes that died are removed. */
export async function openWorkFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const pid = Number(name);
    if (pid === process.pid || !isAlive(pid)) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const folder = path.join(parent, String(process.pid));
  await mkdir(folder, { recursive: true });
  return folder;
}
