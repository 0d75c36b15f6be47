import path from 'node:path';
import { comparePages, mergePdfs, openPdf, type PdfFile } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface MergeParams {
  /** In the order of their pages; a file may be there several times. */
  inputs: PdfInput[];
}
export interface MergeResult {
  /** File in the work directory. */
  path: string;
  bytes: number;
  pageCount: number;
  /** Indexes of inputs with another output intent than the one of the merged file. */
  otherIntents: number[];
  /** Named destinations that got another name. */
  renamed: number;
}

const producer = 'pdf2press';
const name = 'merged.pdf';

/** Writes several PDFs as one, and compares every page with the one it was made from. */
export const run: Task<MergeParams, MergeResult> = async ({ inputs }, tools) => {
  const out = path.join(tools.workDir, name);
  const merged = withFiles(inputs, (files) => mergePdfs(files, out, producer));
  tools.progress({ phase: 'merged', done: 1, total: 2 });
  // Opened anew, for the first ones were changed.
  const pageCount = withFiles([...inputs, { path: out }], (opened) => {
    const [files, written] = [opened.slice(0, -1), opened.at(-1) as PdfFile];
    let at = 1;
    for (const file of files) {
      comparePages(file, [1, file.pageCount], written, at);
      at += file.pageCount;
    }
    return written.pageCount;
  });
  tools.progress({ phase: 'merged', done: 2, total: 2 });
  return { path: name, pageCount, ...merged };
};

/** Opens files for one piece of work. */
function withFiles<T>(inputs: readonly PdfInput[], work: (files: PdfFile[]) => T): T {
  const files: PdfFile[] = [];
  try {
    for (const input of inputs) files.push(openPdf(input));
    return work(files);
  } finally {
    for (const file of files) file.close();
  }
}
