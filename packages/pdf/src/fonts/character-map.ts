/** The table `cmap`: the glyph of a character. */
import { viewOf } from './sfnt.ts';

export interface CharacterMap {
  /** The glyph of a Unicode character; 0 when there is none. */
  readonly glyphOf: (character: number) => number;
  /** The table for Unicode on Windows (3, 1), by which readers find the glyphs of a simple TrueType font. */
  readonly hasWindowsUnicode: boolean;
  /** A font of symbols (3, 0), whose glyphs have codes and no characters. */
  readonly isSymbolic: boolean;
}

type Look = (character: number) => number;

/** Segments of 16-bit characters. */
function format4(table: DataView): Look {
  const count = table.getUint16(6) / 2;
  const [ends, starts, deltas, offsets] = [14, 16 + 2 * count, 16 + 4 * count, 16 + 6 * count] as const;
  return (character) => {
    if (character > 0xffff) return 0;
    for (let at = 0; at < count; at += 1) {
      if (table.getUint16(ends + 2 * at) < character) continue;
      const start = table.getUint16(starts + 2 * at);
      if (start > character) return 0;
      const delta = table.getUint16(deltas + 2 * at);
      const offset = table.getUint16(offsets + 2 * at);
      if (offset === 0) return (character + delta) & 0xffff;
      const place = offsets + 2 * at + offset + 2 * (character - start);
      const glyph = place + 2 <= table.byteLength ? table.getUint16(place) : 0;
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** Groups of characters of any size. */
function format12(table: DataView): Look {
  const count = Math.min(table.getUint32(12), Math.floor((table.byteLength - 16) / 12));
  return (character) => {
    for (let [low, high] = [0, count - 1]; low <= high; ) {
      const middle = (low + high) >> 1;
      const at = 16 + 12 * middle;
      if (character < table.getUint32(at)) high = middle - 1;
      else if (character > table.getUint32(at + 4)) low = middle + 1;
      else return table.getUint32(at + 8) + character - table.getUint32(at);
    }
    return 0;
  };
}

const formats: Readonly<Record<number, (table: DataView) => Look>> = { 4: format4, 12: format12 };

/** Tables of Unicode, the best first: platform and encoding. */
const unicodeTables = ['3 10', '0 6', '0 4', '3 1', '0 3', '0 2', '0 1', '0 0'];

/** Reads the character map of a font; one without a table of Unicode knows no characters. */
export function readCharacterMap(bytes: Uint8Array): CharacterMap {
  const view = viewOf(bytes);
  const tables = new Map<string, Look>();
  const encodings = new Set<string>();
  for (let at = 4, left = view.getUint16(2); left > 0 && at + 8 <= bytes.length; left -= 1, at += 8) {
    const encoding = `${view.getUint16(at)} ${view.getUint16(at + 2)}`;
    const offset = view.getUint32(at + 4);
    if (offset + 16 > bytes.length) continue;
    const table = viewOf(bytes.subarray(offset));
    const format = formats[table.getUint16(0)];
    encodings.add(encoding);
    if (format) tables.set(encoding, format(table));
  }
  const best = unicodeTables.find((encoding) => tables.has(encoding));
  return {
    glyphOf: (best && tables.get(best)) || (() => 0),
    hasWindowsUnicode: tables.has('3 1'),
    isSymbolic: encodings.has('3 0') && !tables.has('3 1'),
  };
}
