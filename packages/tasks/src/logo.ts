import { type DrawnLogo, drawLogo } from '@pdf2press/pdf';
import type { Task } from './task.ts';

export interface LogoParams {
  /** Absolute path of the picture. */
  path: string;
  /** Absolute path of the PNG. */
  out: string;
  /** Pixels of the longer side at most. */
  side: number;
}
export type LogoResult = DrawnLogo;

/**
 * Draws a logo anew from a picture.
 * @throws FileFaultError FILE_TYPE_MISMATCH, PDF_LIMIT_PIXELS, PDF_DAMAGED
 */
export const run: Task<LogoParams, LogoResult> = ({ path, out, side }) => drawLogo(path, out, side);
