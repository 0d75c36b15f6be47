import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Locale, preflightReportSchema, type Unit } from '@pdf2press/contract';
import { openPdf, openRenderService } from '@pdf2press/pdf';
import { annotatedCopy, pdfReport } from '@pdf2press/preflight/run';
import type { PdfInput, Task } from './task.ts';

export interface ReportParams extends PdfInput {
  /** Absolute path of the preflight report as JSON. */
  reportPath: string;
  /** `Pdf`: a document with sentences and pictures. `Annotated`: a copy of the file with the findings as annotations. */
  format: 'Pdf' | 'Annotated';
  locale: Locale;
  unit: Unit;
}

export interface ReportResult {
  /** File name in the work directory. */
  name: string;
}

/** Makes a PDF from the report of an earlier preflight, in a language. */
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
