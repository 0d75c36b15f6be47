import type { Finding, Locale, PreflightReport, Unit } from '@pdf2press/contract';
import { annotateFile, type PageNote, type PdfFile } from '@pdf2press/pdf';
import { checkLabel, findingSentence } from '../findings/finding-sentence.ts';
import { severityColours } from './report-options.ts';

/** Annotations per finding; more would hide the page. */
const maxFrames = 20;

/**
 * Writes a copy of the file to `path` with every finding as an annotation that is shown and not printed. Findings of the
 * whole file are notes on the first page. The open file is changed. Returns the number of annotations.
 */
export function annotatedCopy(options: {
  file: PdfFile;
  report: PreflightReport;
  locale: Locale;
  unit: Unit;
  path: string;
}): number {
  const { file, report, locale, unit, path } = options;
  const notes = report.findings.flatMap((finding): PageNote[] => {
    const about = {
      page: finding.page ?? 1,
      colour: severityColours[finding.severity],
      title: checkLabel(finding.checkKey, locale),
      text: textOf(finding, locale, unit),
    };
    const boxes = (finding.boxes ?? (finding.box ? [finding.box] : [])).slice(0, maxFrames);
    return boxes.length > 0 ? boxes.map((box) => ({ ...about, box })) : [{ ...about, box: null }];
  });
  return annotateFile(file, path, notes);
}

function textOf(finding: Finding, locale: Locale, unit: Unit): string {
  const rule = finding.standardRule ? `\n${finding.standardRule}` : '';
  return `${findingSentence(finding, locale, 'customer', unit)}\n${findingSentence(finding, locale, 'operator', unit)}${rule}`;
}
