/** Unicode of glyph names: the Latin names of the Adobe Glyph List and the forms uniXXXX and uXXXXXX. */
const accents =
  'grave acute circumflex tilde dieresis ring cedilla caron breve macron ogonek dotaccent hungarumlaut'.split(' ');
const combining = [
  '\u0300',
  '\u0301',
  '\u0302',
  '\u0303',
  '\u0308',
  '\u030a',
  '\u0327',
  '\u030c',
  '\u0306',
  '\u0304',
  '\u0328',
  '\u0307',
  '\u030b',
];

const plain: Readonly<Record<string, string>> = {
  space: ' ',
  exclam: '!',
  quotedbl: '"',
  numbersign: '#',
  dollar: '$',
  percent: '%',
  ampersand: '&',
  quotesingle: "'",
  parenleft: '(',
  parenright: ')',
  asterisk: '*',
  plus: '+',
  comma: ',',
  hyphen: '-',
  period: '.',
  slash: '/',
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  colon: ':',
  semicolon: ';',
  less: '<',
  equal: '=',
  greater: '>',
  question: '?',
  at: '@',
  bracketleft: '[',
  backslash: '\\',
  bracketright: ']',
  asciicircum: '^',
  underscore: '_',
  grave: '`',
  braceleft: '{',
  bar: '|',
  braceright: '}',
  asciitilde: '~',
  exclamdown: '¡',
  cent: '¢',
  sterling: '£',
  fraction: '⁄',
  yen: '¥',
  florin: 'ƒ',
  section: '§',
  currency: '¤',
  quotedblleft: '“',
  guillemotleft: '«',
  guilsinglleft: '‹',
  guilsinglright: '›',
  fi: 'ﬁ',
  fl: 'ﬂ',
  ff: 'ﬀ',
  ffi: 'ﬃ',
  ffl: 'ﬄ',
  endash: '–',
  dagger: '†',
  daggerdbl: '‡',
  periodcentered: '·',
  paragraph: '¶',
  bullet: '•',
  quotesinglbase: '‚',
  quotedblbase: '„',
  quotedblright: '”',
  guillemotright: '»',
  ellipsis: '…',
  perthousand: '‰',
  questiondown: '¿',
  acute: '´',
  circumflex: 'ˆ',
  tilde: '˜',
  macron: '¯',
  breve: '˘',
  dotaccent: '˙',
  dieresis: '¨',
  ring: '˚',
  cedilla: '¸',
  hungarumlaut: '˝',
  ogonek: '˛',
  caron: 'ˇ',
  emdash: '—',
  AE: 'Æ',
  ordfeminine: 'ª',
  Lslash: 'Ł',
  Oslash: 'Ø',
  OE: 'Œ',
  ordmasculine: 'º',
  ae: 'æ',
  dotlessi: 'ı',
  lslash: 'ł',
  oslash: 'ø',
  oe: 'œ',
  germandbls: 'ß',
  Eth: 'Ð',
  eth: 'ð',
  Thorn: 'Þ',
  thorn: 'þ',
  mu: 'µ',
  onehalf: '½',
  onequarter: '¼',
  threequarters: '¾',
  onesuperior: '¹',
  twosuperior: '²',
  threesuperior: '³',
  degree: '°',
  plusminus: '±',
  multiply: '×',
  divide: '÷',
  minus: '−',
  logicalnot: '¬',
  registered: '®',
  copyright: '©',
  trademark: '™',
  brokenbar: '¦',
  Euro: '€',
  quoteleft: '‘',
  quoteright: '’',
  nbspace: ' ',
  sfthyphen: '­',
  Dcroat: 'Đ',
  dcroat: 'đ',
  notequal: '≠',
  lessequal: '≤',
  greaterequal: '≥',
  infinity: '∞',
  partialdiff: '∂',
  summation: '∑',
  product: '∏',
  pi: 'π',
  integral: '∫',
  Omega: 'Ω',
  radical: '√',
  approxequal: '≈',
  Delta: '∆',
  lozenge: '◊',
};

/** Unicode text of a glyph name; '' for a name that does not tell it ('g37', '.notdef'). */
export function glyphUnicode(glyph: string): string {
  const name = glyph.includes('.') ? glyph.slice(0, glyph.indexOf('.')) : glyph;
  if (/^[A-Za-z]$/.test(name)) return name;
  const known = plain[name];
  if (known !== undefined) return known;
  const uni = /^uni([0-9A-F]{4})+$/.exec(name);
  if (uni) return String.fromCharCode(...(name.slice(3).match(/.{4}/g) ?? []).map((hex) => Number.parseInt(hex, 16)));
  const scalar = /^u([0-9A-F]{4,6})$/.exec(name);
  if (scalar) {
    const value = Number.parseInt(scalar[1] as string, 16);
    return value <= 0x10ffff ? String.fromCodePoint(value) : '';
  }
  const accent = accents.findIndex((ending) => name.endsWith(ending) && name.length === ending.length + 1);
  return accent >= 0 ? `${name[0]}${combining[accent]}`.normalize('NFC') : '';
}

/** Characters that share the glyph of another one (ISO 32000-1, annex D.2, notes 5 and 6). */
const sameGlyph: Readonly<Record<string, string>> = { '\u00a0': 'space', '\u00ad': 'hyphen' };
let names: Map<string, string> | null = null;

/** The glyph name of a character, the opposite of `glyphUnicode`; `uniXXXX` for one without a name of its own. */
export function glyphNameOf(char: string): string {
  if (/^[A-Za-z]$/.test(char)) return char;
  names ??= new Map(Object.entries(plain).map(([name, text]) => [text, name]));
  const known = sameGlyph[char] ?? names.get(char);
  if (known !== undefined) return known;
  const [letter = '', accent = ''] = char.normalize('NFD');
  const ending = accents[combining.indexOf(accent)];
  if (ending !== undefined && /^[A-Za-z]$/.test(letter)) return `${letter}${ending}`;
  return `uni${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
