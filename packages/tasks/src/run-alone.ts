import { defaultLimits, type Limits, runLimited } from '@pdf2press/pdf/limited';
import { childEntry } from './child-entry.ts';
import type { TaskName, TaskTable } from './table.ts';
import { filesOf } from './task-files.ts';

export interface Alone {
  /** Existing directory; the caller removes it. */
  workDir: string;
  signal?: AbortSignal;
  /** Multiplies the time limits, for slow machines. */
  timeFactor?: number;
}

/** Runs one of the tasks that the API starts itself, in a child process with limits, while somebody waits for it. */
export async function runAlone<K extends TaskName>(
  task: K,
  params: TaskTable[K]['params'],
  own: Partial<Limits>,
  { workDir, signal, timeFactor = 1 }: Alone,
): Promise<TaskTable[K]['result']> {
  const { wallMs, cpuSeconds, ...limits } = { ...defaultLimits, ...own };
  const answer = await runLimited({
    entry: childEntry(task),
    request: { task, params },
    name: task,
    workDir,
    ...filesOf(task, params),
    isUrgent: true,
    limits: { ...limits, wallMs: wallMs * timeFactor, cpuSeconds: Math.ceil(cpuSeconds * timeFactor) },
    ...(signal && { signal }),
  });
  // The child is of the same build, so its result has the type of the table.
  return answer as TaskTable[K]['result'];
}
