/**
 * Changes to an open file, said in plain values. They live in the engine's memory until `rewritePdf` writes the file;
 * large streams (images) are spooled to disk at once, so that a file of any size needs no memory.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { PDFObject } from 'mupdf';
import type { PageFacts, PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';
import { pdfDict, pdfRef } from './make-values.ts';

/** An object of the engine: to be handed on, not looked into. */
export type EngineObject = PDFObject;

export interface PdfEditor {
  readonly file: PdfFile;
  /** Anything was changed. */
  readonly isChanged: () => boolean;
  /** Bytes of streams that lie on disk, by object number: for `rewritePdf`. */
  readonly spooled: ReadonlyMap<number, string>;
  /** Sets or removes (`undefined`) an entry of an indirect dictionary, or of a direct one below it. */
  readonly put: (num: number, keys: string | readonly (string | number)[], value: PdfValue | undefined) => void;
  /** A page's own entry. @throws RangeError for a page that is no indirect object */
  readonly putPage: (page: PageFacts, key: string, value: PdfValue | undefined) => void;
  readonly putCatalog: (key: string, value: PdfValue | undefined) => void;
  readonly putInfo: (key: string, value: PdfValue | undefined) => void;
  /** Adds an object; its number. */
  readonly add: (value: PdfValue) => number;
  /** Adds a stream; deflated unless the dictionary names a filter. */
  readonly addStream: (data: Uint8Array, dict: PdfDict) => number;
  /** Replaces a stream with its whole dictionary, under the same number. */
  readonly setStream: (num: number, data: Uint8Array, dict: PdfDict) => void;
  /** Replaces an object that is no stream. */
  readonly set: (num: number, value: PdfValue) => void;
  /** The value as an object of the engine, for the rewriter's `resource`. */
  readonly engineObject: (value: PdfValue) => EngineObject;
  /** Somebody else (the rewriter) changed objects in the engine. */
  readonly markChanged: () => void;
}

/** Streams from here on are spooled. */
const spoolFrom = 1 << 16;

export function createEditor(file: PdfFile, spoolDir: string): PdfEditor {
  const { engine } = file;
  const spooled = new Map<number, string>();
  let changed = false;

  const touch = (num?: number): void => {
    changed = true;
    file.forget(num);
  };

  const toEngine = (value: PdfValue): PDFObject => {
    if (value === null) return engine.newNull();
    if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? engine.newInteger(value) : engine.newReal(value);
    if (typeof value === 'boolean') return engine.newBoolean(value);
    if (isName(value)) return engine.newName(engineName(value.name));
    if (isRef(value)) return engine.newIndirect(value.num);
    if (isString(value)) return engine.newByteString(Uint8Array.from(value.bytes));
    if (isArray(value)) {
      const array = engine.newArray();
      for (const entry of value) array.push(toEngine(entry));
      return array;
    }
    const dict = engine.newDictionary();
    if (isDict(value)) for (const [key, entry] of value.map) dict.put(engineName(key), toEngine(entry));
    return dict;
  };

  const put: PdfEditor['put'] = (num, keys, value) => {
    const path = typeof keys === 'string' ? [keys] : keys;
    const last = path.at(-1);
    if (last === undefined) return;
    let object: PDFObject = engine.newIndirect(num);
    for (const key of path.slice(0, -1)) object = object.get(typeof key === 'string' ? engineName(key) : key);
    const key = typeof last === 'string' ? engineName(last) : last;
    if (value === undefined) object.delete(key);
    else object.put(key, toEngine(value));
    touch();
  };

  /** Deflates what has no filter; what is big goes to disk and leaves an empty stream behind. */
  const writeData = (num: number, data: Uint8Array, dict: PdfDict): void => {
    const isRaw = dict.map.has('Filter');
    const bytes = isRaw ? data : deflateSync(data);
    const entries = isRaw ? dict : pdfDict({ Filter: pdfName('FlateDecode'), DecodeParms: undefined }, dict);
    const object = engine.newIndirect(num);
    object.writeObject(toEngine(pdfDict({ Length: undefined }, entries)));
    spooled.delete(num);
    if (bytes.length >= spoolFrom) {
      const spool = path.join(spoolDir, `stream-${num}.bin`);
      writeFileSync(spool, bytes);
      spooled.set(num, spool);
      object.writeRawStream(new Uint8Array(0));
    } else object.writeRawStream(bytes);
    touch(num);
  };

  const numberOf = (key: 'Root' | 'Info'): number => {
    const value = file.trailer.map.get(key);
    return isRef(value) ? value.num : 0;
  };

  return {
    file,
    isChanged: () => changed,
    spooled,
    put,
    putPage(page, key, value) {
      if (page.object === 0) throw new RangeError(`page ${page.number} is written directly`);
      put(page.object, key, value);
    },
    putCatalog: (key, value) => put(numberOf('Root'), key, value),
    putInfo(key, value) {
      const num = numberOf('Info');
      if (num !== 0) return put(num, key, value);
      const info = engine.addObject(toEngine(pdfDict({ [key]: value })));
      (file.trailer.map as Map<string, PdfValue>).set('Info', pdfRef(info.asIndirect()));
      touch();
    },
    add(value) {
      const num = engine.addObject(toEngine(value)).asIndirect();
      touch(num);
      return num;
    },
    addStream(data, dict) {
      const num = engine.addRawStream(new Uint8Array(0), {}).asIndirect();
      writeData(num, data, dict);
      return num;
    },
    setStream: writeData,
    set(num, value) {
      engine.newIndirect(num).writeObject(toEngine(value));
      touch(num);
    },
    engineObject: toEngine,
    markChanged: () => touch(),
  };
}

/** The engine takes names as UTF-8; ours have one character per byte. Bytes that are no UTF-8 are kept as characters. */
function engineName(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name;
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('�') ? name : text;
}
