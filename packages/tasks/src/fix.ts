import type { FixReport, Locale, PreflightReport } from '@pdf2press/contract';
import { createCopyAhead } from '@pdf2press/fix/copy-ahead';
import type { Variables } from '@pdf2press/settings';
import type { PdfInput, Task } from './task.ts';
import type { Pictured, PicturesOf } from './thumbnails.ts';

export interface FixParams extends PdfInput {
  /** Name of the file in the report and in slug lines. */
  fileName: string;
  /** A fix profile as JSON; lengths are points or texts with a unit. Validated here. */
  profile: unknown;
  profileId?: string | null;
  profileVersion?: number | null;
  /** Absolute path of the changed file; it is written completely or not at all. */
  out: string;
  preflightReport?: PreflightReport | null;
  variables?: Variables;
  /** Absolute paths of fonts that may be embedded. */
  fonts?: string[];
  /** Also return the report as sentences in this language. */
  tellIn?: Locale;
  /** Also draw pictures of the changed file. */
  pictures?: PicturesOf;
}

/** `lines` are the sentences of the report, with `tellIn`. */
export type FixResult = Pictured<FixReport & { lines?: string[] }>;

/** Applies a fix profile to a PDF. @throws FileFaultError SETTINGS_INVALID for an invalid profile; PDF_* for the file */
export const run: Task<FixParams, FixResult> = async ({ profile, tellIn, pictures, ...params }, tools) => {
  const copies = createCopyAhead(tools.workDir);
  // The file is copied while the modules are imported.
  copies.begin(params.path);
  const { fixPdf, fixReportLines, readFixProfile } = await import('@pdf2press/fix/run');
  const read = readFixProfile(profile);
  const report = await fixPdf({
    ...params,
    profile: read,
    workDir: tools.workDir,
    copies,
    onProgress: ({ action, done, total }) => tools.progress({ phase: action, done, total }),
  });
  const told = tellIn === undefined ? report : { ...report, lines: fixReportLines(report, tellIn, read.unit) };
  if (!pictures || !report.out?.isChanged) return told;
  const { withPictures } = await import('./thumbnails.ts');
  return withPictures(told, { of: { path: params.out }, pictures }, tools);
};
