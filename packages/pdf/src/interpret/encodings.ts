/**
 * Encodings of simple fonts, as Unicode per character code (ISO 32000-1, annex D). Used only for extracted text and for
 * the widths of standard fonts.
 */
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { glyphUnicode } from './glyph-names.ts';
import type { Font } from './types.ts';

const macRoman = (): string[] => {
  const decoder = new TextDecoder('macintosh');
  return Array.from({ length: 256 }, (_, code) => (code < 32 ? '' : decoder.decode(new Uint8Array([code]))));
};

/**
 * Codes 0x80 to 0x9f of WinAnsiEncoding; the others are those of Latin-1. The decoder of Node is not used: some versions
 * decode windows-1252 as Latin-1.
 */
const winAnsiUpper = [...'€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ'];
const winAnsi = (): string[] =>
  Array.from({ length: 256 }, (_, code) => {
    if (code < 32 || code === 127) return '';
    const upper = winAnsiUpper[code - 0x80];
    // Unused codes show a bullet (ISO 32000-1, annex D.2, note 3).
    return upper === '\u0000' ? '•' : (upper ?? String.fromCharCode(code));
  });

/** Codes of StandardEncoding that differ from ASCII. */
const standardDifferences: readonly [number, string][] = [
  [0x27, '’'],
  [0x60, '‘'],
  ...[..."¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ"].map((char, index) => [0xa1 + index, char] as [number, string]),
  [0xb1, '–'],
  [0xb2, '†'],
  [0xb3, '‡'],
  [0xb4, '·'],
  [0xb6, '¶'],
  [0xb7, '•'],
  [0xb8, '‚'],
  [0xb9, '„'],
  [0xba, '”'],
  [0xbb, '»'],
  [0xbc, '…'],
  [0xbd, '‰'],
  [0xbf, '¿'],
  [0xc1, '`'],
  [0xc2, '´'],
  [0xc3, 'ˆ'],
  [0xc4, '˜'],
  [0xc5, '¯'],
  [0xc6, '˘'],
  [0xc7, '˙'],
  [0xc8, '¨'],
  [0xca, '˚'],
  [0xcb, '¸'],
  [0xcd, '˝'],
  [0xce, '˛'],
  [0xcf, 'ˇ'],
  [0xd0, '—'],
  [0xe1, 'Æ'],
  [0xe3, 'ª'],
  [0xe8, 'Ł'],
  [0xe9, 'Ø'],
  [0xea, 'Œ'],
  [0xeb, 'º'],
  [0xf1, 'æ'],
  [0xf5, 'ı'],
  [0xf8, 'ł'],
  [0xf9, 'ø'],
  [0xfa, 'œ'],
  [0xfb, 'ß'],
];

function standard(): string[] {
  const table = Array.from({ length: 256 }, (_, code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : ''));
  for (const [code, char] of standardDifferences) table[code] = char;
  return table;
}

const tables = new Map<string, readonly string[]>();
const makers: Readonly<Record<string, () => string[]>> = {
  WinAnsiEncoding: winAnsi,
  MacRomanEncoding: macRoman,
  StandardEncoding: standard,
};

/** Unicode of each code of a named encoding; StandardEncoding for an unknown name. */
function baseEncoding(name: string): readonly string[] {
  const known = tables.get(name);
  if (known) return known;
  const made = (makers[name] ?? standard)();
  tables.set(name, made);
  return made;
}

/**
 * The glyph names that the /Differences of an encoding give codes (ISO 32000-1, 9.6.6.1): a number sets the next code,
 * names are assigned to consecutive codes.
 */
export function namesByCode(file: PdfFile, encoding: PdfValue): Map<number, string> {
  const names = new Map<number, string>();
  const differences = isDict(encoding) ? file.entry(encoding, 'Differences') : null;
  let code = 0;
  for (const written of isArray(differences) ? differences : []) {
    const entry = file.resolve(written);
    if (typeof entry === 'number') code = entry;
    else if (isName(entry)) {
      names.set(code, entry.name);
      code += 1;
    }
  }
  return names;
}

/** Unicode of each code of a simple font. */
export function encodingTable(file: PdfFile, dict: PdfDict, facts: Font): readonly string[] {
  const encoding = file.entry(dict, 'Encoding');
  if (isName(encoding)) return baseEncoding(encoding.name);
  const fallback = facts.type === 'TrueType' && !facts.isSymbolic ? 'WinAnsiEncoding' : 'StandardEncoding';
  if (!isDict(encoding)) return baseEncoding(fallback);
  const base = file.entry(encoding, 'BaseEncoding');
  const table = [...baseEncoding(isName(base) && base.name ? base.name : fallback)];
  for (const [code, name] of namesByCode(file, encoding)) if (code in table) table[code] = glyphUnicode(name);
  return table;
}
