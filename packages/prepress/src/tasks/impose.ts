import { type ImposeOutput, type ImposeResult, impose } from '../impose/impose.ts';
import type { PdfInput, Task } from './task.ts';

export interface ImposeParams {
  inputs: PdfInput[];
  dieFile?: string;
  /** As stored. */
  profile: unknown;
  outputs: ImposeOutput[];
  variables?: Record<string, string>;
}
export type { ImposeOutput, ImposeResult };

/** Puts pages on sheets. */
export const run: Task<ImposeParams, ImposeResult> = (params, tools) =>
  impose({
    ...params,
    workDir: tools.workDir,
    onSheet: (done, total) => {
      // A message per sheet would cost more than the sheet.
      if (done % 100 === 0 || done === total) tools.progress({ phase: 'sheets', done, total });
    },
  });
