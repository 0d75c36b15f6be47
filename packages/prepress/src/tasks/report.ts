import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Locale, preflightReportSchema, type Unit } from '@pdf2press/contract';
import { openPdf, openRenderService } from '@pdf2press/pdf';
import { annotatedCopy } from '../reports/annotated-copy.ts';
import { pdfReport } from '../reports/pdf-report.ts';
import type { PdfInput, Task } from './task.ts';

export interface ReportParams extends PdfInput {
  /** The preflight report as JSON, absolute. */
  reportPath: string;
  /** `Pdf`: the findings in words with pictures of the pages. `Annotated`: a copy of the file that carries them. */
  format: 'Pdf' | 'Annotated';
  locale: Locale;
  unit: Unit;
}

export interface ReportResult {
  /** Below the work directory. */
  name: string;
}

/** Makes a report of a preflight that was run before, for a reader of some language. */
export const run: Task<ReportParams, ReportResult> = async ({ reportPath, format, locale, unit, ...input }, tools) => {
  const report = preflightReportSchema.parse(JSON.parse(await readFile(reportPath, 'utf8')));
  const name = 'report.pdf';
  const path = join(tools.workDir, name);
  if (format === 'Annotated') {
    annotatedCopy({ file: openPdf(input), report, locale, unit, path });
    return { name };
  }
  const render = openRenderService({ ...input, workDir: tools.workDir });
  try {
    await writeFile(path, await pdfReport({ report, locale, unit, render }));
  } finally {
    render.close();
  }
  return { name };
};
