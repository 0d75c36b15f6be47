/**
 * Changes to an open file, said in plain values. They live in the engine's memory until `rewritePdf` writes the file;
 * large streams (images) are spooled to disk at once, so that a file of any size needs no memory.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { PDFObject } from 'mupdf';
import { toEngineValue, utf8Name } from '../open/engine-values.ts';
import type { PageFacts, PdfFile } from '../open/pdf-file.ts';
import type { FileRange } from '../open/plain-objects.ts';
import { isRef, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';
import { pdfDict, pdfRef } from './make-values.ts';

/** An object of the engine: to be handed on, not looked into. */
export type EngineObject = PDFObject;

export interface PdfEditor {
  readonly file: PdfFile;
  /** Anything was changed. */
  readonly isChanged: () => boolean;
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
  /** PDF version the file is to be written in; null: its own. */
  readonly version: () => string | null;
  readonly setVersion: (version: string) => void;
  /** Somebody else (the rewriter) changed objects in the engine. */
  readonly markChanged: () => void;
  /** Removes what was spooled: the file can no longer be written. */
  readonly close: () => void;
}

/** Streams from here on are spooled. */
const spoolFrom = 1 << 16;

export function createEditor(file: PdfFile, spoolDir: string): PdfEditor {
  // Also settles which engine it is: from here on that one holds changes.
  file.forget();
  const { engine } = file;
  const spool = createSpool(path.join(spoolDir, 'spool.bin'));
  let changed = false;
  let version: string | null = null;

  const touch = (num?: number): void => {
    changed = true;
    file.forget(num);
  };

  const toEngine = (value: PdfValue): PDFObject => toEngineValue(engine, value);

  const put: PdfEditor['put'] = (num, keys, value) => {
    const path = typeof keys === 'string' ? [keys] : keys;
    const last = path.at(-1);
    if (last === undefined) return;
    let object: PDFObject = engine.newIndirect(num);
    for (const key of path.slice(0, -1)) object = object.get(typeof key === 'string' ? utf8Name(key) : key);
    const key = typeof last === 'string' ? utf8Name(last) : last;
    if (value === undefined) object.delete(key);
    else object.put(key, toEngine(value));
    // A longer way may have led into another object.
    touch(path.length === 1 ? num : undefined);
  };

  /** Deflates what has no filter; what is big goes to disk and leaves an empty stream behind. */
  const writeData = (num: number, data: Uint8Array, dict: PdfDict): void => {
    const isRaw = dict.map.has('Filter');
    const bytes = isRaw ? data : deflateSync(data);
    const entries = isRaw ? dict : pdfDict({ Filter: pdfName('FlateDecode'), DecodeParms: undefined }, dict);
    const object = engine.newIndirect(num);
    object.writeObject(toEngine(pdfDict({ Length: undefined }, entries)));
    const isBig = bytes.length >= spoolFrom;
    object.writeRawStream(isBig ? new Uint8Array(0) : bytes);
    file.moveStream(num, isBig ? spool.append(bytes) : null);
    touch(num);
  };

  const numberOf = (key: 'Root' | 'Info'): number => {
    const value = file.trailer.map.get(key);
    return isRef(value) ? value.num : 0;
  };

  return {
    file,
    isChanged: () => changed,
    put,
    putPage(page, key, value) {
      if (page.object === 0) throw new RangeError(`page ${page.number} is written directly`);
      put(page.object, key, value);
    },
    putCatalog: (key, value) => put(numberOf('Root'), key, value),
    putInfo(key, value) {
      const num = numberOf('Info');
      if (num !== 0) return put(num, key, value);
      const info = engine.addObject(toEngine(pdfDict({ [key]: value }, file.info)));
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
    version: () => version,
    setVersion(wanted) {
      version = wanted;
      changed = true;
    },
    markChanged: () => touch(),
    close: spool.close,
  };
}

/** One file that holds the bytes of many streams, made when the first comes. */
function createSpool(file: string) {
  let fd = -1;
  let size = 0;
  return {
    append(bytes: Uint8Array): FileRange {
      if (fd < 0) fd = openSync(file, 'w+');
      const offset = size;
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
      size += bytes.length;
      return { fd, offset, length: bytes.length };
    },
    close(): void {
      if (fd < 0) return;
      closeSync(fd);
      rmSync(file, { force: true });
      fd = -1;
    },
  };
}
