import { readCff2 } from './cff2.ts';
import { isDdes, readDdes } from './ddes.ts';
import { type DieDrawing, drawingOf } from './drawing.ts';
import { readDxf } from './dxf.ts';

/** CAD formats for dies, recognized by their text. */
const formats = [
  { isIt: (text: string) => /^\s*\$BOF\b/.test(text), read: readCff2 },
  {
    isIt: (text: string) => /^\s*(?:999\r?\n.*\r?\n\s*)*0\r?\n\s*SECTION\r?\n/.test(text),
    read: readDxf,
  },
  { isIt: isDdes, read: readDdes },
];

/** Whether a file is a PDF: its header is within the first 1024 bytes. */
export const isPdf = (text: string): boolean => text.slice(0, 1024).includes('%PDF-');

/**
 * Reads a die from a CAD file (ASCII DXF, CFF2 or DDES2) given as text, one character per byte. The outline is empty when
 * the file has no cutting line; null for other formats. Lengths are points.
 */
export function readDieText(text: string, lineNames: readonly string[]): DieDrawing | null {
  const format = isPdf(text) ? undefined : formats.find(({ isIt }) => isIt(text));
  return format ? (drawingOf(format.read(text, lineNames)) ?? { outline: [], width: 0, height: 0 }) : null;
}
