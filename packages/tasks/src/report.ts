import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FixReport, fixReportSchema, type Locale, preflightReportSchema, type Unit } from '@pdf2press/contract';
import { fixActionLabel, fixChangeSentence } from '@pdf2press/fix/contracts';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { annotatedCopy, pdfReport } from '@pdf2press/preflight/run';
import type { PdfInput, Task } from './task.ts';

export interface ReportParams extends PdfInput {
  /** Absolute path of the preflight report as JSON. */
  reportPath: string;
  /** `Pdf`: a document with sentences and pictures. `Annotated`: a copy of the file with the findings as annotations. */
  format: 'Pdf' | 'Annotated';
  locale: Locale;
  unit: Unit;
  /** IANA name of the zone that times are told in; without it that of the machine. */
  timeZone?: string;
  /** Whose report it is; `logoPath` is a PNG or JPEG. */
  house?: { name: string; colour: string | null; logoPath: string | null };
  /** Absolute paths of the change logs of fix steps, in their order. */
  fixReportPaths?: string[];
  /** Absolute path of the imposed file. */
  sheetsPath?: string;
}

export interface ReportResult {
  /** File name in the work directory. */
  name: string;
}

/** What a fix changed, by action; nothing where its result was not kept. */
function correctedBy({ actions, changes, out }: FixReport, locale: Locale, unit: Unit) {
  if (!out) return [];
  return actions.map(({ action, index }) => ({
    label: fixActionLabel(action, locale),
    sentences: changes
      .filter((change) => change.index === index)
      .map((change) => fixChangeSentence(change, locale, unit)),
  }));
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

/** Makes a PDF from the report of an earlier preflight, in a language. */
export const run: Task<ReportParams, ReportResult> = async (params, tools) => {
  const { reportPath, format, locale, unit, timeZone, house, fixReportPaths = [], sheetsPath, ...input } = params;
  const report = preflightReportSchema.parse(await readJson(reportPath));
  const name = 'report.pdf';
  const path = join(tools.workDir, name);
  if (format === 'Annotated') {
    annotatedCopy({ file: openPdf(input), report, locale, unit, path });
    return { name };
  }
  const opened: RenderService[] = [];
  const open = (file: PdfInput): RenderService => {
    const service = openRenderService({ ...file, workDir: tools.workDir });
    opened.push(service);
    return service;
  };
  try {
    const fixes = await Promise.all(fixReportPaths.map(async (each) => fixReportSchema.parse(await readJson(each))));
    const bytes = await pdfReport({
      report,
      locale,
      unit,
      timeZone,
      render: open(input),
      house: house && {
        ...house,
        logo: house.logoPath === null ? null : await readFile(house.logoPath),
      },
      corrected: fixes.flatMap((each) => correctedBy(each, locale, unit)),
      sheets: sheetsPath === undefined ? null : open({ path: sheetsPath }),
      fixLabel: (action) => fixActionLabel(action, locale),
    });
    await writeFile(path, bytes);
  } finally {
    for (const service of opened) service.close();
  }
  return { name };
};
