import { inflateSync } from 'node:zlib';
import type { DiskFile } from './disk-file.ts';
import { createLexer, nextToken, tokens } from './lexer.ts';
import { readDict } from './parse-object.ts';
import { isStrictDict } from './strict-syntax.ts';
import { isArray, isDict, isName, type PdfDict } from './values.ts';

/**
 * Position of an object, encoded as one number because a file may have millions of objects: the byte offset of the
 * object, or a negative number for an object in an object stream (see `inContainer`).
 */
export type ObjectPlace = number;

const indexes = 0x10000;
const placeInside = (container: number, index: number): ObjectPlace => -1 - (container * indexes + index);

/** Object number of the object stream and index in it, for a negative place. */
export const inContainer = (place: ObjectPlace): { container: number; index: number } => ({
  container: Math.floor((-1 - place) / indexes),
  index: (-1 - place) % indexes,
});

/** MuPDF looks for `startxref` in so many last bytes of a file. */
const endWindow = 1024;
/** A longer cross-reference stream dictionary is left to MuPDF. */
const dictWindow = 8192;
const maxEntries = 4_000_000;
const maxSections = 1000;

export interface ObjectPlaces {
  /** Place by object number; null for free objects. */
  readonly places: ReadonlyMap<number, ObjectPlace | null>;
  /** The trailer of the newest cross-reference section. */
  readonly trailer: PdfDict;
  /** All object numbers are smaller than this. */
  readonly count: number;
  /** True when no object was replaced by an incremental update and every generation number is 0. */
  readonly isFirstWriting: boolean;
  /**
   * True when every place is inside the file, or in an object stream that is there, the trailers have no fault and name the
   * size, and the end of the file tells where the table is. MuPDF builds any other table anew when it opens the file.
   */
  readonly isWhole: boolean;
}

/**
 * Reads the cross-reference table without MuPDF, newest section first. Returns null for hybrid files and whenever
 * anything deviates from the standard (ISO 32000-1, 7.5.4 and 7.5.8), so that MuPDF reads the file instead.
 */
export function readObjectPlaces(disk: DiskFile): ObjectPlaces | null {
  const places = new Map<number, ObjectPlace | null>();
  let newest: PdfDict | null = null;
  let count = 0;
  let isFirstWriting = true;
  let isStrict = true;
  const tail = latin1(disk.read(Math.max(0, disk.size - 2048), 2048));
  let next: number | null = Number(/startxref\s*(\d+)(?![\s\S]*startxref)/.exec(tail)?.[1] ?? -1);
  const keep: Keep = (num, place, isReused) => {
    // Object 0 is the head of the list of free objects in every section.
    if (num > 0 && (places.has(num) || (place !== null && isReused))) isFirstWriting = false;
    if (!places.has(num)) places.set(num, place);
    count = Math.max(count, num + 1);
  };
  for (let sections = 0; next !== null; sections++) {
    if (next <= 0 || next >= disk.size || sections > maxSections) return null;
    const found: Trailer | null = readTable(disk, next, keep) ?? readXrefStream(disk, next, keep);
    if (found === null) return null;
    const { trailer } = found;
    isStrict &&= found.isStrict && typeof trailer.map.get('Size') === 'number';
    newest ??= trailer;
    next = previous(trailer);
  }
  const size = newest?.map.get('Size');
  return (
    newest && {
      places,
      trailer: newest,
      count: Math.max(count, typeof size === 'number' ? size : 0),
      isFirstWriting,
      isWhole: isStrict && tail.lastIndexOf('startxref') >= tail.length - endWindow && areWhole(places, disk.size),
    }
  );
}

