import { readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { DiskFile } from './disk-file.ts';
import { createLexer, type Lexer, nextToken, packKeyword, tokens, tokenText } from './lexer.ts';
import { inContainer, type ObjectPlaces } from './object-places.ts';
import { readDict, readValue } from './parse-object.ts';
import { isStrictDict } from './strict-syntax.ts';
import { isDict, isName, type PdfDict, type PdfValue } from './values.ts';

/** A range of bytes of an open file. */
export interface FileRange {
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
}

/** Reads a range from disk into a new array; shorter if the file ends before it does. */
export function readRange({ fd, offset, length }: FileRange): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const got = readSync(fd, bytes, done, length - done, offset + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

/**
 * Reads the objects of an undamaged file directly from disk, without MuPDF. This is several times as fast, and streams
 * can be copied without passing through WebAssembly memory. Every position is verified before use: the object header,
 * `endobj` and `endstream` must be exactly where the cross-reference table and /Length say. Otherwise MuPDF is used.
 */
export interface PlainObjects {
  /** Undefined when MuPDF must read the object. */
  get: (num: number) => PdfValue | undefined;
  /** Where the data of a stream of `length` bytes lies; null when MuPDF must read it. */
  range: (num: number, length: number) => FileRange | null;
  /**
   * Extent of the whole object from its number to the end of `endobj`. `length` is that of its stream, null without
   * one.
   */
  extent: (num: number, length: number | null) => Extent | null;
  /** Whether an object is a dictionary whose text has no fault. */
  isStrict: (num: number) => boolean;
}

/** Byte range of an object; `end` is exclusive. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Bytes read at a time; neighbouring objects come from one read. A longer object is left to MuPDF. */
const blockBytes = 1 << 14;
const containerBytes = 64 * 2 ** 20;
/** Object streams kept decoded: related objects usually lie in the same few streams. */
const maxContainers = 8;

/**
 * Reads objects without MuPDF. One function, because its parts share the block that was read last and the decoded object
 * streams.
 * @param disk a file that is neither encrypted nor damaged and begins with its header
 */
export function openPlainObjects(disk: DiskFile, { places }: ObjectPlaces): PlainObjects {
  const bytesAt = blockReader(disk);

  /** A lexer positioned after `12 0 obj`. */
  const opened = (num: number, wanted: number): { lexer: Lexer; offset: number } | null => {
    const offset = places.get(num);
    if (offset === undefined || offset === null || offset <= 0) return null;
    const lexer = createLexer(bytesAt(offset, wanted));
    lexer.isReused = true;
    const isHeader =
      nextToken(lexer) === tokens.number &&
      lexer.number === num &&
      nextToken(lexer) === tokens.number &&
      nextToken(lexer) === tokens.keyword &&
      lexer.keyword === packKeyword('obj');
    return isHeader ? { lexer, offset } : null;
  };

  const readAt = (num: number, wanted: number): PdfValue | undefined => {
    const at = opened(num, wanted);
    if (!at) return undefined;
    const { lexer } = at;
    const token = nextToken(lexer);
    const value = readValue(lexer, token, 0, 0);
    if (lexer.hasRepeats) return undefined;
    const end = nextToken(lexer) === tokens.keyword ? tokenText(lexer) : '';
    if (end === 'endobj') return value;
    return end === 'stream' && isDict(value) ? { ...value, stream: num } : undefined;
  };

  const containers = new Map<number, Container | null>();
  const containerOf = (num: number) => {
    const known = containers.get(num);
    if (known !== undefined) return known;
    if (containers.size >= maxContainers) containers.clear();
    const dict = readAt(num, 1024) ?? readAt(num, blockBytes);
    const made = isDict(dict) ? openContainer(dict, num) : null;
    containers.set(num, made);
    return made;
  };
  const openContainer = (dict: PdfDict, num: number) => {
    const [length, count, first] = ['Length', 'N', 'First'].map((key) => dict.map.get(key));
    const isPlain = isName(dict.map.get('Filter'), 'FlateDecode') && !dict.map.has('DecodeParms');
    if (!isPlain || typeof length !== 'number' || typeof count !== 'number' || typeof first !== 'number') return null;
    const place = range(num, length);
    if (!place) return null;
    let bytes: Uint8Array;
    try {
      bytes = inflateSync(disk.read(place.offset, length), { maxOutputLength: containerBytes });
    } catch {
      // MuPDF can repair data that zlib refuses.
      return null;
    }
    return readContainer(bytes, count, first);
  };
  const readInside = (num: number, place: number): PdfValue | undefined => {
    const { container, index } = inContainer(place);
    const inside = containerOf(container);
    const start = inside?.offsets[index];
    if (!inside || start === undefined || inside.numbers[index] !== num) return undefined;
    const lexer = createLexer(inside.bytes, start);
    const value = readValue(lexer, nextToken(lexer), 0, 0);
    return lexer.hasRepeats ? undefined : value;
  };

  const range = (num: number, length: number): FileRange | null => {
    if (!Number.isInteger(length) || length < 0) return null;
    const at = opened(num, Math.min(length + 1024, blockBytes));
    if (!at || nextToken(at.lexer) !== tokens.dictStart) return null;
    readDict(at.lexer, 0);
    const start = streamStart(at.lexer);
    if (start < 0) return null;
    const offset = at.offset + start;
    return isStreamEnd(bytesAt(offset + length, 11)) ? { fd: disk.fd, offset, length } : null;
  };

  /** End of an object without a stream, relative to its beginning; -1 if it does not end with `endobj`. */
  const plainEnd = (num: number, wanted: number): number => {
    const at = opened(num, wanted);
    if (!at) return -1;
    readValue(at.lexer, nextToken(at.lexer), 0, 0);
    return nextToken(at.lexer) === tokens.keyword && tokenText(at.lexer) === 'endobj' ? at.lexer.pos : -1;
  };
  const extent = (num: number, length: number | null): Extent | null => {
    const start = places.get(num) ?? 0;
    if (start <= 0) return null;
    if (length === null) {
      const short = plainEnd(num, 1024);
      const size = short < 0 ? plainEnd(num, blockBytes) : short;
      return size < 0 ? null : { start, end: start + size };
    }
    const data = range(num, length);
    if (!data) return null;
    const behind = data.offset + length;
    const end = /^(\r\n|\n|\r)?endstream\s+endobj(?![^\s])/.exec(latin1(bytesAt(behind, 32), 0, 32));
    return end && { start, end: behind + end[0].length };
  };

  const isStrict = (num: number): boolean => {
    const place = places.get(num) ?? 0;
    if (place < 0) {
      const { container, index } = inContainer(place);
      const inside = containerOf(container);
      const start = inside?.offsets[index];
      if (!inside || start === undefined) return false;
      return isStrictDict(latin1(inside.bytes, start, (inside.offsets[index + 1] ?? inside.bytes.length) - start));
    }
    const at = opened(num, blockBytes);
    return at !== null && isStrictDict(latin1(at.lexer.bytes, at.lexer.pos, at.lexer.bytes.length - at.lexer.pos));
  };

  return {
    extent,
    isStrict,
    get(num) {
      const place = places.get(num);
      if (place === undefined || place === null) return null;
      return place < 0 ? readInside(num, place) : (readAt(num, 1024) ?? readAt(num, blockBytes));
    },
    range,
  };
}

/**
 * Returns a function that reads bytes from an offset on, at least `wanted` of them unless the file ends first. They are
 * valid until the next call: a new buffer per object would produce garbage in proportion to the file size.
 */
function blockReader(disk: DiskFile): (offset: number, wanted: number) => Uint8Array {
  const buffer = new Uint8Array(blockBytes);
  let block = buffer.subarray(0, 0);
  let blockStart = 0;
  return (offset, wanted) => {
    if (offset < blockStart || offset + wanted > blockStart + block.length) {
      block = buffer.subarray(0, disk.readInto(buffer, 0, blockBytes, offset));
      blockStart = offset;
    }
    return block.subarray(offset - blockStart);
  };
}

/** A decoded object stream (ISO 32000-1, 7.5.7) with numbers and offsets of its objects. */
interface Container {
  bytes: Uint8Array;
  numbers: number[];
  offsets: number[];
}

function readContainer(bytes: Uint8Array, count: number, first: number): Container | null {
  const [numbers, offsets]: [number[], number[]] = [[], []];
  const lexer = createLexer(bytes, 0, first);
  for (let i = 0; i < count; i += 1) {
    if (nextToken(lexer) !== tokens.number) return null;
    numbers.push(lexer.number);
    if (nextToken(lexer) !== tokens.number) return null;
    offsets.push(first + lexer.number);
  }
  return { bytes, numbers, offsets };
}

/** Position of the first byte of stream data; -1 if the `stream` keyword does not follow correctly. */
function streamStart({ bytes, pos }: Lexer): number {
  const head = latin1(bytes, pos, 32);
  const start = /^\s*stream(\r\n|\n)/.exec(head);
  return start ? pos + start[0].length : -1;
}

const isStreamEnd = (bytes: Uint8Array): boolean => /^(\r\n|\n|\r)?endstream/.test(latin1(bytes, 0, 11));

const latin1 = (bytes: Uint8Array, from: number, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(length, bytes.length - from)).toString('latin1');
