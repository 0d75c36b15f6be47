import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { buildPdf, type PdfSource } from './build-pdf.ts';

/** Builds a PDF, opens it, calls `work` and removes the file. */
export function withPdf<T>(source: PdfSource, work: (file: PdfFile, path: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'built-'));
  const path = join(directory, 'built.pdf');
  writeFileSync(path, buildPdf(source));
  const file = openPdf({ path });
  try {
    return work(file, path);
  } finally {
    file.close();
    rmSync(directory, { recursive: true });
  }
}