function areWhole(places: ObjectPlaces['places'], bytes: number): boolean {
  for (const place of places.values()) {
    if (place === null) continue;
    // A place of 0 is a free object to MuPDF as well.
    const outer = place < 0 ? places.get(inContainer(place).container) : place;
    if (outer === undefined || outer === null || outer < 0 || outer >= bytes || (place < 0 && outer === 0))
      return false;
  }
  return true;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

interface Trailer {
  trailer: PdfDict;
  /** True when its text has no fault. */
  isStrict: boolean;
}

/** `isReused` is true for a generation number other than 0. */
type Keep = (num: number, place: ObjectPlace | null, isReused: boolean) => void;

const previous = (trailer: PdfDict): number | null => {
  const prev = trailer.map.get('Prev');
  return typeof prev === 'number' ? prev : null;
};

function readTable(disk: DiskFile, start: number, keep: Keep): Trailer | null {
  if (latin1(disk.read(start, 4)) !== 'xref') return null;
  let position = start + 4;
  while (position < disk.size) {
    const window = disk.read(position, 4096);
    const lexer = createLexer(window);
    const token = nextToken(lexer);
    if (token === tokens.keyword) {
      if (nextToken(lexer) !== tokens.dictStart) return null;
      const isStrict = isStrictDict(latin1(window), lexer.start);
      const trailer = readDict(lexer, 0);
      // In a hybrid file the stream at /XRefStm takes precedence over /Prev. Such files are rare and left to MuPDF.
      return trailer.map.has('XRefStm') ? null : { trailer, isStrict };
    }
    const first = lexer.number;
    if (token !== tokens.number || nextToken(lexer) !== tokens.number) return null;
    const count = lexer.number;
    let at = lexer.pos;
    while (window[at] === 32 || window[at] === 13 || window[at] === 10) at++;
    if (!(count >= 0 && count <= maxEntries)) return null;
    const entries = disk.read(position + at, count * 20);
    if (entries.length !== count * 20) return null;
    for (let i = 0; i < count; i++) {
      const offset = entryOffset(entries, i * 20);
      if (offset === null) return null;
      keep(first + i, offset < 0 ? null : offset, isReused(entries, i * 20));
    }
    position += at + count * 20;
  }
  return null;
}

/** Parses `0000000123 00000 n`: the offset, -1 for a free entry, null for anything else. */
function entryOffset(bytes: Uint8Array, at: number): number | null {
  let offset = 0;
  for (let i = 0; i < 16; i++) {
    const digit = (bytes[at + i] ?? 0) - 48;
    if (i === 10 ? digit !== -16 : digit < 0 || digit > 9) return null;
    if (i < 10) offset = offset * 10 + digit;
  }
  const kind = bytes[at + 17];
  const isEntry =
    bytes[at + 16] === 32 && (kind === 110 || kind === 102) && isLineEnd(bytes[at + 18]) && isLineEnd(bytes[at + 19]);
  return isEntry ? (kind === 110 ? offset : -1) : null;
}

/** True when the generation number (five digits after the offset) is not 0. */
const isReused = (bytes: Uint8Array, at: number): boolean =>
  [11, 12, 13, 14, 15].some((digit) => bytes[at + digit] !== 48);

const isLineEnd = (byte: number | undefined): boolean => byte === 32 || byte === 13 || byte === 10;

function readXrefStream(disk: DiskFile, start: number, keep: Keep): Trailer | null {
  const window = disk.read(start, dictWindow);
  const lexer = createLexer(window);
  for (const expected of [tokens.number, tokens.number, tokens.keyword, tokens.dictStart]) {
    if (nextToken(lexer) !== expected) return null;
  }
  const isStrict = isStrictDict(latin1(window), lexer.start);
  const dict = readDict(lexer, 0);
  const [length, widths] = [dict.map.get('Length'), dict.map.get('W')];
  const head = latin1(window.subarray(lexer.pos, lexer.pos + 32));
  const begin = /^\s*stream\r?\n/.exec(head);
  if (!begin || typeof length !== 'number' || length > maxEntries * 8 || !isArray(widths)) return null;
  const rows = decodeRows(disk.read(start + lexer.pos + begin[0].length, length), dict);
  return rows && keepRows(rows, widths.map(Number), dict, keep) ? { trailer: dict, isStrict } : null;
}

function keepRows(rows: Buffer, [w0 = 0, w1 = 0, w2 = 0]: readonly number[], dict: PdfDict, keep: Keep): boolean {
  const width = w0 + w1 + w2;
  const sizeEntry = dict.map.get('Size');
  const index = dict.map.get('Index');
  const ranges = isArray(index) ? index.map(Number) : [0, Number(sizeEntry)];
  if (!(width > 0 && w0 <= 6 && w1 <= 6 && w2 <= 6)) return false;
  let at = 0;
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range, range + 2);
    for (let i = 0; i < count && at + width <= rows.length; i++, at += width) {
      const type = w0 === 0 ? 1 : rows.readUIntBE(at, w0);
      const field = w1 === 0 ? 0 : rows.readUIntBE(at + w0, w1);
      const index = w2 === 0 ? 0 : rows.readUIntBE(at + w0 + w1, w2);
      if (type === 2 && index >= indexes) return false;
      keep(first + i, type === 1 ? field : type === 2 ? placeInside(field, index) : null, type === 1 && index > 0);
    }
  }
  return true;
}

/**
 * Inflates the data and undoes the PNG Up predictor, the only forms that cross-reference streams have in practice. Null
 * for others.
 */
function decodeRows(data: Uint8Array, dict: PdfDict): Buffer | null {
  const filter = dict.map.get('Filter');
  const names = isArray(filter) ? filter : filter === undefined ? [] : [filter];
  if (names.length > 1 || (names[0] !== undefined && !isName(names[0], 'FlateDecode'))) return null;
  let bytes: Buffer;
  try {
    bytes = names.length === 0 ? Buffer.from(data) : inflateSync(data, { maxOutputLength: maxEntries * 16 });
  } catch {
    // MuPDF can repair data that zlib refuses.
    return null;
  }
  const given = dict.map.get('DecodeParms');
  const parms = isArray(given) ? given[0] : given;
  const predictor = isDict(parms) ? parms.map.get('Predictor') : 1;
  if (predictor === undefined || predictor === 1) return bytes;
  const columns = isDict(parms) ? parms.map.get('Columns') : undefined;
  if (
    typeof predictor !== 'number' ||
    predictor < 10 ||
    predictor > 15 ||
    typeof columns !== 'number' ||
    !(columns > 0)
  )
    return null;
  const rows = Math.floor(bytes.length / (columns + 1));
  const out = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row++) {
    const type = bytes[row * (columns + 1)];
    if (type !== 2 && type !== 0) return null;
    for (let i = 0; i < columns; i++) {
      const above = type === 2 && row > 0 ? (out[(row - 1) * columns + i] ?? 0) : 0;
      out[row * columns + i] = ((bytes[row * (columns + 1) + 1 + i] ?? 0) + above) & 0xff;
    }
  }
  return out;
}
