import type { PDFObject } from 'mupdf';
import type { Engine } from './engine.ts';
import { isArray, isDict, isName, isRef, isString, type PdfValue } from './values.ts';

/** A plain value as an object of the engine. Streams go by reference only: of their dictionary a copy is made. */
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

/** The engine takes names as UTF-8; ours have one character per byte. Bytes that are no UTF-8 stay characters. */
export function utf8Name(name: string): string {
  const text = Buffer.from(name, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? name : text;
}
