/**
 * The tokenizer for content streams, object text and CMaps (ISO 32000-1, 7.2). It works in place and allocates memory
 * only for names and strings. Like Acrobat it is lenient: bytes that form no token are returned as `bad`; it never
 * throws.
 */
import { type PdfName, pdfName } from './values.ts';

export const tokens = {
  end: 0,
  number: 1,
  string: 2,
  name: 3,
  arrayStart: 4,
  arrayEnd: 5,
  dictStart: 6,
  dictEnd: 7,
  keyword: 8,
  /** A lone ) > { or }. */
  bad: 9,
} as const;
export type TokenType = (typeof tokens)[keyof typeof tokens];

/** The state of the lexer; `nextToken` advances it and stores the token here. */
export interface Lexer {
  readonly bytes: Uint8Array;
  /** Where the next token is searched; after a token, the position after its last byte. */
  pos: number;
  readonly limit: number;
  /** First byte of the last token. */
  start: number;
  number: number;
  string: Uint8Array;
  name: PdfName;
  /** A keyword of up to four bytes, packed little-endian; -1 for a longer one. */
  keyword: number;
  /** True once a dictionary with a repeated key was read: PDF readers differ in which value they use. */
  hasRepeats: boolean;
  /** True when `bytes` is a buffer that will be overwritten, so that values must be copied out of it. */
  isReused: boolean;
}

const nothing = new Uint8Array(0);

/** A lexer over bytes[start … limit). */
export function createLexer(bytes: Uint8Array, start = 0, limit = bytes.length): Lexer {
  return {
    bytes,
    pos: start,
    limit,
    start,
    number: 0,
    string: nothing,
    name: pdfName(''),
    keyword: 0,
    hasRepeats: false,
    isReused: false,
  };
}

const regular = 0;
const space = 1;
const delimiter = 2;
/** Character class of each byte (ISO 32000-1, 7.2.2). */
const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = space;
for (const char of '()<>[]{}/%') classes[char.charCodeAt(0)] = delimiter;

const hexValues = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 10; digit += 1) hexValues[48 + digit] = digit;
for (let digit = 0; digit < 6; digit += 1) {
  hexValues[65 + digit] = 10 + digit;
  hexValues[97 + digit] = 10 + digit;
}

export const isSpace = (byte: number | undefined): boolean => byte !== undefined && classes[byte] === space;
export const isRegular = (byte: number | undefined): boolean => byte !== undefined && classes[byte] === regular;

/** Packs a keyword in the way of `Lexer.keyword`. */
export function packKeyword(text: string): number {
  if (text.length > 4) return -1;
  let packed = 0;
  for (let i = 0; i < text.length; i += 1) packed |= text.charCodeAt(i) << (8 * i);
  return packed;
}

/** The text of the last token as written, at most 128 bytes. */
export function tokenText(lexer: Lexer): string {
  let text = '';
  const end = Math.min(lexer.pos, lexer.start + 128);
  for (let i = lexer.start; i < end; i += 1) text += String.fromCharCode(lexer.bytes[i] ?? 0);
  return text;
}

/** Reads the next token and returns its type; its value is in the lexer. */
export function nextToken(lexer: Lexer): TokenType {
  const { bytes, limit } = lexer;
  let pos = lexer.pos;
  let byte = 0;
  for (;;) {
    if (pos >= limit) {
      lexer.start = limit;
      lexer.pos = limit;
      return tokens.end;
    }
    byte = bytes[pos] as number;
    if (byte === 37) {
      pos += 1;
      while (pos < limit && bytes[pos] !== 10 && bytes[pos] !== 13) pos += 1;
    } else if (classes[byte] === space) pos += 1;
    else break;
  }
  lexer.start = pos;
  if ((byte >= 48 && byte <= 57) || byte === 45 || byte === 46 || byte === 43) return readNumber(lexer, pos, byte);
  if (classes[byte] === regular) return readKeyword(lexer, pos);
  lexer.pos = pos + 1;
  switch (byte) {
    case 47:
      return readName(lexer);
    case 40:
      return readLiteral(lexer);
    case 91:
      return tokens.arrayStart;
    case 93:
      return tokens.arrayEnd;
    case 60:
      if (bytes[pos + 1] !== 60) return readHex(lexer);
      lexer.pos = pos + 2;
      return tokens.dictStart;
    case 62:
      if (bytes[pos + 1] !== 62) return tokens.bad;
      lexer.pos = pos + 2;
      return tokens.dictEnd;
    default:
      return tokens.bad;
  }
}

