import { inflateRawSync, constants as zlib } from 'node:zlib';
import { FileFaultError } from '@pdf2press/contract/faults';
import type { Budgets } from './budgets.ts';
import { type Engine, tolerant } from './engine.ts';
import type { SteadyEngine } from './steady-engine.ts';
import { isArray, isName, type PdfDict, type PdfValue } from './values.ts';

const nothing = new Uint8Array(0);
/** Number of encoded bytes that `head` decodes; deflate expands them at most about a thousand times. */
const headBytes = 4096;

/** Compression method in the lower half of the first byte of a zlib stream (RFC 1950). */
const zlibDeflate = 8;

export interface Streams {
  /** Decrypted, still encoded. Empty when it cannot be read. */
  raw: (num: number) => Uint8Array;
  /**
   * All filters undone, including image filters. As much as could be decoded; empty when nothing could.
   * @throws FileFaultError PDF_LIMIT_EXPANSION
   */
  decoded: (num: number, dict: PdfDict) => Uint8Array;
  /** The first few kilobytes of the decoded data, enough to recognise a format. */
  head: (num: number, dict: PdfDict) => Uint8Array;
  /** Must be called after objects were changed. */
  forget: () => void;
}

/** Names of a stream's filters in the order in which they are undone when decoding; abbreviations are expanded. */
export function filterNames(dict: PdfDict, resolve: (value: PdfValue | undefined) => PdfValue): string[] {
  const filter = resolve(dict.map.get('Filter') ?? dict.map.get('F'));
  const list = isArray(filter) ? filter.map((entry) => resolve(entry)) : [filter];
  return list.flatMap((entry) => (isName(entry) ? [longFilterNames[entry.name] ?? entry.name] : []));
}

/** Full names of the filter abbreviations of inline images (ISO 32000-1, 8.9.7). */
export const longFilterNames: Readonly<Record<string, string>> = {
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
  /** Decodes streams within the limits of `budgets`. */
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
};

export function createStreams(
  steady: SteadyEngine,
  budgets: Budgets,
  resolve: (value: PdfValue | undefined) => PdfValue,
  /** Encoded bytes that can be read without MuPDF; null where they cannot. */
  fromDisk: (num: number) => Uint8Array | null,
  /** Called before MuPDF is asked for a stream, so that it can be given pending changes. */
  beforeEngine: (num: number) => void,
): Streams {
  let expanded = 0;
  // A stream counts once, however often it is read.
  const counted = new Set<number>();
  const spend = (num: number, encoded: number, decoded: number): void => {
    if (!counted.has(num)) expanded += decoded;
    counted.add(num);
    if (decoded > budgets.ratioFloorBytes && decoded > encoded * budgets.expansionRatio) {
      throw new FileFaultError('PDF_LIMIT_EXPANSION', { ratio: budgets.expansionRatio });
    }
    if (expanded > budgets.expandedBytes) {
      throw new FileFaultError('PDF_LIMIT_EXPANSION', { limitBytes: budgets.expandedBytes });
    }
  };
  // Data of broken streams. Asking MuPDF for them again would make it repair the file again.
  const kept = new Map<string, Uint8Array>();
  const read = (num: number, how: 'readRawStream' | 'readStream'): Uint8Array => {
    const key = `${how} ${num}`;
    const known = kept.get(key);
    if (known) return known;
    let bytes: Uint8Array = nothing;
    beforeEngine(num);
    steady.read(num, (engine) => {
      bytes = tolerant(() => copyOut(engine.newIndirect(num), (object) => object[how]()), nothing);
    });
    if (steady.isBroken(num)) kept.set(key, bytes);
    return bytes;
  };
  const raw = (num: number): Uint8Array => fromDisk(num) ?? read(num, 'readRawStream');

  const head = (num: number, dict: PdfDict): Uint8Array => {
    const filters = filterNames(dict, resolve);
    if (filters.length === 1 && filters[0] === 'FlateDecode' && !dict.map.has('DecodeParms')) {
      const encoded = raw(num).subarray(0, headBytes);
      const start = inflate(encoded, budgets) ?? salvage(encoded, budgets);
      if (start.length > 0) return start;
    }
    return decoded(num, dict);
  };
  const decoded = (num: number, dict: PdfDict): Uint8Array => {
    const filters = filterNames(dict, resolve);
    const predictor = dict.map.get('DecodeParms') ?? dict.map.get('DP') ?? null;
    if (filters.length === 0) return raw(num);
    if (filters.length === 1 && filters[0] === 'FlateDecode' && predictor === null) {
      const encoded = raw(num);
      const inflated = inflate(encoded, budgets);
      if (inflated) {
        spend(num, encoded.length, inflated.length);
        return inflated;
      }
    }
    // All other filters, and data that zlib refuses: MuPDF decodes as much as it can and has its own limit of
    // expansion.
    let bytes = read(num, 'readStream');
    if (bytes.length === 0 && filters[0] === 'FlateDecode' && filters.length === 1 && predictor === null) {
      bytes = salvage(raw(num), budgets);
    }
    spend(num, Math.max(1, lengthOf(dict, resolve)), bytes.length);
    return bytes;
  };

  return {
    raw,
    head,
    decoded,
    forget: () => kept.clear(),
  };
}

type EngineObject = ReturnType<Engine['newIndirect']>;

function copyOut(
  object: EngineObject,
  read: (object: EngineObject) => ReturnType<EngineObject['readStream']>,
): Uint8Array {
  const buffer = read(object);
  // A copy, because the WebAssembly memory moves when it grows.
  const bytes = buffer.asUint8Array().slice();
  buffer.destroy();
  object.destroy();
  return bytes;
}

function lengthOf(dict: PdfDict, resolve: (value: PdfValue | undefined) => PdfValue): number {
  const length = resolve(dict.map.get('Length'));
  return typeof length === 'number' ? length : 0;
}

/**
 * Null when the data is damaged. A truncated stream gives the data before the cut. The two bytes of the zlib header are
 * skipped, because many writers declare too small a window there.
 * @throws FileFaultError PDF_LIMIT_EXPANSION
 */
function inflate(encoded: Uint8Array, budgets: Budgets): Uint8Array | null {
  const byRatio = Math.max(budgets.ratioFloorBytes, encoded.length * budgets.expansionRatio);
  const maxOutputLength = Math.min(budgets.streamBytes, byRatio) + 1;
  if (((encoded[0] ?? 0) & 0x0f) !== zlibDeflate) return null;
  try {
    return inflateRawSync(encoded.subarray(2), { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new FileFaultError('PDF_LIMIT_EXPANSION', { limitBytes: maxOutputLength - 1 });
    }
    return null;
  }
}

/** Damaged streams longer than this are not salvaged. */
const salvageBytes = 2 ** 24;

/** The longest beginning of a damaged deflate stream that can be decoded, found by bisection. */
function salvage(encoded: Uint8Array, budgets: Budgets): Uint8Array {
  let best: Uint8Array = nothing;
  let good = 0;
  let bad = Math.min(encoded.length, salvageBytes);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const decoded = inflate(encoded.subarray(0, middle), budgets);
    if (decoded) {
      best = decoded;
      good = middle;
    } else bad = middle;
  }
  return best;
}
