import { readCff2 } from './cff2.ts';
import { isDdes, readDdes } from './ddes.ts';
import { type DieDrawing, drawingOf } from './drawing.ts';
import { readDxf } from './dxf.ts';

/** The formats of design programs for cartons, each known by how its text looks. */
const formats = [
  { isIt: (text: string) => /^\s*\$BOF\b/.test(text), read: readCff2 },
  {
    isIt: (text: string) => /^\s*(?:999\r?\n.*\r?\n\s*)*0\r?\n\s*SECTION\r?\n/.test(text),
    read: readDxf,
  },
  { isIt: isDdes, read: readDdes },
];

/** Files of design programs may hold anything; a PDF names itself in its first kilobyte. */
export const isPdf = (text: string): boolean => text.slice(0, 1024).includes('%PDF-');

/**
 * Reads a die made by a design program for cartons: DXF (ASCII), CFF2 or DDES2, by its text (one character a byte).
 * Without an outline where the file draws no line that cuts; null for anything else.
 */
export function readDieText(text: string, lineNames: readonly string[]): DieDrawing | null {
  const format = isPdf(text) ? undefined : formats.find(({ isIt }) => isIt(text));
  return format ? (drawingOf(format.read(text, lineNames)) ?? { outline: [], width: 0, height: 0 }) : null;
}
