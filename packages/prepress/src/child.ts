/** The only program a child process runs. Tasks are loaded one at a time, so that each starts with what it needs only. */
import { FileFaultError } from '@pdf2press/contract/faults';
import { serveLimited } from '@pdf2press/pdf/limited';
import type { TaskName, TaskTable } from './tasks/table.ts';
import type { Task, TaskProgress } from './tasks/task.ts';

type TaskOf<K extends TaskName> = Task<TaskTable[K]['params'], TaskTable[K]['result']>;

const tasks: { readonly [K in TaskName]: () => Promise<{ run: TaskOf<K> }> } = {
  fix: () => import('./tasks/fix.ts'),
  impose: () => import('./tasks/impose.ts'),
  inspect: () => import('./tasks/inspect.ts'),
  preflight: () => import('./tasks/preflight.ts'),
  plates: () => import('./tasks/plates.ts'),
  render: () => import('./tasks/render.ts'),
  report: () => import('./tasks/report.ts'),
  thumbnails: () => import('./tasks/thumbnails.ts'),
  tiles: () => import('./tasks/tiles.ts'),
};

await serveLimited(async (request, tools) => {
  const { task, params } = request as { task: string; params: never };
  if (!Object.hasOwn(tasks, task)) throw new FileFaultError('INTERNAL', { task });
  const { run } = await tasks[task as TaskName]();
  // The engine's own program, 10 MB as it was read from disk, has become garbage that nothing else would collect for long.
  globalThis.gc?.();
  // Which parameters belong to which task, the table has made sure of on the other side.
  return (run as Task<never, unknown>)(params, {
    workDir: process.cwd(),
    progress: (progress: TaskProgress) => tools.progress(progress),
  });
});
