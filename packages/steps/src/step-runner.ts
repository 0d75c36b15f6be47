import type { StepKind } from '@pdf2press/contract';
import type { TaskName, TaskProgress, TaskTable } from '@pdf2press/tasks';
import type { z } from 'zod';
import type { StepContext, StepContract, StepResult } from './step.ts';

export interface StepTools {
  /**
   * Work on a PDF, in a child process with limits. Nothing else opens one.
   * What the task writes lands in `folder`, below the step's work directory (default: that itself).
   * @throws FileFaultError with the codes of `fileFaults`
   */
  runTask<K extends TaskName>(
    task: K,
    params: TaskTable[K]['params'],
    options?: { folder?: string },
  ): Promise<TaskTable[K]['result']>;
  progress(progress: TaskProgress): void;
}

/** How a kind runs. Returning an outcome that the contract does not declare does not compile. */
export type StepRunner<C extends StepContract> =
  C extends StepContract<StepKind, infer S, infer O>
    ? (context: StepContext<z.output<S>>, tools: StepTools) => Promise<StepResult<O>>
    : never;
