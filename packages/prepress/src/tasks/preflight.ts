import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { PreflightReport } from '@pdf2press/contract';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { readProfile } from '../preflight/bind-variables.ts';
import type { Variables } from '../preflight/expression.ts';
import { preflight } from '../preflight/preflight.ts';
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
  const sha256 = params.sha256 ?? (await sha256Of(path));
  const file = openPdf({ path, password });
  let render: RenderService | null = null;
  try {
    return await preflight({
      file,
      fileName: params.fileName,
      sha256,
      password,
      profile,
      profileId: params.profileId,
      profileVersion: params.profileVersion,
      variables: params.variables,
      services: {
        render: () => {
          render ??= openRenderService({
            path,
            ...(password !== undefined && { password }),
            workDir: tools.workDir,
          });
          return render;
        },
      },
      onPage: (done, total) => tools.progress({ phase: 'pages', done, total }),
    });
  } finally {
    (render as RenderService | null)?.close();
    file.close();
  }
};