/** Powers of ten that are exact in double precision: mantissa / 10^n is then the correctly rounded decimal. */
const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * Reads a number as Acrobat does: repeated signs count once, a minus inside a number is ignored, a second decimal point
 * ends it. Something that begins like a number but is none becomes a keyword.
 */
function readNumber(lexer: Lexer, from: number, first: number): TokenType {
  const { bytes, limit } = lexer;
  let pos = from;
  let negative = false;
  let byte = first;
  while (byte === 45 || byte === 43) {
    if (byte === 45) negative = true;
    pos += 1;
    byte = pos < limit ? (bytes[pos] as number) : 32;
  }
  let mantissa = 0;
  let decimals = -1;
  let digits = 0;
  for (; pos < limit; pos += 1) {
    byte = bytes[pos] as number;
    if (byte >= 48 && byte <= 57) {
      digits += 1;
      if (decimals < 0) mantissa = mantissa * 10 + (byte - 48);
      else if (decimals < 15 && mantissa < 9e14) {
        mantissa = mantissa * 10 + (byte - 48);
        decimals += 1;
      }
    } else if (byte === 46 && decimals < 0) decimals = 0;
    else if (byte !== 45) break;
  }
  if (pos < limit && classes[byte] === regular) {
    if (digits === 0) return readKeyword(lexer, from);
    if (byte === 69 || byte === 101) {
      const next = bytes[pos + 1] ?? 32;
      if ((next >= 48 && next <= 57) || next === 45 || next === 43) return readExponent(lexer, from, pos);
    }
    // '1.2.3': digits and points that follow are dropped. Anything else starts the next token ('0Tc').
    while (pos < limit && (bytes[pos] === 46 || ((bytes[pos] as number) >= 48 && (bytes[pos] as number) <= 57)))
      pos += 1;
  }
  lexer.pos = pos;
  const value = decimals > 0 ? mantissa / (powers[decimals] as number) : mantissa;
  lexer.number = negative ? -value : value;
  return tokens.number;
}

function readExponent(lexer: Lexer, from: number, at: number): TokenType {
  let pos = at + 1;
  while (pos < lexer.limit && classes[lexer.bytes[pos] as number] === regular) pos += 1;
  let text = '';
  for (let i = from; i < Math.min(pos, from + 64); i += 1) text += String.fromCharCode(lexer.bytes[i] as number);
  const value = Number.parseFloat(text);
  lexer.pos = pos;
  lexer.number = Number.isFinite(value) ? value : 0;
  return tokens.number;
}

function readKeyword(lexer: Lexer, from: number): TokenType {
  const { bytes, limit } = lexer;
  let pos = from;
  let packed = 0;
  while (pos < limit && classes[bytes[pos] as number] === regular) {
    if (pos - from < 4) packed |= (bytes[pos] as number) << (8 * (pos - from));
    pos += 1;
  }
  lexer.pos = pos;
  lexer.keyword = pos - from > 4 ? -1 : packed;
  return tokens.keyword;
}

/**
 * Cache of recently read names, indexed by a hash of their bytes: content uses the same few resource names many times.
 */
const lately: (PdfName | undefined)[] = Array.from({ length: 256 });

