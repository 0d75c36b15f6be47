/** Runs actions on PDFs that tests make, and looks at what came out. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FixReport } from '@pdf2press/contract';
import { interpretPage, openPdf, type PdfFile } from '@pdf2press/pdf';
import { fixPdf } from '../fix/fix.ts';
import { readFixProfile } from '../fix/profile.ts';
import type { FixKey } from '../fixes/contracts.ts';

export interface Fixed {
  report: FixReport;
  /** The changed file, or the original where nothing came out. */
  path: string;
  before: string;
}

export const testDir = (): string => mkdtempSync(path.join(os.tmpdir(), 'fix-test-'));

export function writePdf(bytes: Uint8Array, dir = testDir()): string {
  const file = path.join(dir, 'in.pdf');
  writeFileSync(file, bytes);
  return file;
}

/** One action, or several, on bytes or on a file. */
export async function fixed(
  input: Uint8Array | string,
  actions: readonly { key: FixKey; settings?: unknown; [field: string]: unknown }[],
  profile: Record<string, unknown> = {},
): Promise<Fixed> {
  const dir = testDir();
  const before = typeof input === 'string' ? input : writePdf(input, dir);
  const out = path.join(dir, 'out.pdf');
  const report = await fixPdf({
    path: before,
    fileName: 'in.pdf',
    out,
    workDir: dir,
    now: new Date('2024-05-06T07:08:09Z'),
    profile: readFixProfile({ ...profile, actions }),
  });
  return { report, path: report.out ? out : before, before };
}

export const fixedBy = (
  input: Uint8Array | string,
  key: FixKey,
  settings: unknown = {},
  fields: Record<string, unknown> = {},
): Promise<Fixed> => fixed(input, [{ key, settings, when: { is: 'Always' }, ...fields }]);

/** The same where what counts is what became of the content: the gate looks in RGB, which costs a tenth. */
export const quicklyFixedBy = (input: Uint8Array | string, key: FixKey, settings: unknown = {}): Promise<Fixed> =>
  fixed(input, [{ key, settings, when: { is: 'Always' } }], { gate: { method: 'RGB' } });

/** Opens a file for one look. */
export function look<T>(file: string, at: (pdf: PdfFile) => T): T {
  const pdf = openPdf({ path: file });
  try {
    return at(pdf);
  } finally {
    pdf.close();
  }
}

export const bytesOf = (file: string): Uint8Array => readFileSync(file);

/** The page's content as text, for expectations about operators. */
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
