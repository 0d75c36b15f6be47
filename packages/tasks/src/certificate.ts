import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locale } from '@pdf2press/contract';
import { openRenderService } from '@pdf2press/pdf';
import { certificatePdf } from '@pdf2press/preflight/run';
import type { PdfInput, Task } from './task.ts';

export interface CertificateParams extends PdfInput {
  /** Absolute path of the certificate's record as JSON. */
  recordPath: string;
  locale: Locale;
  /** Who issues it; `logoPath` is a PNG or JPEG. */
  house: { name: string; colour: string | null; logoPath: string | null };
}

export interface CertificateResult {
  /** File name in the work directory. It is not signed yet. */
  name: string;
}

/** Makes the PDF of a certificate: pictures of the decided pages and the record, which is embedded as well. */
export const run: Task<CertificateParams, CertificateResult> = async (params, tools) => {
  const { recordPath, locale, house, ...input } = params;
  const name = 'certificate.pdf';
  const render = openRenderService({ ...input, workDir: tools.workDir });
  try {
    const logo = house.logoPath === null ? null : await readFile(house.logoPath);
    const record = await readFile(recordPath);
    const bytes = await certificatePdf({ record, locale, house: { ...house, logo }, render });
    await writeFile(join(tools.workDir, name), bytes);
  } finally {
    render.close();
  }
  return { name };
};
