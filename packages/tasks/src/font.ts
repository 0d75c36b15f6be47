import type { FontFileFacts } from '@pdf2press/contract';
import { openFontProgram } from '@pdf2press/pdf';
import type { Task } from './task.ts';

export interface FontParams {
  /** Absolute path of the font. */
  path: string;
}
export type FontResult = FontFileFacts;

/** Reads a font, its outlines as well, so that one that cannot be embedded is known. @throws FileFaultError FONT_UNREADABLE */
export const run: Task<FontParams, FontResult> = async ({ path }) => openFontProgram(path).facts;
