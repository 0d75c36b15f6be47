/**
 * PDF objects as plain JavaScript values (ISO 32000-1, 7.3). All code that reads a PDF works on these; only `open/`
 * converts from and to MuPDF objects. Numbers, booleans, null and arrays are represented by themselves.
 */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfDict | PdfArray;
export type PdfArray = readonly PdfValue[];

/** A name without its slash and with `#xx` decoded, one character per byte. Compare with `isName`, not by identity. */
export interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}
/** A string as bytes, after undoing escapes and decryption. */
export interface PdfString {
  readonly kind: 'string';
  readonly bytes: Uint8Array;
}
/** An indirect reference. The generation number is not kept: objects are looked up by number alone. */
export interface PdfRef {
  readonly kind: 'ref';
  readonly num: number;
}
/** A dictionary. `stream` is the object number if it is the dictionary of a stream, else 0. */
export interface PdfDict {
  readonly kind: 'dict';
  readonly map: ReadonlyMap<string, PdfValue>;
  readonly stream: number;
}

export const emptyDict: PdfDict = { kind: 'dict', map: new Map(), stream: 0 };

const names = new Map<string, PdfName>();
/** Number of names that are shared; limited because a hostile file may contain millions of different names. */
const maxInternedNames = 20_000;

/** Makes a name; equal texts share one object until the table is full. */
export function pdfName(name: string): PdfName {
  const known = names.get(name);
  if (known) return known;
  const made: PdfName = { kind: 'name', name };
  if (names.size < maxInternedNames) names.set(name, made);
  return made;
}

/** True for a name; with `name`, only for that one. */
export function isName(value: PdfValue | undefined, name?: string): value is PdfName {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'name' &&
    (name === undefined || value.name === name)
  );
}
/** True for a string. */
export function isString(value: PdfValue | undefined): value is PdfString {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'string';
}
/** True for an indirect reference. */
export function isRef(value: PdfValue | undefined): value is PdfRef {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'ref';
}
/** True for a dictionary, including that of a stream. */
export function isDict(value: PdfValue | undefined): value is PdfDict {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'dict';
}
/** True for an array. */
export function isArray(value: PdfValue | undefined): value is PdfArray {
  return Array.isArray(value);
}

/** Decodes bytes as Latin-1: one character per byte. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The value if it is a dictionary, else null. */
export const asDict = (value: PdfValue): PdfDict | null => (isDict(value) ? value : null);
