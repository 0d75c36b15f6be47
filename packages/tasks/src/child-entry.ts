import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Modification time of a file in milliseconds; 0 if it does not exist. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Path of the program of a child process: the bundle that the build makes (`bundle.mjs`). If a package was compiled after
 * the bundle was made, the path of the compiled modules.
 */
export function childEntry(): string {
  const joined = resolve('@pdf2press/tasks/joined-child');
  const parts = ['contract/faults', 'pdf', 'preflight/run', 'fix/run', 'impose/run', 'tasks/child'].map((door) =>
    resolve(`@pdf2press/${door}`),
  );
  const compiledAt = parts.map((part) => writtenAt(part.replace(/(?<=[\\/]dist[\\/]).*/, '.tsbuildinfo')));
  return writtenAt(joined) >= Math.max(...compiledAt) ? joined : resolve('@pdf2press/tasks/child');
}
