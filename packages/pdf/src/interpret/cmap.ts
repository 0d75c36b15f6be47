/** CMaps: split strings into character codes and map codes to CIDs or to Unicode (ISO 32000-1, 9.7.5 and 9.10.3). */
import { createLexer, type Lexer, nextToken, tokens, tokenText } from '../open/lexer.ts';

interface CodeSpace {
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
}
interface CidRange {
  readonly low: number;
  readonly high: number;
  readonly cid: number;
}

/** A parsed CMap: code lengths, mapping to CIDs (`ranges`, `chars`) and to Unicode text (`unicode`). */
export interface CMap {
  readonly codeSpaces: CodeSpace[];
  readonly ranges: CidRange[];
  readonly chars: Map<number, number>;
  readonly unicode: Map<number, string>;
  isVertical: boolean;
  usedMap: string | null;
}

/** Limit of entries in one CMap. Unicode has 1.1 million code points, so a larger CMap is an attack. */
const maxEntries = 1_200_000;

function codeOf(bytes: Uint8Array): number {
  let code = 0;
  for (const byte of bytes.subarray(0, 4)) code = code * 256 + byte;
  return code;
}

function utf16(bytes: Uint8Array): string {
  if (bytes.length === 1) return String.fromCharCode(bytes[0] as number);
  let text = '';
  for (let i = 0; i + 1 < bytes.length && i < 1024; i += 2) {
    text += String.fromCharCode(((bytes[i] as number) << 8) | (bytes[i + 1] as number));
  }
  return text;
}

/** Parses a CMap stream; unreadable parts are skipped. */
export function parseCMap(bytes: Uint8Array): CMap {
  const map: CMap = {
    codeSpaces: [],
    ranges: [],
    chars: new Map(),
    unicode: new Map(),
    isVertical: false,
    usedMap: null,
  };
  const lexer = createLexer(bytes);
  let lastName = '';
  let lastNumber = 0;
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.name) {
      lastName = lexer.name.name;
    } else if (token === tokens.number) lastNumber = lexer.number;
    else if (token === tokens.keyword) {
      const word = tokenText(lexer);
      if (word === 'usecmap') map.usedMap = lastName;
      else if (word === 'def' && lastName === 'WMode') map.isVertical = lastNumber === 1;
      else sections[word]?.(lexer, map);
    }
  }
  return map;
}

const entries = (map: CMap): number => map.ranges.length + map.chars.size + map.unicode.size;

/** Calls `take` for each group of `size` values until the section ends. */
function readGroups(
  lexer: Lexer,
  size: number,
  map: CMap,
  take: (values: (Uint8Array | number | Uint8Array[])[]) => void,
): void {
  let values: (Uint8Array | number | Uint8Array[])[] = [];
  for (let token = nextToken(lexer); token !== tokens.end && token !== tokens.keyword; token = nextToken(lexer)) {
    if (token === tokens.string) values.push(lexer.string);
    else if (token === tokens.number) values.push(lexer.number);
    else if (token === tokens.arrayStart) values.push(readStrings(lexer));
    if (values.length === size) {
      if (entries(map) < maxEntries) take(values);
      values = [];
    }
  }
}

function readStrings(lexer: Lexer): Uint8Array[] {
  const strings: Uint8Array[] = [];
  for (let token = nextToken(lexer); token !== tokens.end && token !== tokens.arrayEnd; token = nextToken(lexer)) {
    if (token === tokens.string) strings.push(lexer.string);
  }
  return strings;
}

