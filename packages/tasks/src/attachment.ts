import { readFile } from 'node:fs/promises';
import { FileFaultError } from '@pdf2press/contract/faults';
import { readAttachment } from '@pdf2press/pdf';
import type { Task } from './task.ts';

export interface AttachmentParams {
  /** Absolute path of the PDF. */
  path: string;
  /** Name of the file inside it. */
  name: string;
}

export interface AttachmentResult {
  /** Its content as text; null when there is none of that name. */
  text: string | null;
}

/**
 * Reads a text that lies in a PDF as a file.
 * @throws FileFaultError PDF_DAMAGED for a PDF that cannot be opened, and for a file in it that is no UTF-8
 */
export const run: Task<AttachmentParams, AttachmentResult> = async ({ path, name }) => {
  const pdf = await readFile(path);
  try {
    const bytes = readAttachment(pdf, name);
    return { text: bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    throw new FileFaultError('PDF_DAMAGED', {}, { cause: error });
  }
};
