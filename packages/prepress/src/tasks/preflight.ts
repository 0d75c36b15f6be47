import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Locale, PreflightReport } from '@pdf2press/contract';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { readProfile } from '../preflight/bind-variables.ts';
import type { Variables } from '../preflight/expression.ts';
import { preflight } from '../preflight/preflight.ts';
import { annotatedCopy } from '../reports/annotated-copy.ts';
import { pdfReport } from '../reports/pdf-report.ts';
import type { PdfInput, Task } from './task.ts';

export interface PreflightParams extends PdfInput {
  /** What the report calls the file. */
  fileName: string;
  /** A profile as stored; read and validated here. */
  profile: unknown;
  profileId?: string | null;
  profileVersion?: number | null;
  /** Values of the workflow's variables, for limits that are bound to them. */
  variables?: Variables;
  /** Where it is known already; else it is computed. */
  sha256?: string;
  /** Also writes `report.pdf` into the work directory. */
  pdfReport?: { locale: Locale };
  /** Also writes `annotated.pdf`: a copy of the file with the findings as annotations. */
  annotatedCopy?: { locale: Locale };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Checks a file against a profile. The rendering service is opened when the first check asks for a picture. */
export const run: Task<PreflightParams, PreflightReport> = async (params, tools) => {
  const profile = readProfile(params.profile);
  const { path, password } = params;
  const file = openPdf({ path, password });
  const sha256 = params.sha256 ?? (await sha256Of(path));
  const service = lazyRender({ path, password, workDir: tools.workDir });
  try {
    const report = await preflight({
      file,
      fileName: params.fileName,
      sha256,
      password,
      profile,
      profileId: params.profileId,
      profileVersion: params.profileVersion,
      variables: params.variables,
      services: { render: service.get },
      onPage: (done, total) => tools.progress({ phase: 'pages', done, total }),
    });
    const { unit } = profile;
    if (params.pdfReport) {
      const bytes = await pdfReport({ report, locale: params.pdfReport.locale, unit, render: service.get() });
      await writeFile(join(tools.workDir, 'report.pdf'), bytes);
    }
    // Last: it changes the open file.
    if (params.annotatedCopy) {
      annotatedCopy({
        file,
        report,
        locale: params.annotatedCopy.locale,
        unit,
        path: join(tools.workDir, 'annotated.pdf'),
      });
    }
    return report;
  } finally {
    service.close();
    file.close();
  }
};

/** The rendering service, opened by whoever needs it first. */
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
