import { type ImposeOutput, type ImposeResult, impose } from '@pdf2press/impose/run';
import type { PdfInput, Task } from './task.ts';

export interface ImposeParams {
  inputs: PdfInput[];
  dieFile?: string;
  /** An imposition profile as stored. */
  profile: unknown;
  outputs: ImposeOutput[];
  variables?: Record<string, string>;
}
export type { ImposeOutput, ImposeResult };

/** Imposes the pages of PDFs on sheets. */
export const run: Task<ImposeParams, ImposeResult> = (params, tools) =>
  impose({
    ...params,
    workDir: tools.workDir,
    onSheet: (done, total) => {
      // A message to the parent process takes longer than a sheet.
      if (done % 100 === 0 || done === total) tools.progress({ phase: 'sheets', done, total });
    },
  });
