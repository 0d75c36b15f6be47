import { readFileSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract';
import { readCff2 } from './cff2.ts';
import { type DieDrawing, drawingOf } from './drawing.ts';
import { readDxf } from './dxf.ts';

/** A die is a few hundred lines; what is larger is none. */
const maxBytes = 32 * 2 ** 20;

/**
 * Reads a die made by a design program for cartons: DXF (ASCII) or CFF2. Null for anything else: then it is a PDF.
 * @throws FileFaultError FILE_NOT_FOUND, PDF_TOO_LARGE, PDF_DAMAGED when it holds no lines
 */
export function readDieFile(path: string, lineNames: readonly string[]): DieDrawing | null {
  const text = readText(path);
  if (text.startsWith('%PDF-')) return null;
  const isCff2 = /^\s*\$BOF\b/.test(text);
  const isDxf = /^\s*(?:999\r?\n.*\r?\n\s*)*0\r?\n\s*SECTION\r?\n/.test(text);
  if (!isCff2 && !isDxf) return null;
  const drawing = drawingOf(isCff2 ? readCff2(text) : readDxf(text, lineNames));
  if (!drawing) throw new FileFaultError('PDF_DAMAGED');
  return drawing;
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new FileFaultError('FILE_NOT_FOUND', {}, { cause: error });
  }
  // A PDF may be large, and is opened by its own reader.
  const isText = bytes.length <= maxBytes;
  return isText ? bytes.toString('latin1') : '%PDF-';
}
