import { openPdf, rewritePdf, verifyPages } from '@pdf2press/pdf';
import type { Task } from './task.ts';

export interface UnlockParams {
  /** Absolute path of the encrypted PDF. */
  path: string;
  password: string;
  /** Absolute path of the copy without encryption; it is written completely or not at all. */
  out: string;
}
export interface UnlockResult {
  /** Of the copy. */
  bytes: number;
}

/**
 * Opens a PDF by its password and writes it without encryption. Every page of the copy is compared with the original.
 * @throws FileFaultError PDF_ENCRYPTED {isPasswordWrong} when the password does not open it; PDF_* for the file
 */
export const run: Task<UnlockParams, UnlockResult> = async ({ path, password, out }) => {
  const file = openPdf({ path, password });
  try {
    const bytes = rewritePdf(file, out);
    verifyPages(file, [1, file.pageCount], out);
    return { bytes };
  } finally {
    file.close();
  }
};