const isWritten = ({ name }: PdfName, bytes: Uint8Array, from: number, end: number): boolean => {
  if (name.length !== end - from) return false;
  for (let i = 0; i < name.length; i += 1) if (name.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
};

function readName(lexer: Lexer): TokenType {
  const { bytes, limit } = lexer;
  const from = lexer.pos;
  let pos = from;
  let slot = 0;
  for (; pos < limit; pos += 1) {
    const byte = bytes[pos] as number;
    if (classes[byte] !== regular) break;
    if (byte === 35) return readNewName(lexer, null);
    slot = (slot * 31 + byte) & 255;
  }
  const known = lately[slot];
  if (!known || !isWritten(known, bytes, from, pos)) return readNewName(lexer, slot);
  lexer.pos = pos;
  lexer.name = known;
  return tokens.name;
}

function readNewName(lexer: Lexer, slot: number | null): TokenType {
  const { bytes, limit } = lexer;
  let pos = lexer.pos;
  let text = '';
  while (pos < limit) {
    const byte = bytes[pos] as number;
    if (classes[byte] !== regular) break;
    if (byte === 35 && pos + 2 < limit) {
      const high = hexValues[bytes[pos + 1] as number] as number;
      const low = hexValues[bytes[pos + 2] as number] as number;
      if (high >= 0 && low >= 0) {
        text += String.fromCharCode(high * 16 + low);
        pos += 3;
        continue;
      }
    }
    text += String.fromCharCode(byte);
    pos += 1;
  }
  lexer.pos = pos;
  lexer.name = pdfName(text);
  if (slot !== null) lately[slot] = lexer.name;
  return tokens.name;
}

function readLiteral(lexer: Lexer): TokenType {
  const { bytes, limit } = lexer;
  const from = lexer.pos;
  let pos = from;
  let depth = 1;
  let plain = true;
  for (; pos < limit; pos += 1) {
    const byte = bytes[pos] as number;
    if (byte === 92) {
      plain = false;
      pos += 1;
    } else if (byte === 13) plain = false;
    else if (byte === 40) depth += 1;
    else if (byte === 41) {
      depth -= 1;
      if (depth === 0) break;
    }
  }
  lexer.pos = Math.min(limit, pos + 1);
  const end = Math.min(pos, limit);
  lexer.string = plain ? bytes.subarray(from, end) : undoEscapes(bytes, from, end);
  return tokens.string;
}

const escapes = new Map([
  [110, 10],
  [114, 13],
  [116, 9],
  [98, 8],
  [102, 12],
]);

function undoEscapes(bytes: Uint8Array, from: number, end: number): Uint8Array {
  const out = new Uint8Array(end - from);
  let length = 0;
  for (let pos = from; pos < end; pos += 1) {
    let byte = bytes[pos] as number;
    if (byte === 13) {
      // Any end-of-line marker in a string reads as a line feed (ISO 32000-1, 7.3.4.2).
      if (bytes[pos + 1] === 10) pos += 1;
      byte = 10;
    } else if (byte === 92) {
      pos += 1;
      if (pos >= end) break;
      byte = bytes[pos] as number;
      if (byte === 13 || byte === 10) {
        if (byte === 13 && bytes[pos + 1] === 10) pos += 1;
        continue;
      }
      if (byte >= 48 && byte <= 55) {
        let value = byte - 48;
        for (let more = 0; more < 2; more += 1) {
          const next = bytes[pos + 1] as number;
          if (pos + 1 >= end || next < 48 || next > 55) break;
          value = value * 8 + next - 48;
          pos += 1;
        }
        byte = value & 255;
      } else byte = escapes.get(byte) ?? byte;
    }
    out[length] = byte;
    length += 1;
  }
  return out.subarray(0, length);
}

function readHex(lexer: Lexer): TokenType {
  const { bytes, limit } = lexer;
  let pos = lexer.pos;
  const from = pos;
  while (pos < limit && bytes[pos] !== 62) pos += 1;
  const out = new Uint8Array((pos - from + 1) >> 1);
  let digits = 0;
  for (let i = from; i < pos; i += 1) {
    const value = hexValues[bytes[i] as number] as number;
    if (value < 0) continue;
    if ((digits & 1) === 0) out[digits >> 1] = value << 4;
    else out[digits >> 1] = (out[digits >> 1] as number) | value;
    digits += 1;
  }
  lexer.pos = Math.min(limit, pos + 1);
  lexer.string = out.subarray(0, (digits + 1) >> 1);
  return tokens.string;
}
