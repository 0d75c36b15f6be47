import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Runs work in a folder of its own for one try of an effect, and removes the folder however the work ended. */
export async function withEffectFolder<T>(
  workFolder: string,
  effect: { id: string; epoch: number },
  work: (workDir: string) => Promise<T>,
): Promise<T> {
  const workDir = path.join(workFolder, `${effect.id}-${effect.epoch}`);
  await mkdir(workDir, { recursive: true });
  try {
    return await work(workDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
