import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { createLexer, nextToken, packKeyword, tokens } from '../open/lexer.ts';
import { readDict } from '../open/parse-object.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict } from '../open/values.ts';

/** Bytes of an open file. */
export interface FileRange {
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
}

/** Knows where streams lie in a file, so that they can be copied without passing through the engine's memory. */
export interface StreamPlaces {
  /** Where the bytes of a stream are; null when that is not beyond doubt, or not worth it. */
  find: (num: number, dict: PdfDict) => FileRange | null;
  close: () => void;
}

/** Below this the engine is as fast. */
const worthwhile = 32 * 1024;
/** A dictionary longer than this is left to the engine. */
const dictWindow = 8192;
const maxEntries = 4_000_000;
const maxSections = 1000;

/**
 * Reads the cross-reference table for itself. Only for files that are neither encrypted nor mended nor changed through
 * the engine; every place is proved before it is used: the object's header, its dictionary and `endstream` must stand
 * exactly where table and /Length say.
 */
export function openStreamPlaces(file: PdfFile): StreamPlaces {
  const isPlain = file.encryption === null && !file.isRepaired && file.structure.headerOffset === 0;
  if (!isPlain) return { find: () => null, close: () => undefined };
  const fd = openSync(file.path, 'r');
  const { size } = fstatSync(fd);
  let offsets: Map<number, number> | null | undefined;
  return {
    find(num, dict) {
      const length = file.entry(dict, 'Length');
      if (typeof length !== 'number' || !Number.isInteger(length) || length < worthwhile) return null;
      offsets ??= readOffsets(fd, size) ?? new Map();
      const offset = offsets.get(num);
      return offset === undefined ? null : prove(fd, size, { num, offset, length });
    },
    close: () => closeSync(fd),
  };
}

function read(fd: number, position: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

function prove(fd: number, size: number, at: { num: number; offset: number; length: number }): FileRange | null {
  const bytes = read(fd, at.offset, Math.min(dictWindow, size - at.offset));
  const lexer = createLexer(bytes);
  const isHeader =
    nextToken(lexer) === tokens.number &&
    lexer.number === at.num &&
    nextToken(lexer) === tokens.number &&
    nextToken(lexer) === tokens.keyword &&
    lexer.keyword === packKeyword('obj') &&
    nextToken(lexer) === tokens.dictStart;
  if (!isHeader) return null;
  readDict(lexer, 0);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + lexer.pos, Math.min(32, bytes.length - lexer.pos)).toString(
    'latin1',
  );
  const start = /^\s*stream(\r\n|\n)/.exec(head);
  if (!start) return null;
  const offset = at.offset + lexer.pos + start[0].length;
  const tail = Buffer.from(read(fd, offset + at.length, 16)).toString('latin1');
  return /^(\r\n|\n|\r)?endstream/.test(tail) ? { fd, offset, length: at.length } : null;
}

/** Offsets by object number, the newest section first to speak; null where anything is not as it should be. */
function readOffsets(fd: number, size: number): Map<number, number> | null {
  const offsets = new Map<number, number>();
  const known = new Set<number>();
  const tail = Buffer.from(read(fd, Math.max(0, size - 2048), 2048)).toString('latin1');
  let next: number | null = Number(/startxref\s*(\d+)(?![\s\S]*startxref)/.exec(tail)?.[1] ?? -1);
  const keep = (num: number, offset: number | null): void => {
    if (known.has(num)) return;
    known.add(num);
    if (offset !== null) offsets.set(num, offset);
  };
  for (let sections = 0; next !== null; sections++) {
    if (next <= 0 || next >= size || sections > maxSections) return null;
    const section: { prev: number | null } | null =
      readTable(fd, size, next, keep) ?? readXrefStream(fd, size, next, keep);
    if (section === null) return null;
    next = section.prev;
  }
  return offsets;
}

type Keep = (num: number, offset: number | null) => void;

const previous = (trailer: PdfDict): number | null => {
  const prev = trailer.map.get('Prev');
  return typeof prev === 'number' ? prev : null;
};

function readTable(fd: number, size: number, start: number, keep: Keep): { prev: number | null } | null {
  if (Buffer.from(read(fd, start, 4)).toString('latin1') !== 'xref') return null;
  let position = start + 4;
  while (position < size) {
    const window = read(fd, position, 4096);
    const lexer = createLexer(window);
    const token = nextToken(lexer);
    if (token === tokens.keyword) {
      if (nextToken(lexer) !== tokens.dictStart) return null;
      const trailer = readDict(lexer, 0);
      // A hybrid's stream would have to be read before /Prev: rare enough to leave to the engine.
      return trailer.map.has('XRefStm') ? null : { prev: previous(trailer) };
    }
    const first = lexer.number;
    if (token !== tokens.number || nextToken(lexer) !== tokens.number) return null;
    const count = lexer.number;
    let at = lexer.pos;
    while (window[at] === 32 || window[at] === 13 || window[at] === 10) at++;
    if (!(count >= 0 && count <= maxEntries)) return null;
    const entries = Buffer.from(read(fd, position + at, count * 20));
    for (let i = 0; i < count; i++) {
      const entry = entries.toString('latin1', i * 20, i * 20 + 20);
      if (!/^\d{10} \d{5} [nf][ \r\n]{2}$/.test(entry)) return null;
      keep(first + i, entry.charAt(17) === 'n' ? Number(entry.slice(0, 10)) : null);
    }
    position += at + count * 20;
  }
  return null;
}

function readXrefStream(fd: number, size: number, start: number, keep: Keep): { prev: number | null } | null {
  const window = read(fd, start, Math.min(dictWindow, size - start));
  const lexer = createLexer(window);
  for (const expected of [tokens.number, tokens.number, tokens.keyword, tokens.dictStart]) {
    if (nextToken(lexer) !== expected) return null;
  }
  const dict = readDict(lexer, 0);
  const [length, widths] = [dict.map.get('Length'), dict.map.get('W')];
  const head = Buffer.from(
    window.buffer,
    window.byteOffset + lexer.pos,
    Math.min(32, window.length - lexer.pos),
  ).toString('latin1');
  const begin = /^\s*stream\r?\n/.exec(head);
  if (!begin || typeof length !== 'number' || length > maxEntries * 8 || !isArray(widths)) return null;
  const rows = decodeRows(read(fd, start + lexer.pos + begin[0].length, length), dict);
  return rows && keepRows(rows, widths.map(Number), dict, keep) ? { prev: previous(dict) } : null;
}

function keepRows(rows: Buffer, [w0 = 0, w1 = 0, w2 = 0]: readonly number[], dict: PdfDict, keep: Keep): boolean {
  const width = w0 + w1 + w2;
  const sizeEntry = dict.map.get('Size');
  const index = dict.map.get('Index');
  const ranges = isArray(index) ? index.map(Number) : [0, Number(sizeEntry)];
  if (!(width > 0 && w0 <= 6 && w1 <= 6)) return false;
  let at = 0;
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range, range + 2);
    for (let i = 0; i < count && at + width <= rows.length; i++, at += width) {
      const type = w0 === 0 ? 1 : rows.readUIntBE(at, w0);
      keep(first + i, type === 1 && w1 > 0 ? rows.readUIntBE(at + w0, w1) : null);
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
