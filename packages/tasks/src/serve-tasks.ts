import { FileFaultError } from '@pdf2press/contract/faults';
import { serveLimited } from '@pdf2press/pdf/serve-limited';
import type { TaskName, TaskTable } from './table.ts';
import type { Task, TaskProgress } from './task.ts';

type TaskOf<K extends TaskName> = Task<TaskTable[K]['params'], TaskTable[K]['result']>;

/** How a program loads the module of each of its tasks. */
export type TaskModules<K extends TaskName> = { readonly [N in K]: () => Promise<{ run: TaskOf<N> }> };

/**
 * Does the one task that this process is asked for, and ends the process. Another task than those of the program is the
 * fault INTERNAL.
 */
export const serveTasks = <K extends TaskName>(tasks: TaskModules<K>): Promise<never> =>
  serveLimited(async (request, tools) => {
    const { task, params } = request as { task: string; params: never };
    if (!Object.hasOwn(tasks, task)) throw new FileFaultError('INTERNAL', { task });
    const { run } = await tasks[task as K]();
    // runTask has typed the parameters by the task.
    return (run as Task<never, unknown>)(params, {
      workDir: process.cwd(),
      progress: (progress: TaskProgress) => tools.progress(progress),
      keep: tools.keep,
    });
  });
