import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Locale, PreflightReport, Unit } from '@pdf2press/contract';
import { fixActionLabel } from '@pdf2press/fix/contracts';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { findingSentence, type PreflightProfile, readProfile } from '@pdf2press/preflight/contracts';
import { annotatedCopy, pdfReport, preflight, rememberingOnly } from '@pdf2press/preflight/run';
import type { Variables } from '@pdf2press/settings';
import type { PdfInput, Task } from './task.ts';

export interface PreflightParams extends PdfInput {
  /** Name of the file in the report. */
  fileName: string;
  /** A preflight profile as JSON; validated here. */
  profile: unknown;
  profileId?: string | null;
  profileVersion?: number | null;
  /** Values of workflow variables, for settings with expressions. */
  variables?: Variables;
  /** Computed if left out. */
  sha256?: string;
  /** The version before: what its report remembered, or the file itself, which is read with the same profile. */
  before?: PreflightReport['remembered'] | { path: string };
  /** Also writes `report.pdf` into the work directory. */
  pdfReport?: { locale: Locale };
  /** Also writes `annotated.pdf`: a copy of the file with the findings as annotations. */
  annotatedCopy?: { locale: Locale };
  /** Adds the findings as sentences to the report. */
  findingsText?: { locale: Locale };
}

/** More is no longer read, but would be kept with every session. */
const mostSentences = 200;

/** The findings as an operator reads them, one on a line. */
const sentencesOf = ({ findings }: PreflightReport, locale: Locale, unit: Unit): string =>
  findings
    .slice(0, mostSentences)
    .map((finding) => findingSentence(finding, locale, 'operator', unit))
    .join('\n');

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/**
 * Checks a PDF against a profile.
 * @throws FileFaultError SETTINGS_INVALID for an invalid profile; PDF_* for a file that cannot be opened or exceeds a limit
 */
export const run: Task<PreflightParams, PreflightReport> = async (params, tools) => {
  const profile = readProfile(params.profile);
  const { path, password } = params;
  const file = openPdf({ path, password });
  const sha256 = params.sha256 ?? (await sha256Of(path));
  const service = lazyRender({ path, password, workDir: tools.workDir });
  try {
    const report = await preflight({
      file,
      before: isFile(params.before) ? await rememberedOf(params.before.path, profile, tools.workDir) : params.before,
      fileName: params.fileName,
      sha256,
      password,
      profile,
      profileId: params.profileId,
      profileVersion: params.profileVersion,
      variables: params.variables,
      services: { render: service.get },
      onPage: (done, total) => tools.progress({ phase: 'pages', done, total }),
      onPlates: (done, total) => tools.progress({ phase: 'plates', done, total }),
    });
    const { unit } = profile;
    if (params.pdfReport) {
      const { locale } = params.pdfReport;
      const fixLabel = (action: string) => fixActionLabel(action, locale);
      const bytes = await pdfReport({ report, locale, unit, render: service.get(), fixLabel });
      await writeFile(join(tools.workDir, 'report.pdf'), bytes);
    }
    // Must be last, because it changes the open file.
    if (params.annotatedCopy) {
      annotatedCopy({
        file,
        report,
        locale: params.annotatedCopy.locale,
        unit,
        path: join(tools.workDir, 'annotated.pdf'),
      });
    }
    return params.findingsText
      ? { ...report, findingsText: sentencesOf(report, params.findingsText.locale, unit) }
      : report;
  } finally {
    service.close();
    file.close();
  }
};

const isFile = (before: PreflightParams['before']): before is { path: string } => typeof before?.path === 'string';

/**
 * What the checks of a profile remember of a file.
 * @throws FileFaultError PDF_* for a file that cannot be opened or exceeds a limit
 */
async function rememberedOf(
  path: string,
  profile: PreflightProfile,
  workDir: string,
): Promise<PreflightReport['remembered']> {
  const file = openPdf({ path });
  const service = lazyRender({ path, password: undefined, workDir });
  try {
    const report = await preflight({
      file,
      fileName: '',
      sha256: await sha256Of(path),
      profile: rememberingOnly(profile),
      services: { render: service.get },
    });
    return report.remembered;
  } finally {
    service.close();
    file.close();
  }
}

/** A rendering service that is opened on first use. */
function lazyRender(options: { path: string; password: string | undefined; workDir: string }) {
  const { path, password, workDir } = options;
  let service: RenderService | null = null;
  return {
    get: (): RenderService => {
      service ??= openRenderService({ path, ...(password !== undefined && { password }), workDir });
      return service;
    },
    close: () => service?.close(),
  };
}
