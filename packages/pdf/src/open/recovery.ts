/**
 * A new cross-reference table for files that the engine cannot repair: it gives up at the first object that it cannot
 * read. Here every object that can be read is kept and the others are left out, as other readers do.
 */
import { inflateSync } from 'node:zlib';
import type { DiskFile } from './disk-file.ts';
import { createLexer, nextToken } from './lexer.ts';
import { readValue } from './parse-object.ts';
import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue } from './values.ts';

/** The text of larger files is not searched. Bytes. */
const mostBytes = 64 << 20;

interface Place {
  kind: 1 | 2;
  /** Offset in the file, or number of the object stream. */
  at: number;
  /** Generation, or index in the object stream. */
  index: number;
}

/** Unpacked bytes of an object stream; what is larger is taken for a bomb. */
const mostUnpacked = 64 << 20;

/** Where a word stands next, for places that only go up: the file is searched once, however many ask. */
function nextOf(bytes: Buffer, word: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = bytes.indexOf(word, from);
    if (found < 0) found = bytes.length;
    return found;
  };
}

/** The object that begins at an offset, behind `obj`; undefined if its brackets do not close before the limit. */
function objectAt(bytes: Buffer, start: number, limit: number): { value: PdfValue; end: number } | undefined {
  const lexer = createLexer(bytes.subarray(start, limit));
  const value = readValue(lexer, nextToken(lexer), 0);
  const ends = bytes.subarray(start + lexer.pos - 2, start + lexer.pos).toString('latin1');
  const isClosed = isDict(value) ? ends === '>>' : isArray(value) ? ends.endsWith(']') : true;
  return isClosed ? { value, end: start + lexer.pos } : undefined;
}

/** The text of an object stream that is not encrypted (ISO 32000-1, 7.5.7); empty if it cannot be read. */
function packed(dict: PdfDict, data: Buffer): string {
  const filter = dict.map.get('Filter');
  const name = isArray(filter) ? filter[0] : filter;
  if (name && !(isName(name, 'FlateDecode') && !dict.map.has('DecodeParms'))) return '';
  try {
    return (name ? inflateSync(data, { maxOutputLength: mostUnpacked }) : data).toString('latin1');
  } catch {
    // Damaged data, or too much of it: its objects are lost, the others are not.
    return '';
  }
}

/** Numbers of the objects in an object stream, in their order. */
const numbersIn = (dict: PdfDict, text: string): number[] =>
  text
    .trim()
    .split(/\s+/, 2 * Math.min(Number(dict.map.get('N')) || 0, 100_000))
    .filter((_, at) => at % 2 === 0)
    .map(Number);

/** Numbers that a text refers to, whether there is such an object or not. */
function* referredTo(text: string): Iterable<number> {
  for (const [, num] of text.matchAll(/(?<![0-9])(\d{1,7})[\s\0]+\d{1,5}[\s\0]+R/g)) yield Number(num);
}

const reference = (value: PdfValue | undefined): string | null => (isRef(value) ? `${value.num} 0 R` : null);

/** Entries of the last trailer, or dictionary of a cross-reference stream, that has a root. */
function trailerOf(
  candidates: readonly PdfDict[],
  places: ReadonlyMap<number, Place>,
  catalog: number | null,
): string | null {
  const known = candidates.filter(({ map }) => {
    const root = map.get('Root');
    return isRef(root) && places.has(root.num);
  });
  const last = known.at(-1);
  // An encryption dictionary that is written into the trailer is not written anew.
  if (last && isDict(last.map.get('Encrypt'))) return null;
  const root = reference(last?.map.get('Root')) ?? (catalog === null ? null : `${catalog} 0 R`);
  if (!root) return null;
  const id = last?.map.get('ID');
  const strings = isArray(id) ? id.filter(isString).map(({ bytes }) => `<${Buffer.from(bytes).toString('hex')}>`) : [];
  const entries = (['Info', 'Encrypt'] as const).map((key) => {
    const found = reference(last?.map.get(key));
    return found ? `/${key} ${found}` : '';
  });
  return `/Root ${root} ${entries.join(' ')} ${strings.length === 2 ? `/ID [${strings.join(' ')}]` : ''}`;
}

