import path from 'node:path';
import type { Locale, Unit } from '@pdf2press/contract';
import { type ImposeOutput, type ImposeResult, impose, problemSentences } from '@pdf2press/impose/run';
import type { PdfInput, Task } from './task.ts';
import type { Pictured, PicturesOf } from './thumbnails.ts';

export interface ImposeParams {
  inputs: PdfInput[];
  dieFile?: string;
  /** An imposition profile as stored. */
  profile: unknown;
  outputs: ImposeOutput[];
  variables?: Record<string, string>;
  /** Also return the warnings or problems as sentences. */
  tellIn?: { locale: Locale; unit: Unit };
  /** Also draw pictures of the sheets, where they are a PDF. */
  pictures?: PicturesOf;
}
export type { ImposeOutput, ImposeResult };

/** `sentences` are those of the warnings or problems, in their order, with `tellIn`. */
export type ImposeTold = Pictured<ImposeResult & { sentences?: string[] }>;

/** The name of the PDF with the sheets. */
const sheetsOf = ({ files }: Extract<ImposeResult, { ok: true }>): string | undefined =>
  files.find(({ output, name }) => output === 'output' && name.endsWith('.pdf'))?.name;

/** Imposes the pages of PDFs on sheets. */
export const run: Task<ImposeParams, ImposeTold> = async ({ tellIn, pictures, ...params }, tools) => {
  const result = await impose({
    ...params,
    workDir: tools.workDir,
    onSheet: (done, total) => {
      // A message to the parent process takes longer than a sheet.
      if (done % 100 === 0 || done === total) tools.progress({ phase: 'sheets', done, total });
    },
  });
  const problems = result.ok ? result.warnings : result.problems;
  const told = tellIn ? { ...result, sentences: await problemSentences(problems, tellIn) } : result;
  const made = result.ok ? sheetsOf(result) : undefined;
  if (!pictures || made === undefined) return told;
  const { withPictures } = await import('./thumbnails.ts');
  return withPictures(told, { of: { path: path.join(tools.workDir, made) }, pictures }, tools);
};
