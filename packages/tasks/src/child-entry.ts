import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quickTasks } from './quick-tasks.ts';
import type { TaskName } from './table.ts';

/** A file of the build of a package; looking packages up by name would take longer than all else of a start. */
const built = (name: string, file: string): string =>
  fileURLToPath(new URL(`../../${name}/dist/${file}`, import.meta.url));

/** Modification time of a file in milliseconds; 0 if it does not exist. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The packages whose code a child runs. */
const parts = ['contract', 'settings', 'pdf', 'preflight', 'fix', 'impose', 'tasks'];

const isQuick = (task: TaskName): boolean => quickTasks.some((quick) => quick === task);

/**
 * Path of the program of the child process for a task: the bundle that the build makes (`bundle.mjs`). If a package was
 * compiled after the bundle was made, the path of the compiled modules.
 */
export function childEntry(task: TaskName): string {
  const [bundled, compiled] = isQuick(task) ? ['quick/quick.cjs', 'quick-child.js'] : ['child/child.cjs', 'child.js'];
  const joined = built('tasks', bundled);
  const compiledAt = parts.map((part) => writtenAt(built(part, '.tsbuildinfo')));
  return writtenAt(joined) >= Math.max(...compiledAt) ? joined : built('tasks', compiled);
}
