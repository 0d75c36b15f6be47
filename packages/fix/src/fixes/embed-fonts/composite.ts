/** Embeds composite fonts: a map from the codes of the file to the glyphs of the font takes the place of its encoding. */
import {
  type FontProgram,
  interpreterOf,
  isArray,
  isDict,
  isName,
  lookUpCid,
  type PdfDict,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  pdfTextString,
} from '@pdf2press/pdf';
import { codeMap, unicodeMap } from './code-map.ts';
import { apart, descriptorOf, type Embedding, judgeWidths, type Letter, logEmbedded, type Reason } from './reason.ts';

interface Shown {
  code: number;
  bytes: number;
  /** '' where the file does not tell it. */
  text: string;
  width: number;
  /** Number of the glyph in the font that the file was made with, where codes are such numbers; else null. */
  original: number | null;
}

/** Embeds a composite font; why not, if that is impossible. */
export function embedComposite(job: Embedding, program: FontProgram): Reason | null {
  const { context, font } = job;
  const { file, edit } = context;
  const params = { font: font.baseName };
  const loaded = interpreterOf(file).fonts.read(pdfRef(font.object));
  const descendant = descendantOf(job);
  if (!loaded?.cmap || !descendant) return { code: 'unusable', params };
  if (loaded.facts.isVertical) return { code: 'vertical', params };
  const shown = readShown(job, descendant);
  if (!shown) return { code: 'codesUnknown', params };

  const isTold = shown.every(({ text }) => text !== '');
  const glyphs = isTold ? shown.map(({ text }) => program.glyphOf(text)) : byNumbers(job, program, shown);
  if (!glyphs) return { code: 'codesUnknown', params };
  const missing = shown.filter((_, at) => glyphs[at] === 0);
  if (missing.length > 0) return { code: 'lettersMissing', params: { ...params, letters: missing.map(letterOf) } };
  const letters = shown.map((one, at) => letterBy(program, one, glyphs[at] ?? 0));
  const reason = judgeWidths(job, letters) ?? judgeShared(job, shown, glyphs);
  if (reason) return reason;

  const { bytes, prefix } = program.embedded(glyphs);
  const name = `${prefix}${program.facts.postScriptName}`;
  const { cff } = program;
  const cids = glyphs.map((glyph) => cff?.cidOf(glyph) ?? glyph);
  const kind = cff ? 'CIDFontType0C' : 'TrueType';
  const inner = pdfDict({
    Type: pdfName('Font'),
    Subtype: pdfName(cff ? 'CIDFontType0' : 'CIDFontType2'),
    BaseFont: pdfName(name),
    CIDSystemInfo: pdfDict({ Registry: pdfTextString('Adobe'), Ordering: pdfTextString('Identity'), Supplement: 0 }),
    FontDescriptor: pdfRef(
      edit.add(descriptorOf(job, { name, kind, program: bytes, isSymbolic: true, metrics: program.metrics })),
    ),
    DW: 1000,
    W: widthsOf(shown, cids),
    ...(!cff && { CIDToGIDMap: pdfName('Identity') }),
  });
  edit.set(
    font.object,
    pdfDict(
      {
        BaseFont: pdfName(name),
        Encoding: pdfRef(edit.addStream(...codeMap(shown.map((one, at) => ({ ...one, cid: cids[at] ?? 0 }))))),
        DescendantFonts: [pdfRef(edit.add(inner))],
        ...(isTold &&
          !isDict(file.entry(font.dict, 'ToUnicode')) && { ToUnicode: pdfRef(edit.addStream(...unicodeMap(shown))) }),
      },
      font.dict,
    ),
  );
  logEmbedded(job, program.facts.postScriptName, isTold ? 'font' : 'numbered');
  return null;
}

function descendantOf({ context: { file }, font }: Embedding): PdfDict | null {
  const descendants = file.entry(font.dict, 'DescendantFonts');
  const first = isArray(descendants) ? file.resolve(descendants[0]) : null;
  return isDict(first) ? first : null;
}

/** What the codes show, by the file; null when their widths cannot be known. */
function readShown({ context: { file }, font, codes }: Embedding, descendant: PdfDict): Shown[] | null {
  const loaded = interpreterOf(file).fonts.read(pdfRef(font.object));
  const encoding = file.entry(font.dict, 'Encoding');
  // Of a predefined map only the text is known; the widths that the file lists are by numbers that it does not tell.
  const isMapKnown = !isName(encoding) || loaded?.isIdentity === true;
  if (!loaded?.cmap || (!isMapKnown && file.entry(descendant, 'W'))) return null;
  const { cmap, isIdentity } = loaded;
  const glyphs = isIdentity
    ? glyphNumbers(file.entry(descendant, 'CIDToGIDMap'), (stream) => file.stream(stream))
    : null;
  return [...codes]
    .sort(([a], [b]) => a - b)
    .map(([code, bytes]) => {
      const cid = isIdentity ? code : lookUpCid(cmap, code);
      const width = loaded.cidAdvance(isMapKnown ? cid : -1);
      return { code, bytes, text: loaded.unicodeOf(code), width, original: glyphs?.(cid) ?? null };
    });
}

/** The glyph numbers that a CIDToGIDMap gives (ISO 32000-1, table 117). */
function glyphNumbers(map: PdfValue, read: (stream: number) => Uint8Array): (cid: number) => number {
  if (!isDict(map) || !map.stream) return (cid) => cid;
  const bytes = read(map.stream);
  return (cid) => ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0);
}

/** As many different widths must agree before the numbers of glyphs are believed to be those of this font. */
const proof = 4;

/**
 * The glyphs by their numbers in the font that the file was made with: only if the fonts have the very same name, and each
 * width agrees, several different ones among them.
 */
function byNumbers({ context, font }: Embedding, program: FontProgram, shown: readonly Shown[]): number[] | null {
  if (program.facts.postScriptName !== font.baseName || program.cff?.isCidKeyed) return null;
  const glyphs = shown.map(({ original }) => original ?? 0);
  if (glyphs.some((glyph) => glyph === 0 || glyph >= program.glyphCount)) return null;
  const letters = shown.map((one, at) => letterBy(program, one, glyphs[at] ?? 0));
  const isProved = new Set(shown.map(({ width }) => Math.round(width))).size >= proof;
  return isProved && apart(context, letters).length === 0 ? glyphs : null;
}

const letterBy = (program: FontProgram, shown: Shown, glyph: number): Letter => ({
  shown: letterOf(shown),
  width: shown.width,
  advance: program.advanceOf(glyph),
});

const letterOf = ({ code, bytes, text }: Shown): string =>
  text === '' ? `#${code.toString(16).padStart(2 * bytes, '0')}` : text;

/** Codes that show the same glyph must have the same width, because a composite font has widths by glyph. */
function judgeShared({ font }: Embedding, shown: readonly Shown[], glyphs: readonly number[]): Reason | null {
  const widths = new Map<number, number>();
  const different = shown.filter(({ width }, at) => {
    const known = widths.get(glyphs[at] ?? 0);
    widths.set(glyphs[at] ?? 0, known ?? width);
    return known !== undefined && known !== width;
  });
  return different.length === 0
    ? null
    : { code: 'widthsDiffer', params: { font: font.baseName, letters: different.map(letterOf) } };
}

/** /W: each CID with the width that the file gives it. */
const widthsOf = (shown: readonly Shown[], cids: readonly number[]): PdfValue[] =>
  [...new Map(shown.map(({ width }, at) => [cids[at] ?? 0, width]))]
    .sort(([a], [b]) => a - b)
    .flatMap(([cid, width]) => [cid, [width]]);
