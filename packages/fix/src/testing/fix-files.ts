/** Runs actions on test PDFs and reads the results. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FixReport } from '@pdf2press/contract';
import { interpretPage, openPdf, type PdfFile } from '@pdf2press/pdf';
import { fixPdf } from '../apply/fix.ts';
import type { FixKey } from '../fixes/contracts.ts';
import { readFixProfile } from '../profile/profile.ts';

export interface Fixed {
  report: FixReport;
  /** Path of the changed file, or of the original when there is no output. */
  path: string;
  before: string;
}

/** Creates a temporary directory. */
export const testDir = (): string => mkdtempSync(path.join(os.tmpdir(), 'fix-test-'));

/** Writes bytes to `in.pdf` in a directory and returns its path. */
export function writePdf(bytes: Uint8Array, dir = testDir()): string {
  const file = path.join(dir, 'in.pdf');
  writeFileSync(file, bytes);
  return file;
}

/** Runs actions on bytes or on a file. */
export async function fixed(
  input: Uint8Array | string,
  actions: readonly { key: FixKey; settings?: unknown; [field: string]: unknown }[],
  profile: Record<string, unknown> = {},
  fonts: readonly string[] = [],
): Promise<Fixed> {
  const dir = testDir();
  const before = typeof input === 'string' ? input : writePdf(input, dir);
  const out = path.join(dir, 'out.pdf');
  const report = await fixPdf({
    path: before,
    fileName: 'in.pdf',
    out,
    fonts,
    workDir: dir,
    now: new Date('2024-05-06T07:08:09Z'),
    profile: readFixProfile({ ...profile, actions }),
  });
  return { report, path: report.out ? out : before, before };
}

/**
 * Runs one action unconditionally.
 * @param input bytes or a path
 * @param settings as written in a profile
 * @param fields further fields of the action
 */
export const fixedBy = (
  input: Uint8Array | string,
  key: FixKey,
  settings: unknown = {},
  fields: Record<string, unknown> = {},
): Promise<Fixed> => fixed(input, [{ key, settings, when: { is: 'Always' }, ...fields }]);

/** Like `fixedBy`, but the gate compares RGB pictures, which is about ten times faster than plates. */
export const quicklyFixedBy = (input: Uint8Array | string, key: FixKey, settings: unknown = {}): Promise<Fixed> =>
  fixed(input, [{ key, settings, when: { is: 'Always' } }], { gate: { method: 'RGB' } });

/** Opens a file, reads something from it and closes it. */
export function look<T>(file: string, at: (pdf: PdfFile) => T): T {
  const pdf = openPdf({ path: file });
  try {
    return at(pdf);
  } finally {
    pdf.close();
  }
}

/** The bytes of a file. */
export const bytesOf = (file: string): Uint8Array => readFileSync(file);

/** Decoded content stream of a page as text. */
export const contentOf = (file: string, page = 1): string =>
  look(file, (pdf) => {
    let text = '';
    interpretPage(pdf, page, [
      {
        pageBegin: (run) => {
          text = Buffer.from(run.bytes).toString('latin1');
        },
      },
    ]);
    return text;
  });
