/** What must be known of a CFF font to show its glyphs: their names or CIDs (Adobe Technical Note 5176). */
import standardStrings from './cff-strings.json' with { type: 'json' };
import { unreadable } from './sfnt.ts';

export interface CffFont {
  readonly glyphCount: number;
  /** Glyphs have CIDs instead of names. */
  readonly isCidKeyed: boolean;
  /** The name of a glyph; '' in a CID-keyed font. */
  readonly nameOf: (glyph: number) => string;
  /** The CID by which a composite font shows a glyph: in a font with names, its number. */
  readonly cidOf: (glyph: number) => number;
}

interface CffReader {
  readonly bytes: Uint8Array;
  readonly at: (offset: number) => number;
  readonly number: (offset: number, size: number) => number;
}

function readerOf(bytes: Uint8Array): CffReader {
  const at = (offset: number): number => {
    const byte = bytes[offset];
    if (byte === undefined) throw unreadable('CFF');
    return byte;
  };
  const number = (offset: number, size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i += 1) value = value * 256 + at(offset + i);
    return value;
  };
  return { bytes, at, number };
}

export interface CffIndex {
  count: number;
  /** Where what follows it begins. */
  next: number;
  item: (index: number) => { from: number; to: number };
}

export function readIndex({ number, at }: CffReader, offset: number): CffIndex {
  const count = number(offset, 2);
  if (count === 0) return { count, next: offset + 2, item: () => ({ from: 0, to: 0 }) };
  const size = at(offset + 2);
  const data = offset + 2 + (count + 1) * size;
  const place = (index: number): number => data + number(offset + 3 + index * size, size);
  return { count, next: place(count), item: (index) => ({ from: place(index), to: place(index + 1) }) };
}

/** Operators of the Top DICT and of the Private DICT; escaped ones (12 n) are 1200 + n. */
export const operators = { charset: 15, charStrings: 17, privates: 18, subroutines: 19, ros: 1230 };

/** The operands of each operator; real numbers, which none that is looked at has, are skipped. */
export function readDict({ at, number }: CffReader, { from, to }: { from: number; to: number }): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let operands: number[] = [];
  for (let pos = from; pos < to; ) {
    const byte = at(pos);
    if (byte <= 21) {
      const isEscaped = byte === 12;
      found.set(isEscaped ? 1200 + at(pos + 1) : byte, operands);
      operands = [];
      pos += isEscaped ? 2 : 1;
    } else if (byte === 30) {
      do pos += 1;
      while (pos < to && (at(pos) & 0x0f) !== 0x0f && at(pos) >> 4 !== 0x0f);
      pos += 1;
    } else {
      const { value, length } = readInteger({ at, number }, pos, byte);
      operands.push(value);
      pos += length;
    }
  }
  return found;
}

export function readInteger({ at, number }: Pick<CffReader, 'at' | 'number'>, pos: number, byte: number) {
  if (byte === 28) return { value: (number(pos + 1, 2) << 16) >> 16, length: 3 };
  if (byte === 29) return { value: number(pos + 1, 4) | 0, length: 5 };
  if (byte >= 251) return { value: -(byte - 251) * 256 - at(pos + 1) - 108, length: 2 };
  if (byte >= 247) return { value: (byte - 247) * 256 + at(pos + 1) + 108, length: 2 };
  return { value: byte - 139, length: 1 };
}

/** The string id, or the CID, of each glyph. */
function readCharset({ at, number }: CffReader, offset: number, glyphCount: number): number[] {
  // The first predefined charset counts its strings in the order of the glyphs. Two more have only expert glyphs.
  if (offset === 0) return Array.from({ length: glyphCount }, (_, glyph) => glyph);
  if (offset <= 2) throw unreadable('CFF charset');
  const ids = [0];
  const format = at(offset);
  let pos = offset + 1;
  while (ids.length < glyphCount) {
    const first = number(pos, 2);
    if (format === 0) {
      ids.push(first);
      pos += 2;
      continue;
    }
    const size = format === 1 ? 1 : 2;
    const more = number(pos + 2, size);
    for (let by = 0; by <= more && ids.length < glyphCount; by += 1) ids.push(first + by);
    pos += 2 + size;
  }
  return ids;
}

/** The parts of a CFF font, by their places in its bytes. */
export interface CffParts {
  readonly reader: CffReader;
  readonly top: ReadonlyMap<number, readonly number[]>;
  readonly strings: CffIndex;
  readonly charStrings: CffIndex;
  readonly charStringsAt: number;
  readonly isCidKeyed: boolean;
  /** The string id, or the CID, of each glyph. */
  readonly ids: readonly number[];
}

/** @throws FileFaultError FONT_UNREADABLE */
export function readCffParts(bytes: Uint8Array): CffParts {
  const reader = readerOf(bytes);
  const tops = readIndex(reader, readIndex(reader, reader.at(2)).next);
  const top = readDict(reader, tops.item(0));
  const charStringsAt = top.get(operators.charStrings)?.[0] ?? 0;
  const charStrings = readIndex(reader, charStringsAt);
  return {
    ...{ reader, top, charStrings, charStringsAt },
    strings: readIndex(reader, tops.next),
    isCidKeyed: top.has(operators.ros),
    ids: readCharset(reader, top.get(operators.charset)?.[0] ?? 0, charStrings.count),
  };
}

/** Reads a CFF font. @throws FileFaultError FONT_UNREADABLE */
export function readCff(bytes: Uint8Array): CffFont {
  const { strings, charStrings, isCidKeyed, ids } = readCffParts(bytes);
  const stringOf = (id: number): string => {
    const known = standardStrings[id];
    if (known !== undefined || id - standardStrings.length >= strings.count) return known ?? '';
    const { from, to } = strings.item(id - standardStrings.length);
    return Buffer.from(bytes.subarray(from, to)).toString('latin1');
  };
  return {
    glyphCount: charStrings.count,
    isCidKeyed,
    nameOf: (glyph) => (isCidKeyed ? '' : stringOf(ids[glyph] ?? 0)),
    cidOf: (glyph) => (isCidKeyed ? (ids[glyph] ?? 0) : glyph),
  };
}
