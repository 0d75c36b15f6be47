/** Records changes to an open file. Write them with `rewritePdf` or `patchCopy`. */
import { deflateSync } from 'node:zlib';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isRef, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';
import { pdfDict, pdfRef } from './make-values.ts';

export interface PdfEditor {
  readonly file: PdfFile;
  /** True when anything was changed. */
  readonly isChanged: () => boolean;
  /** Sets an entry of an indirect object, or one inside of it by a path of keys; `undefined` removes it. */
  readonly put: (num: number, keys: string | readonly (string | number)[], value: PdfValue | undefined) => void;
  /**
   * Sets an entry of a page; `undefined` removes it.
   * @throws RangeError for a page that is a direct object
   */
  readonly putPage: (page: PageFacts, key: string, value: PdfValue | undefined) => void;
  readonly putCatalog: (key: string, value: PdfValue | undefined) => void;
  readonly putInfo: (key: string, value: PdfValue | undefined) => void;
  /** Adds an object and returns its number. */
  readonly add: (value: PdfValue) => number;
  /** Adds a stream and returns its number. The data is deflated unless the dictionary names a filter. */
  readonly addStream: (data: Uint8Array, dict: PdfDict) => number;
  /** Replaces a stream and its whole dictionary. */
  readonly setStream: (num: number, data: Uint8Array, dict: PdfDict) => void;
  /** Replaces an object that is not a stream. */
  readonly set: (num: number, value: PdfValue) => void;
  /** PDF version for the written file; null to keep the version. */
  readonly version: () => string | null;
  readonly setVersion: (version: string) => void;
  /** Records that objects were changed in another way, for example by `rewriteDocument`. */
  readonly markChanged: () => void;
}

/** Creates an editor for an open file. */
export function createEditor(file: PdfFile): PdfEditor {
  let changed = false;
  let version: string | null = null;

  const put: PdfEditor['put'] = (num, keys, value) => {
    changed = true;
    file.put(num, typeof keys === 'string' ? [keys] : keys, value);
  };
  const set = (num: number, value: PdfValue): number => {
    changed = true;
    file.set(num, value);
    return num;
  };
  const setStream: PdfEditor['setStream'] = (num, data, dict) => {
    changed = true;
    const isRaw = dict.map.has('Filter');
    const entries = isRaw ? dict : pdfDict({ Filter: pdfName('FlateDecode'), DecodeParms: undefined }, dict);
    file.set(num, entries, isRaw ? data : deflateSync(data));
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
      const info = set(file.reserve(), pdfDict({ [key]: value }, file.info));
      (file.trailer.map as Map<string, PdfValue>).set('Info', pdfRef(info));
    },
    add: (value) => set(file.reserve(), value),
    addStream(data, dict) {
      const num = file.reserve();
      setStream(num, data, dict);
      return num;
    },
    setStream,
    set,
    version: () => version,
    setVersion(wanted) {
      version = wanted;
      changed = true;
    },
    markChanged() {
      changed = true;
    },
  };
}
