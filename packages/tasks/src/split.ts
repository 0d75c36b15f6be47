import path from 'node:path';
import { openPdf, verifyPages, writePages } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface SplitParams extends PdfInput {
  /** Pages of each part; the last part may have fewer. */
  pagesPerPart: number;
}
export interface SplitResult {
  /** Files in the work directory, with the first and the last page of each, from 1. */
  parts: { path: string; pages: [number, number] }[];
}

/** Writes a PDF as several with some pages each, and compares every page with the one it was made from. */
export const run: Task<SplitParams, SplitResult> = async ({ pagesPerPart, ...input }, tools) => {
  const file = openPdf(input);
  try {
    const total = Math.ceil(file.pageCount / pagesPerPart);
    const parts = Array.from({ length: total }, (_, at) => {
      const pages: [number, number] = [at * pagesPerPart + 1, Math.min((at + 1) * pagesPerPart, file.pageCount)];
      const name = `${at + 1}.pdf`;
      const out = path.join(tools.workDir, name);
      writePages(file, pages, out);
      verifyPages(file, pages, out);
      if ((at + 1) % 100 === 0 || at + 1 === total) tools.progress({ phase: 'parts', done: at + 1, total });
      return { path: name, pages };
    });
    return { parts };
  } finally {
    file.close();
  }
};
