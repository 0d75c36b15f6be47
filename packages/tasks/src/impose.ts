import type { Locale, Unit } from '@pdf2press/contract';
import { type ImposeOutput, type ImposeResult, impose, problemSentences } from '@pdf2press/impose/run';
import type { PdfInput, Task } from './task.ts';

export interface ImposeParams {
  inputs: PdfInput[];
  dieFile?: string;
  /** An imposition profile as stored. */
  profile: unknown;
  outputs: ImposeOutput[];
  variables?: Record<string, string>;
  /** Also return the warnings or problems as sentences. */
  tellIn?: { locale: Locale; unit: Unit };
}
export type { ImposeOutput, ImposeResult };

/** `sentences` are those of the warnings or problems, in their order, with `tellIn`. */
export type ImposeTold = ImposeResult & { sentences?: string[] };

/** Imposes the pages of PDFs on sheets. */
export const run: Task<ImposeParams, ImposeTold> = async ({ tellIn, ...params }, tools) => {
  const result = await impose({
    ...params,
    workDir: tools.workDir,
    onSheet: (done, total) => {
      // A message to the parent process takes longer than a sheet.
      if (done % 100 === 0 || done === total) tools.progress({ phase: 'sheets', done, total });
    },
  });
  if (!tellIn) return result;
  return { ...result, sentences: await problemSentences(result.ok ? result.warnings : result.problems, tellIn) };
};
