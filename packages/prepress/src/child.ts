/** The only program a child process runs. Tasks are loaded one at a time, so that each starts with what it needs only. */
import { FileFaultError } from '@pdf2press/contract';
import { serveLimited } from '@pdf2press/pdf/limited';
import type { TaskName, TaskProgress, TaskTools } from './tasks/task.ts';

type AnyTask = (params: never, tools: TaskTools) => Promise<unknown>;

const tasks: { readonly [K in TaskName]: () => Promise<{ run: AnyTask }> } = {
  fix: () => import('./tasks/fix.ts'),
  impose: () => import('./tasks/impose.ts'),
  inspect: () => import('./tasks/inspect.ts'),
  preflight: () => import('./tasks/preflight.ts'),
  plates: () => import('./tasks/plates.ts'),
  render: () => import('./tasks/render.ts'),
  thumbnails: () => import('./tasks/thumbnails.ts'),
  tiles: () => import('./tasks/tiles.ts'),
};

await serveLimited(async (request, tools) => {
  const { task, params } = request as { task: string; params: never };
  if (!Object.hasOwn(tasks, task)) throw new FileFaultError('INTERNAL', { task });
  const { run } = await tasks[task as TaskName]();
  return run(params, {
    workDir: process.cwd(),
    progress: (progress: TaskProgress) => tools.progress(progress),
  });
});
