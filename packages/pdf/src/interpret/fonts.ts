import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import { type CMap, codeLength, lookUpCid, parseCMap, predefinedCMap } from './cmap.ts';
import { encodingTable, namesByCode } from './encodings.ts';
import { readHorizontal, readSimpleWidths, readVertical } from './font-widths.ts';
import type { Font, FontType, Matrix } from './types.ts';

/** A font with the data that is needed to lay out text in it. */
export interface LoadedFont {
  readonly facts: Font;
  /** Width of each code in thousandths of an em; null for composite fonts. */
  readonly simpleWidths: Float64Array | null;
  /** Null for simple fonts. */
  readonly cmap: CMap | null;
  /** True for Identity CMaps: two-byte codes are CIDs and need no lookup. */
  readonly isIdentity: boolean;
  /** Advance of a CID in thousandths of an em: horizontal width, or vertical displacement (negative is down). */
  readonly cidAdvance: (cid: number) => number;
  readonly unicodeOf: (code: number) => string;
  /** The glyph procedure of a Type 3 code; null when there is none. */
  readonly glyphProcedure: (code: number) => { object: number; dict: PdfDict } | null;
  /** All glyph procedures of a Type 3 font, whether shown or not. */
  readonly procedures: () => { object: number; dict: PdfDict }[];
  /** Resources of a Type 3 font. */
  readonly resources: PdfDict | null;
}

const thousandth: Matrix = [0.001, 0, 0, 0.001, 0, 0];

/** Loads the fonts of one file; each font is read once. */
export interface Fonts {
  /** The font that a reference or dictionary denotes; null when it is not a font. */
  read: (value: PdfValue | undefined) => LoadedFont | null;
}

export function createFonts(file: PdfFile): Fonts {
  const byObject = new Map<number, LoadedFont | null>();
  const byDict = new WeakMap<PdfDict, LoadedFont>();
  return {
    read(value) {
      if (isRef(value)) {
        const known = byObject.get(value.num);
        if (known !== undefined) return known;
        const dict = file.resolve(value);
        const font = isDict(dict) ? loadFont(file, dict, value.num) : null;
        byObject.set(value.num, font);
        return font;
      }
      if (!isDict(value)) return null;
      const known = byDict.get(value);
      if (known) return known;
      const font = loadFont(file, value, 0);
      byDict.set(value, font);
      return font;
    },
  };
}

const nameText = (value: PdfValue): string => (isName(value) ? value.name : '');
const numberOr = (value: PdfValue, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Facts of a font without its widths. */
export function readFontFacts(file: PdfFile, dict: PdfDict, object: number): Font {
  const subtype = nameText(file.entry(dict, 'Subtype'));
  const descendant = descendantOf(file, dict);
  const isComposite = subtype === 'Type0' || (descendant !== null && subtype !== 'Type3');
  const inner = descendant ?? dict;
  const descriptorValue = file.entry(inner, 'FontDescriptor');
  const descriptor = isDict(descriptorValue) ? descriptorValue : null;
  const program = findProgram(descriptor);
  const declared = declaredType(subtype, nameText(file.entry(inner, 'Subtype')), isComposite);
  const type =
    declared === 'Type3' || !program
      ? declared
      : (identifyProgram(file.streamHead(program.object), isComposite) ??
        saidOfProgram(file, program.object) ??
        declared);
  const name = nameText(file.entry(dict, 'BaseFont'));
  const isSubset = /^[A-Z]{6}\+/.test(name);
  const matrix = type === 'Type3' ? readMatrix(file, file.entry(dict, 'FontMatrix')) : thousandth;
  const encoding = file.entry(dict, 'Encoding');
  return {
    object,
    dict,
    name,
    baseName: isSubset ? name.slice(7) : name,
    isSubset,
    type,
    isComposite,
    isEmbedded: type === 'Type3' || program !== null,
    program: program?.object ?? 0,
    isVertical: isComposite && isName(encoding) && /(^|-)V$/.test(encoding.name),
    isSymbolic: (numberOr(descriptor ? file.entry(descriptor, 'Flags') : null, 0) & 4) !== 0,
    ...verticalMetrics(file, type === 'Type3' ? dict : descriptor, matrix, type === 'Type3'),
    fontMatrix: matrix,
  };
}

function descendantOf(file: PdfFile, dict: PdfDict): PdfDict | null {
  const descendants = file.entry(dict, 'DescendantFonts');
  const first = isArray(descendants) ? file.resolve(descendants[0]) : descendants;
  return isDict(first) ? first : null;
}

function findProgram(descriptor: PdfDict | null): { object: number } | null {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    const value = descriptor?.map.get(key);
    if (isRef(value)) return { object: value.num };
  }
  return null;
}

const programTypes: Readonly<Record<string, FontType>> = {
  Type1C: 'Type1C',
  CIDFontType0C: 'CIDFontType0C',
  OpenType: 'OpenType',
};

