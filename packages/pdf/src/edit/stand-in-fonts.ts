/**
 * Free fonts with the metrics of the standard fonts of PDF (ISO 32000-1, 9.6.2.2), to embed in place of fonts that a
 * file only names. The programs are those that pdf.js brings for the same purpose: Foxit's for Courier and Times (as
 * CFF), Liberation Sans for Helvetica and Arial (as TrueType), Foxit's for Symbol and ZapfDingbats; their licences allow
 * embedding in documents.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type CffFont, readCff } from '../fonts/cff.ts';
import { encodingTable } from '../interpret/encodings.ts';
import { interpreterOf } from '../interpret/interpreter.ts';
import { type StandardSymbols, standardSymbols } from '../interpret/standard-symbols.ts';
import type { Font, Rect } from '../interpret/types.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { pdfRef } from './make-values.ts';

export interface StandInFont {
  /** PostScript name of the program. */
  readonly name: string;
  readonly kind: 'TrueType' | 'Type1C';
  readonly program: Uint8Array;
  /** Entries of a font descriptor in thousandths of an em, from the metrics files of the standard fonts. */
  readonly metrics: FontMetrics;
  /** Advance of a character in thousandths of an em; null for one that the font lacks. */
  readonly advanceOf: (char: string) => number | null;
}

export interface FontMetrics {
  bbox: Rect;
  ascent: number;
  descent: number;
  capHeight: number;
  stemV: number;
  /** Degrees counter-clockwise from upright, so negative for italics. */
  italicAngle: number;
  isSerif: boolean;
  isFixedPitch: boolean;
}

type Style = 'Regular' | 'Bold' | 'Italic' | 'BoldItalic';
type Row = readonly [file: string, name: string, bbox: Rect, capHeight: number, stemV: number, italicAngle: number];

interface Family {
  /** Names of the family without spaces, in lower case, before the style. */
  names: RegExp;
  kind: StandInFont['kind'];
  ascent: number;
  descent: number;
  isSerif: boolean;
  isFixedPitch: boolean;
  styles: Readonly<Record<Style, Row>>;
}

const families: readonly Family[] = [
  {
    names: /^(helvetica|arial)$/,
    kind: 'TrueType',
    ...{ ascent: 718, descent: -207, isSerif: false, isFixedPitch: false },
    styles: {
      Regular: ['LiberationSans-Regular.ttf', 'LiberationSans', [-166, -225, 1000, 931], 718, 88, 0],
      Bold: ['LiberationSans-Bold.ttf', 'LiberationSans-Bold', [-170, -228, 1003, 962], 718, 140, 0],
      Italic: ['LiberationSans-Italic.ttf', 'LiberationSans-Italic', [-170, -225, 1116, 931], 718, 88, -12],
      BoldItalic: [
        'LiberationSans-BoldItalic.ttf',
        'LiberationSans-BoldItalic',
        [-174, -228, 1114, 962],
        ...([718, 140, -12] as const),
      ],
    },
  },
  {
    names: /^(times|times-?roman|timesnewroman(ps)?)$/,
    kind: 'Type1C',
    ...{ ascent: 683, descent: -217, isSerif: true, isFixedPitch: false },
    styles: {
      Regular: ['FoxitSerif.pfb', 'FoxitSerif', [-168, -218, 1000, 898], 662, 84, 0],
      Bold: ['FoxitSerifBold.pfb', 'FoxitSerif-Bold', [-168, -218, 1000, 935], 676, 139, 0],
      Italic: ['FoxitSerifItalic.pfb', 'FoxitSerif-Italic', [-169, -217, 1010, 883], 653, 76, -15.5],
      BoldItalic: ['FoxitSerifBoldItalic.pfb', 'FoxitSerif-BoldItalic', [-200, -218, 996, 921], 669, 121, -15],
    },
  },
  {
    names: /^(courier|couriernew(ps)?)$/,
    kind: 'Type1C',
    ...{ ascent: 629, descent: -157, isSerif: true, isFixedPitch: true },
    styles: {
      Regular: ['FoxitFixed.pfb', 'FoxitFixed', [-23, -250, 715, 805], 562, 51, 0],
      Bold: ['FoxitFixedBold.pfb', 'FoxitFixed-Bold', [-113, -250, 749, 801], 562, 106, 0],
      Italic: ['FoxitFixedItalic.pfb', 'FoxitFixed-Italic', [-27, -250, 849, 805], 562, 51, -12],
      BoldItalic: ['FoxitFixedBoldItalic.pfb', 'FoxitFixed-BoldItalic', [-57, -250, 869, 801], 562, 106, -12],
    },
  },
];

