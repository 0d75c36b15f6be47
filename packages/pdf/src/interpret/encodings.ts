/** Simple fonts' encodings, as Unicode per code (ISO 32000-1, annex D). Only for text samples and standard widths. */
import { glyphUnicode } from './glyph-names.ts';

const decodeAll = (label: string): string[] => {
  const decoder = new TextDecoder(label);
  return Array.from({ length: 256 }, (_, code) => (code < 32 ? '' : decoder.decode(new Uint8Array([code]))));
};

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
  WinAnsiEncoding: () => decodeAll('windows-1252'),
  MacRomanEncoding: () => decodeAll('macintosh'),
  StandardEncoding: standard,
};

/** Unicode of each code of a named encoding; StandardEncoding for an unknown name. */
export function baseEncoding(name: string): readonly string[] {
  const known = tables.get(name);
  if (known) return known;
  const made = (makers[name] ?? standard)();
  tables.set(name, made);
  return made;
}

/** A base encoding with /Differences laid over it: numbers set the code, names follow one another. */
export function withDifferences(base: readonly string[], differences: readonly (number | string)[]): readonly string[] {
  const table = [...base];
  let code = 0;
  for (const entry of differences) {
    if (typeof entry === 'number') code = entry;
    else {
      if (code >= 0 && code < 256) table[code] = glyphUnicode(entry);
      code += 1;
    }
  }
  return table;
}
