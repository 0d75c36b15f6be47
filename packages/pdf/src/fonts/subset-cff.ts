/** A CFF font with the outlines of some glyphs only; all glyphs keep their numbers (Adobe Technical Notes 5176 and 5177). */
import { type CffIndex, type CffParts, operators, readCffParts, readDict, readIndex, readInteger } from './cff.ts';
import { unreadable } from './sfnt.ts';

/** Operators of outlines. */
const outline = { callLocal: 10, return: 11, escape: 12, endchar: 14, short: 28, callGlobal: 29, fixed: 255 };
const stems = new Set([1, 3, 18, 23]);
const masks = new Set([19, 20]);

/** Subroutines call each other to this depth, by the specification. */
const mostNested = 10;
/** Far more than any glyph has; subroutines that call each other could be executed for hours. */
const mostOperators = 200_000;

/** The outline of a glyph that is never shown. */
const nothing = Uint8Array.of(outline.endchar);

/**
 * Leaves the outlines of these glyphs, of what they are composed of, and of the one that stands for missing glyphs. The
 * others are emptied in their place and the room is filled with zeros, which deflate to nothing: no offset changes.
 * @throws FileFaultError FONT_UNREADABLE
 */
export function subsetCff(bytes: Uint8Array, glyphs: Iterable<number>): Uint8Array {
  const parts = readCffParts(bytes);
  const { charStrings, charStringsAt } = parts;
  const componentsOf = componentsIn(parts);
  const wanted = new Set([0, ...glyphs]);
  // What is added while the set is walked is visited, too.
  for (const glyph of wanted) for (const part of componentsOf(glyph)) wanted.add(part);
  const written = indexBytes(
    Array.from({ length: charStrings.count }, (_, glyph) => {
      const { from, to } = charStrings.item(glyph);
      return wanted.has(glyph) || to <= from ? bytes.subarray(from, to) : nothing;
    }),
  );
  if (charStringsAt + written.length > charStrings.next) throw unreadable('CFF outlines');
  const subset = Buffer.from(bytes);
  subset.fill(0, charStringsAt, charStrings.next).set(written, charStringsAt);
  return subset;
}

function indexBytes(items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  const size = [1, 2, 3].find((bytes) => length + 1 < 256 ** bytes) ?? 4;
  const head = Buffer.alloc(3 + (items.length + 1) * size);
  head.writeUInt16BE(items.length, 0);
  head.writeUInt8(size, 2);
  let at = 1;
  for (let index = 0; index <= items.length; index += 1) {
    head.writeUIntBE(at, 3 + index * size, size);
    at += items[index]?.length ?? 0;
  }
  return Buffer.concat([head, ...items]);
}

/** Codes of StandardEncoding: the n-th is that of the string with the number n, from 1 (Technical Note 5176, appendix A). */
const standardCodes: readonly number[] = (
  [
    [32, 126],
    [161, 175],
    [177, 180],
    [182, 189],
    [191, 191],
    [193, 200],
    [202, 203],
    [205, 208],
    [225, 225],
    [227, 227],
    [232, 235],
    [241, 241],
    [245, 245],
    [248, 251],
  ] as const
).flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, by) => first + by));

/**
 * The two glyphs that an accented one is composed of: four numbers before its end place the accent and give both by their
 * codes in StandardEncoding (Technical Note 5177, appendix C). Glyphs of a CID-keyed font have no names to be found by.
 */
function componentsIn(parts: CffParts): (glyph: number) => number[] {
  if (parts.isCidKeyed) return () => [];
  const byId = new Map(parts.ids.map((id, glyph) => [id, glyph]));
  const lastOperands = outlineReader(parts);
  return (glyph) => {
    const operands = glyph < parts.charStrings.count ? lastOperands(glyph) : [];
    if (operands.length < 4) return [];
    return operands.slice(-2).flatMap((code) => byId.get(standardCodes.indexOf(code) + 1) ?? []);
  };
}

/** Reads what stands on the stack at the end of an outline. */
function outlineReader({ reader, top, strings, charStrings }: CffParts): (glyph: number) => readonly number[] {
  const { at, number } = reader;
  const globals = readIndex(reader, strings.next);
  const locals = localSubroutines({ reader, top });
  return (glyph) => {
    let operands: number[] = [];
    let hints = 0;
    let left = mostOperators;
    /** Whether the outline ended. */
    const execute = ({ from, to }: { from: number; to: number }, depth: number): boolean => {
      for (let pos = from; pos < to; ) {
        const byte = at(pos);
        if (byte === outline.fixed) {
          operands.push(number(pos + 1, 4) / 65536);
          pos += 5;
          continue;
        }
        if (byte >= 32 || byte === outline.short) {
          const { value, length } = readInteger(reader, pos, byte);
          operands.push(value);
          pos += length;
          continue;
        }
        left -= 1;
        if (left < 0) throw unreadable('CFF outlines');
        if (byte === outline.endchar) return true;
        if (byte === outline.return) return false;
        pos += byte === outline.escape ? 2 : 1;
        if (byte === outline.callLocal || byte === outline.callGlobal) {
          const called = subroutine(byte === outline.callLocal ? locals : globals, operands.pop() ?? 0);
          if (called && depth < mostNested && execute(called, depth + 1)) return true;
          continue;
        }
        if (stems.has(byte) || masks.has(byte)) hints += operands.length >> 1;
        if (masks.has(byte)) pos += (hints + 7) >> 3;
        // Every other operator takes all numbers; arithmetic, which does not, is never used to compose accents.
        operands = [];
      }
      return false;
    };
    return execute(charStrings.item(glyph), 0) ? operands : [];
  };
}

function localSubroutines({ reader, top }: Pick<CffParts, 'reader' | 'top'>): CffIndex | null {
  const [size = 0, from = 0] = top.get(operators.privates) ?? [];
  const [offset] = readDict(reader, { from, to: from + size }).get(operators.subroutines) ?? [];
  return offset === undefined ? null : readIndex(reader, from + offset);
}

/** Numbers of subroutines are biased, so that small numbers reach many (Technical Note 5177, section 4.7). */
function subroutine(index: CffIndex | null, biased: number): { from: number; to: number } | null {
  if (!index) return null;
  const number = biased + (index.count < 1240 ? 107 : index.count < 33900 ? 1131 : 32768);
  return number >= 0 && number < index.count ? index.item(number) : null;
}
