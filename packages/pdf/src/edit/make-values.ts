/** PDF values for those who make objects: what `open/values.ts` reads, the other way round. */
import {
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfRef,
  type PdfString,
  type PdfValue,
} from '../open/values.ts';

export const pdfRef = (num: number): PdfRef => ({ kind: 'ref', num });

/** A dictionary of entries; `undefined` leaves an entry out. */
export function pdfDict(entries: Readonly<Record<string, PdfValue | undefined>>, base?: PdfDict | null): PdfDict {
  const map = new Map(base?.map ?? []);
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
  return { kind: 'dict', map, stream: 0 };
}

/** A text string: ASCII as it is, anything else as UTF-16 with its mark (ISO 32000-1, 7.9.2.2). */
export function pdfTextString(text: string): PdfString {
  const bytes = /^[ -~]*$/.test(text)
    ? Buffer.from(text, 'latin1')
    : Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  return { kind: 'string', bytes };
}

export const pdfBytes = (bytes: Uint8Array): PdfString => ({ kind: 'string', bytes });

/** Whether two values say the same (references by number). */
export function isSameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((entry, index) => isSameValue(entry, b[index]));
  if (isName(a) && isName(b)) return a.name === b.name;
  if (isRef(a) && isRef(b)) return a.num === b.num;
  if (isString(a) && isString(b)) return Buffer.compare(a.bytes, b.bytes) === 0;
  if (isDict(a) && isDict(b)) {
    return (
      a.stream === b.stream &&
      a.map.size === b.map.size &&
      [...a.map].every(([key, value]) => isSameValue(value, b.map.get(key)))
    );
  }
  return false;
}
