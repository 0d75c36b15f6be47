/**
 * Whether an open file keeps a part of ISO 15930, asked by whoever wants to name the standard in it. It is the preset of
 * the standard that is run, so a file that is identified passes the same preset afterwards.
 */
import type { PreflightReport } from '@pdf2press/contract';
import type { PdfFile } from '@pdf2press/pdf';
import { type PdfxLevel, pdfxDemands } from '../checks/pdfx/demands.ts';
import { documentBreaches, otherBoxesPresented } from '../checks/pdfx/document-rules.ts';
import { presets } from '../presets/presets.ts';
import type { RuleSeverityOverride } from '../reading/profile-frame.ts';
import { preflight } from './preflight.ts';

/** What identifying the file and writing it anew put right, so it is no breach of the file that is being changed. */
const writtenAnew = ['claim', 'version', 'encrypted', 'damaged', 'trailerId', 'documentInfo', 'trapped'];

/**
 * The findings of the standard's preset on a file with all its changes in memory, but for what identifying it and
 * writing it anew put right.
 * @throws FileFaultError PDF_LIMIT_* when the file exceeds a limit; the reason of the signal when it is aborted
 */
export async function conformanceFindings(
  file: PdfFile,
  level: PdfxLevel,
  signal: AbortSignal,
): Promise<PreflightReport['findings']> {
  const preset = presets.find(({ name }) => name === level);
  if (!preset) throw new RangeError(`no preset for ${level}`);
  const off: Record<string, RuleSeverityOverride> = Object.fromEntries(writtenAnew.map((rule) => [rule, 'Off']));
  const checks = preset.profile.checks.map((check) => (check.key === 'PdfX' ? { ...check, severities: off } : check));
  const report = await preflight({
    file,
    fileName: '',
    sha256: '',
    profile: { ...preset.profile, checks },
    services: { render: noRendering },
    // Other threads would open the file on disk, which is without the changes.
    threads: 1,
    signal,
  });
  return report.findings;
}

function noRendering(): never {
  throw new Error('no rule of ISO 15930 is judged by a rendered page');
}

/** What identifies a file as one of a part of ISO 15930. */
const identification = ['claim', 'version', 'trailerId', 'documentInfo', 'trapped'];

/** Whether a file says of itself all that a part of ISO 15930 wants to be said. */
export const isIdentifiedAs = (file: PdfFile, level: PdfxLevel): boolean =>
  !documentBreaches(file, pdfxDemands[level], true).some(({ rule }) => identification.includes(rule));

/** What is wrong with the output intent of a file by a part of ISO 15930; null when it can stay. */
export function intentBreach(file: PdfFile, level: PdfxLevel): string | null {
  const breach = documentBreaches(file, pdfxDemands[level], false).find(({ rule }) => rule === 'outputIntent');
  return breach ? String(breach.params.reason) : null;
}

export { otherBoxesPresented };
