import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { FileFaultError } from '@pdf2press/contract/faults';
import type { FileRange } from '../open/plain-objects.ts';

/** Writes a PDF object by object directly to disk. Only the positions of the objects are kept in memory. */
export interface PdfWriter {
  /** Returns the number of an object that is written later; the order is free. */
  reserve: () => number;
  /** Writes an object that is not a stream, as text with one character per byte. */
  object: (num: number, text: string) => void;
  /**
   * Writes a stream. `entries` is its dictionary without brackets and /Length; the pieces are written one after
   * another.
   */
  stream: (num: number, entries: string, ...pieces: (Uint8Array | FileRange)[]) => void;
  /** Completes the file, moves it to its final name and returns its size. */
  finish: (trailer: { root: number; info?: number | undefined }) => number;
  /** Deletes the incomplete file. */
  abandon: () => void;
}

export interface WriterOptions {
  path: string;
  /**
   * For example '1.7'. Versions before 1.5 get a cross-reference table, later ones object and cross-reference streams.
   */
  version: string;
  maxBytes?: number;
  /**
   * Appends to an existing file `part` of `bytes` bytes, whose objects are at `places`. The writer moves this file to
   * the final name.
   */
  behind?: { part: string; bytes: number; places: readonly (Place | undefined)[] };
}

/**
 * Large enough that small objects need no system call each, and small enough for the processor cache: with more than
 * this size copying takes up to eight times as long on some systems (Linux 6, ext4). A multiple of the pages of memory.
 */
const bufferBytes = 1 << 17;
const objectsPerStream = 100;
/** Deflate level for text-like data, a compromise between size and speed. */
const level = 6;

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Position of an object: an offset, or an object stream and the index in it. */
export type Place = { offset: number } | { inStream: number; index: number };

/** True when a version supports object and cross-reference streams (ISO 32000-1, 7.5.7 and 7.5.8). */
export const packsObjects = (version: string): boolean => Number(version) >= 1.5;

/**
 * Creates a PDF under a temporary name in the same directory; `finish` renames it, so an incomplete file never has the
 * final name. Equal calls give equal bytes.
 * @throws FileFaultError PDF_LIMIT_OUTPUT (from the methods)
 */
export function createPdfWriter({
  path,
  version,
  maxBytes = Number.POSITIVE_INFINITY,
  behind,
}: WriterOptions): PdfWriter {
  const partPath = behind?.part ?? join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = openOutput(partPath, maxBytes, behind?.bytes ?? 0);
  const places: (Place | undefined)[] = behind ? [...behind.places] : [undefined];
  const packs = packsObjects(version);
  let packed: { num: number; text: string }[] = [];
  if (!behind) file.text(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);

  const writeStream = (num: number, entries: string, pieces: readonly (Uint8Array | FileRange)[]): void => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    places[num] = { offset: file.size() };
    file.text(`${num} 0 obj\n<<${entries}/Length ${length}>>\nstream\n`);
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) file.write(piece);
      else file.copy(piece);
    }
    file.text('\nendstream\nendobj\n');
  };

  const flushPacked = (): void => {
    if (packed.length === 0) return;
    const num = places.push(undefined) - 1;
    let offsets = '';
    let body = '';
    packed.forEach((object, index) => {
      offsets += `${object.num} ${body.length} `;
      body += `${object.text}\n`;
      places[object.num] = { inStream: num, index };
    });
    const entries = `/Type/ObjStm/N ${packed.length}/First ${offsets.length}/Filter/FlateDecode`;
    packed = [];
    writeStream(num, entries, [deflateSync(latin1(offsets + body), { level })]);
  };

  return {
    reserve: () => places.push(undefined) - 1,
    object(num, text) {
      if (packs) {
        packed.push({ num, text });
        if (packed.length >= objectsPerStream) flushPacked();
        return;
      }
      places[num] = { offset: file.size() };
      file.text(`${num} 0 obj\n${text}\nendobj\n`);
    },
    stream: (num, entries, ...pieces) => writeStream(num, entries, pieces),
    finish({ root, info }) {
      flushPacked();
      const hash = createHash('sha256')
        .update(JSON.stringify(places))
        .update(String(file.size()))
        .digest('hex')
        .slice(0, 32);
      const common = `/Root ${root} 0 R${info ? `/Info ${info} 0 R` : ''}/ID[<${hash}><${hash}>]`;
      const start = file.size();
      if (packs) writeCrossReferenceStream(places, common, start, file.write);
      else file.text(`${tableText(places)}trailer\n<</Size ${places.length}${common}>>\n`);
      file.text(`startxref\n${start}\n%%EOF\n`);
      file.close();
      renameSync(partPath, path);
      return file.size();
    },
    abandon() {
      file.close();
      rmSync(partPath, { force: true });
    },
  };
}

