import { tolerant } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, type PdfDict, type PdfValue } from '../open/values.ts';
import { encodingTable, namesByCode } from './encodings.ts';
import { standardSymbols } from './standard-symbols.ts';
import type { Font } from './types.ts';

const numberOr = (value: PdfValue, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Advances in thousandths of an em by CID, and the default for other CIDs. */
interface Advances {
  byCid: Map<number, number>;
  otherwise: number;
}
/** CIDs have 16 bits. */
const maxCid = 65_535;

/** Widths of a composite font by CID (/W and /DW; ISO 32000-1, 9.7.4.3). */
export function readHorizontal(file: PdfFile, descendant: PdfDict): Advances {
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

/** Vertical displacements of a composite font by CID (/W2 and /DW2; ISO 32000-1, 9.7.4.3). */
export function readVertical(file: PdfFile, descendant: PdfDict): Advances {
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

/** Widths of the 256 codes of a simple font (ISO 32000-1, 9.6.2). */
export function readSimpleWidths(file: PdfFile, dict: PdfDict, facts: Font): Float64Array {
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

/** The 14 standard fonts may omit their widths (ISO 32000-1, 9.6.2.2). MuPDF contains fonts with the same metrics. */
function standardWidths(file: PdfFile, dict: PdfDict, facts: Font, widths: Float64Array): Float64Array {
  const symbols = standardSymbols(facts.baseName);
  if (symbols) {
    const written = namesByCode(file, file.entry(dict, 'Encoding'));
    return widths.map((_, code) => symbols.widthOf(written.get(code) ?? symbols.nameOf(code)));
  }
  const encoding = encodingTable(file, dict, facts);
  const standIn = tolerant(() => new (mupdf().Font)(standardName(facts.baseName)), null);
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
