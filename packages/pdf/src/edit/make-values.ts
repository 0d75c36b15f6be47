/** Functions that create PDF values. */
import type { PdfDict, PdfRef, PdfString, PdfValue } from '../open/values.ts';

/** An indirect reference to an object number. */
export const pdfRef = (num: number): PdfRef => ({ kind: 'ref', num });

/**
 * A dictionary of `entries`, added to those of `base`. An entry that is `undefined` is removed. Never a stream
 * dictionary.
 */
export function pdfDict(entries: Readonly<Record<string, PdfValue | undefined>>, base?: PdfDict | null): PdfDict {
  const map = new Map(base?.map ?? []);
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
  return { kind: 'dict', map, stream: 0 };
}

/** A text string: ASCII unchanged, other text as UTF-16 with byte order mark (ISO 32000-1, 7.9.2.2). */
export function pdfTextString(text: string): PdfString {
  const bytes = /^[ -~]*$/.test(text)
    ? Buffer.from(text, 'latin1')
    : Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  return { kind: 'string', bytes };
}

/** A string of bytes. */
export const pdfBytes = (bytes: Uint8Array): PdfString => ({ kind: 'string', bytes });
