import { inflateSync } from 'node:zlib';
import type { DiskFile } from './disk-file.ts';
import { createLexer, nextToken, tokens } from './lexer.ts';
import { readDict } from './parse-object.ts';
import { isArray, isDict, isName, type PdfDict } from './values.ts';

/**
 * Where an object lies, as one number, since a file may have millions: the offset at which it begins, or below zero the
 * object stream it lies in and its index there (see `inContainer`).
 */
export type ObjectPlace = number;

const indexes = 0x10000;
const placeInside = (container: number, index: number): ObjectPlace => -1 - (container * indexes + index);

/** The object stream and the index in it of a place below zero. */
export const inContainer = (place: ObjectPlace): { container: number; index: number } => ({
  container: Math.floor((-1 - place) / indexes),
  index: (-1 - place) % indexes,
});

/** A dictionary longer than this is left to the engine. */
const dictWindow = 8192;
const maxEntries = 4_000_000;
const maxSections = 1000;

export interface ObjectPlaces {
  /** By object number; null for free ones. */
  readonly places: ReadonlyMap<number, ObjectPlace | null>;
  /** The newest section's. */
  readonly trailer: PdfDict;
  /** Object numbers are below it. */
  readonly count: number;
  /** No object was superseded by a newer one of its number, none is of another generation than 0. */
  readonly isFirstWriting: boolean;
}

/**
 * The cross-reference table, read without the engine, the newest section first to speak. Null where anything is not exactly
 * as it should be, and for hybrid files.
 */
export function readObjectPlaces(disk: DiskFile): ObjectPlaces | null {
  const places = new Map<number, ObjectPlace | null>();
  let newest: PdfDict | null = null;
  let count = 0;
  let isFirstWriting = true;
  const tail = latin1(disk.read(Math.max(0, disk.size - 2048), 2048));
  let next: number | null = Number(/startxref\s*(\d+)(?![\s\S]*startxref)/.exec(tail)?.[1] ?? -1);
  const keep: Keep = (num, place, isReused) => {
    // Number 0 heads the list of free ones in every section.
    if (num > 0 && (places.has(num) || (place !== null && isReused))) isFirstWriting = false;
    if (!places.has(num)) places.set(num, place);
    count = Math.max(count, num + 1);
  };
  for (let sections = 0; next !== null; sections++) {
    if (next <= 0 || next >= disk.size || sections > maxSections) return null;
    const trailer: PdfDict | null = readTable(disk, next, keep) ?? readXrefStream(disk, next, keep);
    if (trailer === null) return null;
    newest ??= trailer;
    next = previous(trailer);
  }
  const size = newest?.map.get('Size');
  return (
    newest && { places, trailer: newest, count: Math.max(count, typeof size === 'number' ? size : 0), isFirstWriting }
  );
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** `isReused`: of another generation than 0. */
type Keep = (num: number, place: ObjectPlace | null, isReused: boolean) => void;

const previous = (trailer: PdfDict): number | null => {
  const prev = trailer.map.get('Prev');
  return typeof prev === 'number' ? prev : null;
};

function readTable(disk: DiskFile, start: number, keep: Keep): PdfDict | null {
  if (latin1(disk.read(start, 4)) !== 'xref') return null;
  let position = start + 4;
  while (position < disk.size) {
    const window = disk.read(position, 4096);
    const lexer = createLexer(window);
    const token = nextToken(lexer);
    if (token === tokens.keyword) {
      if (nextToken(lexer) !== tokens.dictStart) return null;
      const trailer = readDict(lexer, 0);
      // A hybrid's stream would have to be read before /Prev: rare enough to leave to the engine.
      return trailer.map.has('XRefStm') ? null : trailer;
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

/** `0000000123 00000 n`: its offset, -1 when it is free, null for anything else. */
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

/** The generation, five digits behind the offset of a sound entry. */
const isReused = (bytes: Uint8Array, at: number): boolean =>
  [11, 12, 13, 14, 15].some((digit) => bytes[at + digit] !== 48);

const isLineEnd = (byte: number | undefined): boolean => byte === 32 || byte === 13 || byte === 10;

function readXrefStream(disk: DiskFile, start: number, keep: Keep): PdfDict | null {
  const window = disk.read(start, dictWindow);
  const lexer = createLexer(window);
  for (const expected of [tokens.number, tokens.number, tokens.keyword, tokens.dictStart]) {
    if (nextToken(lexer) !== expected) return null;
  }
  const dict = readDict(lexer, 0);
  const [length, widths] = [dict.map.get('Length'), dict.map.get('W')];
  const head = latin1(window.subarray(lexer.pos, lexer.pos + 32));
  const begin = /^\s*stream\r?\n/.exec(head);
  if (!begin || typeof length !== 'number' || length > maxEntries * 8 || !isArray(widths)) return null;
  const rows = decodeRows(disk.read(start + lexer.pos + begin[0].length, length), dict);
  return rows && keepRows(rows, widths.map(Number), dict, keep) ? dict : null;
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

/** Inflates and undoes PNG's Up predictor, the two forms that cross-reference streams come in. */
function decodeRows(data: Uint8Array, dict: PdfDict): Buffer | null {
  const filter = dict.map.get('Filter');
  const names = isArray(filter) ? filter : filter === undefined ? [] : [filter];
  if (names.length > 1 || (names[0] !== undefined && !isName(names[0], 'FlateDecode'))) return null;
  let bytes: Buffer;
  try {
    bytes = names.length === 0 ? Buffer.from(data) : inflateSync(data, { maxOutputLength: maxEntries * 16 });
  } catch {
    // The engine mends what zlib refuses.
    return null;
  }
  const given = dict.map.get('DecodeParms');
  const parms = isArray(given) ? given[0] : given;
  const predictor = isDict(parms) ? parms.map.get('Predictor') : 1;
  if (predictor === undefined || predictor === 1) return bytes;
  const columns = isDict(parms) ? parms.map.get('Columns') : undefined;
  if (typeof predictor !== 'number' || predictor < 10 || typeof columns !== 'number' || !(columns > 0)) return null;
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
