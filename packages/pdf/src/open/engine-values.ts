import type { PDFObject } from 'mupdf';
import type { Engine } from './engine.ts';
import { isArray, isDict, isName, isRef, isString, type PdfValue } from './values.ts';

/**
 * Converts a plain value to a MuPDF object. For a stream, only its dictionary is converted; refer to streams by
 * reference.
 */
export function toEngineValue(engine: Engine, value: PdfValue): PDFObject {
  if (value === null) return engine.newNull();
  if (typeof value === 'boolean') return engine.newBoolean(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? engine.newInteger(value) : engine.newReal(value);
  }
  if (isName(value)) return engine.newName(utf8Name(value.name));
  if (isRef(value)) return engine.newIndirect(value.num);
  if (isString(value)) return engine.newByteString(Uint8Array.from(value.bytes));
  if (isArray(value)) {
    const array = engine.newArray();
    for (const entry of value) array.push(toEngineValue(engine, entry));
    return array;
  }
  const dict = engine.newDictionary();
  if (isDict(value)) for (const [key, entry] of value.map) dict.put(utf8Name(key), toEngineValue(engine, entry));
  return dict;
}

/**
 * MuPDF takes names as UTF-8 text; our names have one character per byte. Names that are not valid UTF-8 are passed on
 * unchanged.
 */
export function utf8Name(name: string): string {
  const text = Buffer.from(name, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? name : text;
}
