/**
 * PDF objects as plain JavaScript values. Everything that reads a PDF works on these; only `open/` knows the engine
 * that parsed them. Numbers, booleans and null stand for themselves, arrays for arrays.
 */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfDict | PdfArray;
export type PdfArray = readonly PdfValue[];

/** A name without its slash, `#xx` decoded (one character per byte). Equal names are the same object. */
export interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}
/** A string as the bytes it stands for (after escapes and decryption). */
export interface PdfString {
  readonly kind: 'string';
  readonly bytes: Uint8Array;
}
/** An indirect reference. The engine resolves by object number alone. */
export interface PdfRef {
  readonly kind: 'ref';
  readonly num: number;
}
/** A dictionary. `stream` is the object number when the dictionary belongs to a stream, else 0. */
export interface PdfDict {
  readonly kind: 'dict';
  readonly map: ReadonlyMap<string, PdfValue>;
  readonly stream: number;
}

const names = new Map<string, PdfName>();
/** How many different names are kept unique: hostile files may invent millions. */
const maxInternedNames = 20_000;

/** Makes a name; equal texts give the same object as long as the table has room. */
export function pdfName(name: string): PdfName {
  const known = names.get(name);
  if (known) return known;
  const made: PdfName = { kind: 'name', name };
  if (names.size < maxInternedNames) names.set(name, made);
  return made;
}

export function isName(value: PdfValue | undefined, name?: string): value is PdfName {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'name' &&
    (name === undefined || value.name === name)
  );
}
export function isString(value: PdfValue | undefined): value is PdfString {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'string';
}
export function isRef(value: PdfValue | undefined): value is PdfRef {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'ref';
}
export function isDict(value: PdfValue | undefined): value is PdfDict {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'dict';
}
export function isArray(value: PdfValue | undefined): value is PdfArray {
  return Array.isArray(value);
}

/** One character per byte. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