/** The type that a FontFile3 stream declares, used when the program itself is too damaged to be identified. */
function saidOfProgram(file: PdfFile, program: number): FontType | null {
  const dict = file.get(program);
  return isDict(dict) ? (programTypes[nameText(file.entry(dict, 'Subtype'))] ?? null) : null;
}

const simpleTypes: Readonly<Record<string, FontType>> = {
  Type1: 'Type1',
  MMType1: 'Type1',
  Type1C: 'Type1C',
  TrueType: 'TrueType',
  Type3: 'Type3',
};

function declaredType(subtype: string, innerSubtype: string, isComposite: boolean): FontType {
  if (!isComposite) return simpleTypes[subtype] ?? 'Type1';
  return innerSubtype === 'CIDFontType0' ? 'CIDFontType0' : 'CIDFontType2';
}

/** The real type of an embedded font program, identified by its first bytes; null when unknown. */
export function identifyProgram(bytes: Uint8Array, isComposite: boolean): FontType | null {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (start.startsWith('%!') || start.startsWith('\x80\x01')) return 'Type1';
  if (start === 'OTTO') return 'OpenType';
  if (start === '\x00\x01\x00\x00' || start === 'true' || start === 'ttcf')
    return isComposite ? 'CIDFontType2' : 'TrueType';
  if (start.startsWith('\x01\x00')) return isComposite || isCidKeyed(bytes) ? 'CIDFontType0C' : 'Type1C';
  return null;
}

/** A CFF font is CID-keyed when its Top DICT begins with ROS (Adobe Technical Note 5176, section 18). */
function isCidKeyed(bytes: Uint8Array): boolean {
  const at = (index: number): number => bytes[index] ?? 0;
  const skipIndex = (offset: number): { next: number; first: number; firstEnd: number } => {
    const count = (at(offset) << 8) | at(offset + 1);
    if (count === 0) return { next: offset + 2, first: 0, firstEnd: 0 };
    const size = at(offset + 2);
    const read = (index: number): number => {
      let value = 0;
      for (let i = 0; i < size; i += 1) value = value * 256 + at(offset + 3 + index * size + i);
      return value;
    };
    const data = offset + 2 + (count + 1) * size;
    return { next: data + read(count), first: data + read(0), firstEnd: data + read(1) };
  };
  const names = skipIndex(at(2));
  const tops = skipIndex(names.next);
  for (let pos = tops.first; pos < Math.min(tops.firstEnd, bytes.length); ) {
    const byte = at(pos);
    if (byte === 12) return at(pos + 1) === 30;
    if (byte === 28) pos += 3;
    else if (byte === 29) pos += 5;
    else if (byte >= 247 && byte <= 254) pos += 2;
    else if (byte >= 32 && byte <= 246) pos += 1;
    else return false;
  }
  return false;
}

function readMatrix(file: PdfFile, value: PdfValue): Matrix {
  const numbers = isArray(value) ? value.map((entry) => Number(file.resolve(entry))) : [];
  const [a, b, c, d, e, f] = numbers;
  return numbers.length >= 6 && numbers.every(Number.isFinite)
    ? [a as number, b as number, c as number, d as number, e as number, f as number]
    : thousandth;
}

/**
 * Ascent and descent of a font. Values outside a usable range are replaced, because many fonts give 0, points instead
 * of thousandths, or other wrong values: first by FontBBox, then by those of an average Latin font.
 */
function verticalMetrics(
  file: PdfFile,
  source: PdfDict | null,
  matrix: Matrix,
  isType3: boolean,
): { ascent: number; descent: number } {
  const box = source ? file.entry(source, 'FontBBox') : null;
  const numbers = isArray(box) ? box.map((entry) => numberOr(file.resolve(entry), 0)) : [];
  const unit = isType3 ? matrix[3] * 1000 : 1;
  const boxLow = Math.min(numbers[1] ?? 0, numbers[3] ?? 0) * unit;
  const boxHigh = Math.max(numbers[1] ?? 0, numbers[3] ?? 0) * unit;
  const ascent = isType3 || !source ? 0 : numberOr(file.entry(source, 'Ascent'), 0);
  const descent = isType3 || !source ? 0 : numberOr(file.entry(source, 'Descent'), 0);
  const usable = (value: number, least = 150): boolean => value > least && value < 3000;
  // An ascent below 400 is implausible; the bounding box is the better source for both values.
  const isLow = !isType3 && usable(ascent) && ascent < 400;
  if (isLow && usable(boxHigh, 400) && usable(-boxLow, 15)) return { ascent: boxHigh, descent: boxLow };
  return {
    ascent: usable(ascent) ? ascent : usable(boxHigh) ? boxHigh : isType3 ? 1000 : 750,
    // Some producers write the descent without its minus sign.
    descent: usable(Math.abs(descent), 15) ? -Math.abs(descent) : usable(-boxLow, 15) ? boxLow : isType3 ? 0 : -250,
  };
}

