/** CMaps from codes to CIDs and to text (ISO 32000-1, 9.7.5 and 9.10.3). */
import { type PdfDict, pdfDict, pdfName, pdfTextString } from '@pdf2press/pdf';

interface Code {
  code: number;
  bytes: number;
}

/** A section of a CMap holds at most as many entries. */
const perSection = 100;

const hex = (value: number, bytes: number): string => `<${value.toString(16).padStart(2 * bytes, '0')}>`;

function sections(kind: string, lines: readonly string[]): string[] {
  const written: string[] = [];
  for (let from = 0; from < lines.length; from += perSection) {
    const some = lines.slice(from, from + perSection);
    written.push(`${some.length} begin${kind}`, ...some, `end${kind}`);
  }
  return written;
}

/** One range for each length of codes: what is shown cannot be split in another way. */
function spaces(codes: readonly Code[]): string[] {
  const lengths = [...new Set(codes.map(({ bytes }) => bytes))].sort((a, b) => a - b);
  const [only] = lengths;
  if (lengths.length === 1 && only !== undefined) return [`${hex(0, only)} ${hex(256 ** only - 1, only)}`];
  // Codes of several lengths are told apart by their first byte.
  return [...new Map(codes.map(({ code, bytes }) => [`${bytes} ${Math.floor(code / 256 ** (bytes - 1))}`, bytes]))].map(
    ([key, bytes]) => {
      const first = Number(key.split(' ')[1]) * 256 ** (bytes - 1);
      return `${hex(first, bytes)} ${hex(first + 256 ** (bytes - 1) - 1, bytes)}`;
    },
  );
}

const ordering = { cid: 'Identity', text: 'UCS' };

function mapOf(
  name: string,
  kind: keyof typeof ordering,
  codes: readonly Code[],
  entries: readonly string[],
): Uint8Array {
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering[kind]}) /Supplement 0 >> def`,
    `/CMapName /${name} def`,
    `/CMapType ${kind === 'cid' ? 1 : 2} def`,
    ...(kind === 'cid' ? ['/WMode 0 def'] : []),
    ...sections('codespacerange', spaces(codes)),
    ...sections(kind === 'cid' ? 'cidchar' : 'bfchar', entries),
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ];
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1');
}

/** The stream of an encoding that gives codes their CIDs. */
export function codeMap(codes: readonly (Code & { cid: number })[]): [Uint8Array, PdfDict] {
  const name = 'EmbeddedGlyphs';
  const entries = codes.map(({ code, bytes, cid }) => `${hex(code, bytes)} ${cid}`);
  const system = pdfDict({ Registry: pdfTextString('Adobe'), Ordering: pdfTextString('Identity'), Supplement: 0 });
  return [
    mapOf(name, 'cid', codes, entries),
    pdfDict({ Type: pdfName('CMap'), CMapName: pdfName(name), CIDSystemInfo: system, WMode: 0 }),
  ];
}

/** The stream of a ToUnicode entry. */
export function unicodeMap(codes: readonly (Code & { text: string })[]): [Uint8Array, PdfDict] {
  const units = (text: string): string =>
    `<${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`;
  const entries = codes.map(({ code, bytes, text }) => `${hex(code, bytes)} ${units(text)}`);
  return [mapOf('EmbeddedText', 'text', codes, entries), pdfDict({})];
}
