import type { FixReport, Locale, PreflightReport } from '@pdf2press/contract';
import { createCopyAhead } from '../fix/copy-ahead.ts';
import type { Variables } from '../preflight/expression.ts';
import type { PdfInput, Task } from './task.ts';

export interface FixParams extends PdfInput {
  /** What log and slug lines call the file. */
  fileName: string;
  /** A fix profile as stored or given; lengths may be texts with units. */
  profile: unknown;
  profileId?: string | null;
  profileVersion?: number | null;
  /** Where the changed file goes, absolute; it appears complete or not at all. */
  out: string;
  preflightReport?: PreflightReport | null;
  variables?: Variables;
  /** Say what was done in this language, too: here its words are loaded, where it is asked for they may not be. */
  tellIn?: Locale;
}

/** With what was done as sentences, where a language was named. */
export type FixResult = FixReport & { lines?: string[] };

export const run: Task<FixParams, FixResult> = async ({ profile, tellIn, ...params }, tools) => {
  const copies = createCopyAhead(tools.workDir);
  // The system copies while the engine, the actions and their words are being loaded.
  copies.begin(params.path);
  const { fixPdf } = await import('../fix/fix.ts');
  const { readFixProfile } = await import('../fix/profile.ts');
  const { fixReportLines } = await import('../fix/sentences.ts');
  const read = readFixProfile(profile);
  const report = await fixPdf({
    ...params,
    profile: read,
    workDir: tools.workDir,
    copies,
    onProgress: ({ action, done, total }) => tools.progress({ phase: action, done, total }),
  });
  return tellIn === undefined ? report : { ...report, lines: fixReportLines(report, tellIn, read.unit) };
};