/**
 * The file with a cross-reference stream behind it that leads to every object which can be read; the last of equal
 * numbers counts. Null if there is no catalog among them, or if the file is too large to be searched.
 * @param origin what is added to an offset for the engine, which counts from the header
 */
export function recovered(disk: DiskFile, origin: number): DiskFile | null {
  if (disk.size > mostBytes) return null;
  const bytes = Buffer.from(disk.read(0, disk.size));
  const text = bytes.toString('latin1');
  const [endOfObject, endOfStream] = [nextOf(bytes, 'endobj'), nextOf(bytes, 'endstream')];
  const places = new Map<number, Place>();
  const referred = new Set(referredTo(text));
  const trailers: PdfDict[] = [];
  let catalog: number | null = null;
  for (const match of text.matchAll(/(?<![0-9])(\d{1,7})[\s\0]+(\d{1,5})[\s\0]+obj|trailer/g)) {
    const after = match.index + match[0].length;
    const found = objectAt(bytes, after, endOfObject(after));
    if (!found) continue;
    const { value, end } = found;
    if (match[0] === 'trailer') {
      if (isDict(value)) trailers.push(value);
      continue;
    }
    const num = Number(match[1]);
    if (num === 0) continue;
    places.set(num, { kind: 1, at: match.index + origin, index: Number(match[2]) });
    if (!isDict(value)) continue;
    const type = value.map.get('Type');
    if (isName(type, 'Catalog')) catalog = num;
    if (isName(type, 'XRef')) trailers.push(value);
    if (!isName(type, 'ObjStm')) continue;
    const start = /^\s*stream\r?\n/.exec(text.slice(end, end + 40));
    const from = end + (start?.[0].length ?? 0);
    const to = endOfStream(from);
    const inside = start && to < bytes.length ? packed(value, bytes.subarray(from, to)) : '';
    for (const other of referredTo(inside)) referred.add(other);
    for (const [index, inner] of numbersIn(value, inside).entries())
      if (inner > 0 && inner < 1e7) places.set(inner, { kind: 2, at: num, index });
  }
  const trailer = trailerOf(trailers, places, catalog);
  if (!trailer) return null;
  // The number of the table itself: an object that is missing must stay missing.
  let own = 1 + [...places.keys()].reduce((most, num) => Math.max(most, num), 0);
  while (referred.has(own)) own += 1;
  return behind(disk, tableOf(places, { own, trailer, start: disk.size + origin }));
}

/** A cross-reference stream (ISO 32000-1, 7.5.8) with its own number, and where it starts. */
function tableOf(
  places: ReadonlyMap<number, Place>,
  { own, trailer, start }: { own: number; trailer: string; start: number },
): Buffer {
  const numbers = [...places.keys()].sort((a, b) => a - b);
  const rows = Buffer.alloc((numbers.length + 1) * 8);
  for (const [row, num] of [...numbers, own].entries()) {
    const { kind, at, index } = places.get(num) ?? { kind: 1, at: start + 1, index: 0 };
    rows.writeUInt8(kind, row * 8);
    rows.writeUIntBE(at, row * 8 + 1, 5);
    rows.writeUInt16BE(index & 0xffff, row * 8 + 6);
  }
  const index = [...numbers, own].map((num) => `${num} 1`).join(' ');
  const dict = `/Type /XRef /W [1 5 2] /Size ${own + 1} /Index [${index}] /Length ${rows.length} ${trailer}`;
  return Buffer.concat([
    Buffer.from(`\n${own} 0 obj\n<< ${dict} >>\nstream\n`, 'latin1'),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start + 1}\n%%EOF\n`, 'latin1'),
  ]);
}

/** A file with bytes behind its end, which are not on the disk. */
function behind(disk: DiskFile, tail: Buffer): DiskFile {
  const readInto: DiskFile['readInto'] = (target, targetOffset, length, position) => {
    if (position < disk.size) {
      return disk.readInto(target, targetOffset, Math.min(length, disk.size - position), position);
    }
    const piece = tail.subarray(position - disk.size, position - disk.size + length);
    target.set(piece, targetOffset);
    return piece.length;
  };
  return { ...disk, size: disk.size + tail.length, readInto };
}