const sections: Readonly<Record<string, (lexer: Lexer, map: CMap) => void>> = {
  begincodespacerange: (lexer, map) =>
    readGroups(lexer, 2, map, ([low, high]) => {
      if (!(low instanceof Uint8Array && high instanceof Uint8Array) || map.codeSpaces.length > 1000) return;
      map.codeSpaces.push({ bytes: Math.max(1, Math.min(4, high.length)), low: codeOf(low), high: codeOf(high) });
    }),
  begincidrange: (lexer, map) =>
    readGroups(lexer, 3, map, ([low, high, cid]) => {
      if (!(low instanceof Uint8Array && high instanceof Uint8Array && typeof cid === 'number')) return;
      map.ranges.push({ low: codeOf(low), high: codeOf(high), cid });
    }),
  begincidchar: (lexer, map) =>
    readGroups(lexer, 2, map, ([code, cid]) => {
      if (code instanceof Uint8Array && typeof cid === 'number') map.chars.set(codeOf(code), cid);
    }),
  beginbfchar: (lexer, map) =>
    readGroups(lexer, 2, map, ([code, text]) => {
      if (code instanceof Uint8Array && text instanceof Uint8Array) map.unicode.set(codeOf(code), utf16(text));
    }),
  beginbfrange: (lexer, map) =>
    readGroups(lexer, 3, map, ([low, high, target]) => {
      if (!(low instanceof Uint8Array && high instanceof Uint8Array)) return;
      const from = codeOf(low);
      const to = Math.min(codeOf(high), from + 0xffff);
      if (Array.isArray(target)) {
        for (const [index, text] of target.slice(0, to - from + 1).entries())
          map.unicode.set(from + index, utf16(text));
      } else if (target instanceof Uint8Array) addRange(map, from, to, target);
    }),
};

/** Maps the codes from … to: the last UTF-16 unit of the target is incremented with each code (ISO 32000-1, 9.10.3). */
function addRange(map: CMap, from: number, to: number, target: Uint8Array): void {
  const text = utf16(target);
  const last = text.charCodeAt(text.length - 1);
  for (let code = from; code <= to && entries(map) < maxEntries; code += 1) {
    map.unicode.set(code, text.slice(0, -1) + String.fromCharCode(last + code - from));
  }
}

/** The CID of a code; 0 if the CMap does not map it. */
export function lookUpCid(map: CMap, code: number): number {
  const known = map.chars.get(code);
  if (known !== undefined) return known;
  for (const range of map.ranges) if (code >= range.low && code <= range.high) return range.cid + code - range.low;
  return 0;
}

/** Number of bytes of the code at `offset`: the shortest length for which a codespace range matches. */
export function codeLength(map: CMap, bytes: Uint8Array, offset: number): number {
  let code = 0;
  for (let length = 1; length <= 4 && offset + length <= bytes.length; length += 1) {
    code = code * 256 + (bytes[offset + length - 1] as number);
    for (const space of map.codeSpaces) {
      if (space.bytes === length && fits(code, space, length)) return length;
    }
  }
  return Math.min(map.codeSpaces[0]?.bytes ?? 1, bytes.length - offset);
}

/** Every byte must lie between the corresponding bytes of the range (ISO 32000-1, 9.7.6.2). */
function fits(code: number, space: CodeSpace, length: number): boolean {
  for (let i = 0, unit = 1; i < length; i += 1, unit *= 256) {
    const byte = Math.floor(code / unit) % 256;
    if (byte < Math.floor(space.low / unit) % 256 || byte > Math.floor(space.high / unit) % 256) return false;
  }
  return true;
}

/** Codespaces of predefined CMaps with codes of different lengths, selected by a part of their name. */
const mixedWidths: readonly [RegExp, CodeSpace[]][] = [
  [
    /RKSJ/,
    [
      { bytes: 1, low: 0x00, high: 0x80 },
      { bytes: 1, low: 0xa0, high: 0xdf },
      { bytes: 2, low: 0x8140, high: 0x9ffc },
      { bytes: 2, low: 0xe040, high: 0xfcfc },
    ],
  ],
  [
    /EUC|GBK|GBpc|B5pc|ETen|HKscs|KSC/,
    [
      { bytes: 1, low: 0x00, high: 0x80 },
      { bytes: 2, low: 0x8140, high: 0xfefe },
    ],
  ],
];

/**
 * A predefined CMap by name (ISO 32000-1, table 118). Identity CMaps are complete. For the others only the code lengths
 * are known, because their CID tables are not included: codes are used as CIDs and glyphs get the default width.
 */
export function predefinedCMap(name: string): CMap {
  const mixed = /UCS2|UTF16|UTF-?16|UTF32|Identity/.test(name)
    ? undefined
    : mixedWidths.find(([pattern]) => pattern.test(name));
  const wide = /UTF32/.test(name);
  return {
    codeSpaces: mixed ? mixed[1] : [wide ? { bytes: 4, low: 0, high: 0xffffffff } : { bytes: 2, low: 0, high: 0xffff }],
    ranges: [{ low: 0, high: 0xffffffff, cid: 0 }],
    chars: new Map(),
    unicode: new Map(),
    isVertical: /-V$|^V$/.test(name),
    usedMap: null,
  };
}
