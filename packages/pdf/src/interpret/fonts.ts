import { Font as EngineFont } from 'mupdf';
import { tolerant } from '../open/engine.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import { type CMap, codeLength, lookUpCid, parseCMap, predefinedCMap } from './cmap.ts';
import { baseEncoding, withDifferences } from './encodings.ts';
import type { Font, FontType, Matrix } from './types.ts';

/** A font with what is needed to walk text in it. */
export interface LoadedFont {
  readonly facts: Font;
  /** Simple fonts: width of each code in thousandths; composite: null. */
  readonly simpleWidths: Float64Array | null;
  /** Composite fonts. */
  readonly cmap: CMap | null;
  /** True for two-byte codes that are CIDs: no map to look up. */
  readonly isIdentity: boolean;
  /** Advance of a CID in thousandths: horizontal width, or the vertical displacement (negative: down). */
  readonly cidAdvance: (cid: number) => number;
  readonly unicodeOf: (code: number) => string;
  /** Type 3: the glyph procedure of a code, null when it has none. */
  readonly glyphProcedure: (code: number) => { object: number; dict: PdfDict } | null;
  /** All of them, shown or not. */
  readonly procedures: () => { object: number; dict: PdfDict }[];
  /** Type 3 resources. */
  readonly resources: PdfDict | null;
}

const thousandth: Matrix = [0.001, 0, 0, 0.001, 0, 0];

