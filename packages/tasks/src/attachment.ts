import { readFile } from 'node:fs/promises';
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

/** Reads a text that lies in a PDF as a file. */
export const run: Task<AttachmentParams, AttachmentResult> = async ({ path, name }) => {
  const bytes = readAttachment(await readFile(path), name);
  return { text: bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
};