/** The style at the end of a font name: `,Bold`, `-BoldItalic`, `-BoldMT`, `MT`. */
const ending = /[-,]?(bold)?(italic|oblique)?(mt)?$/;

const known = new Map<string, StandInFont>();

/** The family and the style that a font name tells; null for a font whose metrics none here has. */
function styleOf(baseName: string): { family: Family; style: Style } | null {
  const name = baseName.replaceAll(' ', '').toLowerCase();
  const [found = '', bold, italic] = ending.exec(name) ?? [];
  const style: Style = bold ? (italic ? 'BoldItalic' : 'Bold') : italic ? 'Italic' : 'Regular';
  const family = families.find(({ names }) => names.test(name.slice(0, name.length - found.length)));
  return family ? { family, style } : null;
}

/** Whether a font can be embedded in place of one that a file only names, by its name and kind. */
export const hasStandIn = ({ baseName, isComposite, object }: Font): boolean =>
  !isComposite && object !== 0 && (styleOf(baseName) !== null || baseName in symbols);

/**
 * The font that can stand in for a font of this name; null for one whose metrics none here has.
 * @param baseName without subset prefix, such as `Arial,Bold` or `TimesNewRomanPS-ItalicMT`
 */
export function standInOf(baseName: string): StandInFont | null {
  const told = styleOf(baseName);
  return told ? load(told.family, told.style) : null;
}

function load(family: Family, style: Style): StandInFont {
  const [file, name, bbox, capHeight, stemV, italicAngle] = family.styles[style];
  const loaded = known.get(name);
  if (loaded) return loaded;
  const program = programIn(file);
  const font = new (mupdf().Font)(name, program);
  const { kind, ascent, descent, isSerif, isFixedPitch } = family;
  const made: StandInFont = {
    name,
    kind,
    program,
    metrics: { bbox, ascent, descent, capHeight, stemV, italicAngle, isSerif, isFixedPitch },
    advanceOf(char) {
      const glyph = font.encodeCharacter(char.codePointAt(0) ?? 0);
      return glyph === 0 ? null : font.advanceGlyph(glyph, 0) * 1000;
    },
  };
  known.set(name, made);
  return made;
}

const programIn = (file: string): Uint8Array => {
  const home = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return readFileSync(path.join(home, 'standard_fonts', file));
};

/** A font of symbols, whose glyphs have names and codes of their own instead of characters. */
export interface SymbolFont extends Pick<StandInFont, 'name' | 'program' | 'metrics'> {
  readonly cff: CffFont;
  /** The glyph name of a code by the encoding of the standard font (ISO 32000-1, annexes D.5 and D.6); '' for none. */
  readonly nameOf: StandardSymbols['nameOf'];
  /** Thousandths of an em. */
  readonly advanceOf: (glyph: number) => number;
}

/** From the metrics files of the standard fonts. */
const symbols: Readonly<Record<string, { file: string; name: string; bbox: Rect; stemV: number }>> = {
  Symbol: { file: 'FoxitSymbol.pfb', name: 'FoxitSymbol', bbox: [-180, -293, 1090, 1010], stemV: 85 },
  ZapfDingbats: { file: 'FoxitDingbats.pfb', name: 'FoxitDingbats', bbox: [-1, -143, 981, 820], stemV: 90 },
};
const knownSymbols = new Map<string, SymbolFont>();

/** The font that can stand in for one of the two standard fonts of symbols; null for another font. */
export function symbolFontOf(baseName: string): SymbolFont | null {
  const found = symbols[baseName];
  const known = knownSymbols.get(baseName);
  if (!found || known) return known ?? null;
  const { file, name, bbox, stemV } = found;
  const program = programIn(file);
  const font = new (mupdf().Font)(name, program);
  const heights = { ascent: bbox[3], descent: bbox[1], capHeight: bbox[3] };
  const made: SymbolFont = {
    name,
    program,
    metrics: { bbox, ...heights, stemV, italicAngle: 0, isSerif: false, isFixedPitch: false },
    cff: readCff(program),
    nameOf: standardSymbols(baseName)?.nameOf ?? (() => ''),
    advanceOf: (glyph) => font.advanceGlyph(glyph, 0) * 1000,
  };
  knownSymbols.set(baseName, made);
  return made;
}

/** The characters and widths (thousandths of an em) of the 256 codes of a simple font; '' for a code without character. */
export function simpleCodes(file: PdfFile, font: Font): { chars: readonly string[]; widths: Float64Array } {
  const loaded = interpreterOf(file).fonts.read(font.object ? pdfRef(font.object) : font.dict);
  return { chars: encodingTable(file, font.dict, font), widths: loaded?.simpleWidths ?? new Float64Array(256) };
}