function tableText(places: readonly (Place | undefined)[]): string {
  const line = (place: Place | undefined): string =>
    place && 'offset' in place ? `${String(place.offset).padStart(10, '0')} 00000 n \n` : '0000000000 65535 f \n';
  return `xref\n0 ${places.length}\n${places.map(line).join('')}`;
}

function writeCrossReferenceStream(
  places: readonly (Place | undefined)[],
  common: string,
  start: number,
  write: (bytes: Uint8Array) => void,
): void {
  const num = places.length;
  const rows = Buffer.alloc((num + 1) * 8);
  [...places, { offset: start }].forEach((place, i) => {
    const at = i * 8;
    rows[at] = place === undefined ? 0 : 'offset' in place ? 1 : 2;
    // Five bytes for the offset allow files of more than 4 GiB.
    rows.writeUIntBE(place === undefined ? 0 : 'offset' in place ? place.offset : place.inStream, at + 1, 5);
    rows.writeUInt16BE(place === undefined ? 0xffff : 'offset' in place ? 0 : place.index, at + 6);
  });
  const data = deflateSync(rows, { level });
  write(
    latin1(
      `${num} 0 obj\n<</Type/XRef/Size ${num + 1}/W[1 5 2]${common}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`,
    ),
  );
  write(data);
  write(latin1('\nendstream\nendobj\n'));
}

/**
 * Writes a file from `start` on through a buffer; large pieces bypass it. Only a full buffer is written, so that every write
 * begins and ends at a page of memory: others make the system copy half as much again.
 */
function openOutput(path: string, maxBytes: number, start: number) {
  const fd = openSync(path, start > 0 ? 'r+' : 'w');
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let filled = 0;
  // File position of the start of the buffer.
  let flushed = start;
  let written = start;
  let isOpen = true;
  // With offsets instead of views: a gigabyte would create sixteen thousand views.
  const writeAll = (bytes: Uint8Array, from: number, end: number): void => {
    for (let at = from; at < end; ) {
      const put = writeSync(fd, bytes, at, end - at, flushed);
      at += put;
      flushed += put;
    }
  };
  const flush = (): void => {
    writeAll(buffer, 0, filled);
    filled = 0;
  };
  const count = (bytes: number): void => {
    written += bytes;
    if (written > maxBytes) throw new FileFaultError('PDF_LIMIT_OUTPUT', { limitBytes: maxBytes });
  };
  return {
    size: () => written,
    /** Copies bytes of another file through the buffer. */
    copy(range: FileRange): void {
      count(range.length);
      for (let done = 0; done < range.length; ) {
        if (filled === buffer.length) flush();
        const room = Math.min(buffer.length - filled, range.length - done);
        const got = readSync(range.fd, buffer, filled, room, range.offset + done);
        if (got === 0) throw new FileFaultError('PDF_DAMAGED');
        filled += got;
        done += got;
      }
    },
    write(bytes: Uint8Array): void {
      count(bytes.length);
      let from = 0;
      if (filled + bytes.length > buffer.length) {
        from = buffer.length - filled;
        buffer.set(bytes.subarray(0, from), filled);
        filled = buffer.length;
        flush();
        const end = bytes.length - ((bytes.length - from) % buffer.length);
        writeAll(bytes, from, end);
        from = end;
      }
      buffer.set(bytes.subarray(from), filled);
      filled += bytes.length - from;
    },
    /** Writes text with one character per byte, directly into the buffer where it has room. */
    text(text: string): void {
      if (filled + text.length > buffer.length) {
        this.write(latin1(text));
        return;
      }
      count(text.length);
      filled += buffer.write(text, filled, 'latin1');
    },
    close(): void {
      if (!isOpen) return;
      flush();
      closeSync(fd);
      isOpen = false;
    },
  };
}

/** Shorter content is not compressed, because starting a compressor costs more than it saves. */
const worthCompressing = 2048;

/** Writes operators as a content stream, compressed if it is long enough. */
export function writeContent(writer: PdfWriter, num: number, entries: string, operators: string): void {
  const bytes = latin1(operators);
  if (bytes.length < worthCompressing) writer.stream(num, entries, bytes);
  else writer.stream(num, `${entries}/Filter/FlateDecode`, deflateSync(bytes, { level }));
}