function loadFont(file: PdfFile, dict: PdfDict, object: number): LoadedFont {
  const facts = readFontFacts(file, dict, object);
  const descendant = facts.isComposite ? descendantOf(file, dict) : null;
  const unicodeOf = unicodeReader(file, dict, facts);
  const none = { glyphProcedure: () => null, procedures: () => [], resources: null };
  if (facts.isComposite) return { ...compositeFont(file, dict, descendant ?? dict, facts), unicodeOf, ...none };
  const simpleWidths = readSimpleWidths(file, dict, facts);
  const simple = { facts, simpleWidths, cmap: null, isIdentity: false, cidAdvance: () => 0, unicodeOf };
  return facts.type === 'Type3' ? { ...simple, ...type3Parts(file, dict) } : { ...simple, ...none };
}

function compositeFont(
  file: PdfFile,
  dict: PdfDict,
  descendant: PdfDict,
  facts: Font,
): Pick<LoadedFont, 'facts' | 'simpleWidths' | 'cmap' | 'isIdentity' | 'cidAdvance'> {
  const encoding = file.entry(dict, 'Encoding');
  const cmap =
    isDict(encoding) && encoding.stream ? parseCMap(file.stream(encoding.stream)) : predefinedCMap(nameText(encoding));
  if (isDict(encoding) && cmap.codeSpaces.length === 0) cmap.codeSpaces.push({ bytes: 2, low: 0, high: 0xffff });
  const isVertical = facts.isVertical || cmap.isVertical;
  const advances = isVertical ? readVertical(file, descendant) : readHorizontal(file, descendant);
  return {
    facts: isVertical === facts.isVertical ? facts : { ...facts, isVertical },
    simpleWidths: null,
    cmap,
    isIdentity: isName(encoding) && /^Identity-[HV]$/.test(encoding.name),
    cidAdvance: (cid) => advances.byCid.get(cid) ?? advances.otherwise,
  };
}

/** Unicode of codes, from ToUnicode, else from the encoding. Both are read on first use. */
function unicodeReader(file: PdfFile, dict: PdfDict, facts: Font): (code: number) => string {
  let toUnicode: CMap | null | undefined;
  let table: readonly string[] | null = null;
  return (code) => {
    if (toUnicode === undefined) {
      const value = file.entry(dict, 'ToUnicode');
      toUnicode = isDict(value) && value.stream ? parseCMap(file.stream(value.stream)) : null;
    }
    const mapped = toUnicode?.unicode.get(code);
    if (mapped !== undefined) return mapped;
    if (facts.isComposite) {
      const encoding = file.entry(dict, 'Encoding');
      return isName(encoding) && /UCS2|UTF16/.test(encoding.name) ? String.fromCharCode(code) : '';
    }
    table ??= encodingTable(file, dict, facts);
    return table[code] ?? '';
  };
}

/** Glyph procedures of a Type 3 font by code, found through the glyph names of its encoding (ISO 32000-1, 9.6.5). */
function type3Parts(file: PdfFile, dict: PdfDict): Pick<LoadedFont, 'glyphProcedure' | 'procedures' | 'resources'> {
  const procedures = file.entry(dict, 'CharProcs');
  const names = namesByCode(file, file.entry(dict, 'Encoding'));
  const resources = file.entry(dict, 'Resources');
  const read = (value: PdfValue | undefined): { object: number; dict: PdfDict } | null => {
    const procedure = file.resolve(value);
    return isDict(procedure) && procedure.stream ? { object: procedure.stream, dict: procedure } : null;
  };
  return {
    glyphProcedure: (wanted) => read(isDict(procedures) ? procedures.map.get(names.get(wanted) ?? '') : undefined),
    procedures: () => (isDict(procedures) ? [...procedures.map.values()] : []).flatMap((value) => read(value) ?? []),
    resources: isDict(resources) ? resources : null,
  };
}

/** Splits shown bytes into codes. Calls `take` with each code, its length in bytes and its CID. */
export function decodeText(
  font: LoadedFont,
  bytes: Uint8Array,
  take: (code: number, length: number, cid: number) => void,
): void {
  const { cmap } = font;
  if (!cmap) {
    for (const code of bytes) take(code, 1, code);
    return;
  }
  if (font.isIdentity) {
    for (let i = 0; i + 1 < bytes.length; i += 2) {
      const code = ((bytes[i] as number) << 8) | (bytes[i + 1] as number);
      take(code, 2, code);
    }
    return;
  }
  for (let i = 0; i < bytes.length; ) {
    const length = Math.max(1, codeLength(cmap, bytes, i));
    let code = 0;
    for (let j = 0; j < length; j += 1) code = code * 256 + (bytes[i + j] ?? 0);
    take(code, length, lookUpCid(cmap, code));
    i += length;
  }
}