export interface Fonts {
  /** The font a reference or dictionary stands for; null when it is none. Each is read once. */
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

/** Facts of a font without its widths: enough for a list of fonts. */
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

/** What a FontFile3 stream says it is, for programs too damaged to tell. */
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

/** What an embedded program really is, by its first bytes; null when it is nothing known. */
export function identifyProgram(bytes: Uint8Array, isComposite: boolean): FontType | null {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (start.startsWith('%!') || start.startsWith('\x80\x01')) return 'Type1';
  if (start === 'OTTO') return 'OpenType';
  if (start === '\x00\x01\x00\x00' || start === 'true' || start === 'ttcf')
    return isComposite ? 'CIDFontType2' : 'TrueType';
  if (start.startsWith('\x01\x00')) return isComposite || isCidKeyed(bytes) ? 'CIDFontType0C' : 'Type1C';
  return null;
}

/** A CFF whose Top DICT begins with ROS is CID-keyed (Adobe TN 5176, chapter 18). */
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

/** Usable extents only: fonts often say 0, points in place of thousandths, or nonsense; then an average Latin font is assumed. */
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
  // Letters lower than half their size are none: such a font's box knows better, of what hangs below as well.
  const isLow = !isType3 && usable(ascent) && ascent < 400;
  if (isLow && usable(boxHigh, 400) && usable(-boxLow, 15)) return { ascent: boxHigh, descent: boxLow };
  return {
    ascent: usable(ascent) ? ascent : usable(boxHigh) ? boxHigh : isType3 ? 1000 : 750,
    // Some writers give the descent without its sign.
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

interface Advances {
  byCid: Map<number, number>;
  otherwise: number;
}
/** CIDs are 16 bits. */
const maxCid = 65_535;

function readHorizontal(file: PdfFile, descendant: PdfDict): Advances {
  const byCid = new Map<number, number>();
  const list = file.entry(descendant, 'W');
  if (isArray(list)) {
    for (let i = 0; i < list.length; ) {
      const first = numberOr(file.resolve(list[i]), Number.NaN);
      const second = file.resolve(list[i + 1]);
      if (isArray(second)) {
        for (const [index, width] of second.entries()) byCid.set(first + index, numberOr(file.resolve(width), 0));
        i += 2;
      } else {
        const width = numberOr(file.resolve(list[i + 2]), 0);
        const last = Math.min(numberOr(second, first), maxCid);
        for (let cid = Math.max(0, first); cid <= last; cid += 1) byCid.set(cid, width);
        i += 3;
      }
    }
  }
  return { byCid, otherwise: numberOr(file.entry(descendant, 'DW'), 1000) };
}

function readVertical(file: PdfFile, descendant: PdfDict): Advances {
  const byCid = new Map<number, number>();
  const list = file.entry(descendant, 'W2');
  if (isArray(list)) {
    for (let i = 0; i < list.length; ) {
      const first = numberOr(file.resolve(list[i]), Number.NaN);
      const second = file.resolve(list[i + 1]);
      if (isArray(second)) {
        for (let j = 0; j + 2 < second.length; j += 3)
          byCid.set(first + j / 3, numberOr(file.resolve(second[j]), -1000));
        i += 2;
      } else {
        const advance = numberOr(file.resolve(list[i + 2]), -1000);
        const last = Math.min(numberOr(second, first), maxCid);
        for (let cid = Math.max(0, first); cid <= last; cid += 1) byCid.set(cid, advance);
        i += 5;
      }
    }
  }
  const defaults = file.entry(descendant, 'DW2');
  return { byCid, otherwise: isArray(defaults) ? numberOr(file.resolve(defaults[1]), -1000) : -1000 };
}

function readSimpleWidths(file: PdfFile, dict: PdfDict, facts: Font): Float64Array {
  const widths = new Float64Array(256);
  const list = file.entry(dict, 'Widths');
  const descriptor = file.entry(dict, 'FontDescriptor');
  if (!isArray(list)) return facts.type === 'Type3' ? widths : standardWidths(file, dict, facts, widths);
  const missing = isDict(descriptor) ? numberOr(file.entry(descriptor, 'MissingWidth'), 0) : 0;
  const first = numberOr(file.entry(dict, 'FirstChar'), 0);
  widths.fill(missing);
  for (let i = 0; i < list.length && i < 256; i += 1) {
    const code = first + i;
    if (code >= 0 && code < 256) widths[code] = numberOr(file.resolve(list[i]), missing);
  }
  return widths;
}

/** The standard fonts may leave out their widths (9.6.2.2); the engine carries metric-compatible ones. */
function standardWidths(file: PdfFile, dict: PdfDict, facts: Font, widths: Float64Array): Float64Array {
  const encoding = encodingTable(file, dict, facts);
  const standIn = tolerant(() => new EngineFont(standardName(facts.baseName)), null);
  for (let code = 0; code < 256; code += 1) {
    const char = encoding[code];
    widths[code] =
      standIn && char ? standIn.advanceGlyph(standIn.encodeCharacter(char.codePointAt(0) ?? 0), 0) * 1000 : 0;
  }
  standIn?.destroy();
  return widths;
}

function standardName(name: string): string {
  const bold = /bold|black|heavy/i.test(name);
  const italic = /italic|oblique/i.test(name);
  if (/symbol/i.test(name)) return 'Symbol';
  if (/zapf|dingbat/i.test(name)) return 'ZapfDingbats';
  if (/courier|mono/i.test(name))
    return `Courier${bold || italic ? '-' : ''}${bold ? 'Bold' : ''}${italic ? 'Oblique' : ''}`;
  if (/times|serif|roman|georgia|garamond/i.test(name) && !/sans/i.test(name)) {
    return `Times-${bold ? 'Bold' : ''}${italic ? 'Italic' : ''}${bold || italic ? '' : 'Roman'}`;
  }
  return `Helvetica${bold || italic ? '-' : ''}${bold ? 'Bold' : ''}${italic ? 'Oblique' : ''}`;
}

function encodingTable(file: PdfFile, dict: PdfDict, facts: Font): readonly string[] {
  const encoding = file.entry(dict, 'Encoding');
  if (isName(encoding)) return baseEncoding(encoding.name);
  const fallback = facts.type === 'TrueType' && !facts.isSymbolic ? 'WinAnsiEncoding' : 'StandardEncoding';
  if (!isDict(encoding)) return baseEncoding(fallback);
  const base = nameText(file.entry(encoding, 'BaseEncoding'));
  const differences = file.entry(encoding, 'Differences');
  const entries = isArray(differences) ? differences.map((entry) => file.resolve(entry)) : [];
  return withDifferences(
    baseEncoding(base || fallback),
    entries.flatMap<number | string>((entry) =>
      typeof entry === 'number' ? [entry] : isName(entry) ? [entry.name] : [],
    ),
  );
}

/** ToUnicode first, then the encoding; both read when first asked for. */
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

/** Glyph procedures by code, through the encoding's names. */
function type3Parts(file: PdfFile, dict: PdfDict): Pick<LoadedFont, 'glyphProcedure' | 'procedures' | 'resources'> {
  const procedures = file.entry(dict, 'CharProcs');
  const encoding = file.entry(dict, 'Encoding');
  const differences = isDict(encoding) ? file.entry(encoding, 'Differences') : null;
  const names = new Map<number, string>();
  let code = 0;
  for (const entry of isArray(differences) ? differences : []) {
    const value = file.resolve(entry);
    if (typeof value === 'number') code = value;
    else {
      names.set(code, nameText(value));
      code += 1;
    }
  }
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

/** Splits shown bytes into codes. Calls `take` with code, its length in bytes, and its CID. */
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
