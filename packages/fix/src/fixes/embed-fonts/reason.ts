import { type Font, type PdfDict, pdfDict, pdfName, pdfRef, type Rect } from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import type { embedFonts } from './contract.ts';

export type Context = FixContext<typeof embedFonts>;

/** Why a font was left as it is. */
export interface Reason {
  code:
    | 'noFont'
    | 'notAllowed'
    | 'unusable'
    | 'unfit'
    | 'lettersMissing'
    | 'widthsDiffer'
    | 'codesUnknown'
    | 'vertical';
  params: Record<string, string | string[]>;
}

/** A font of the file and what is known of its use. */
export interface Embedding {
  context: Context;
  font: Font;
  codes: ReadonlyMap<number, number>;
  places: { page: number; box: Rect }[];
  /** Programs that were embedded, by name. */
  streams: Map<string, number>;
}

/** A letter of the file beside that of the font to embed. */
export interface Letter {
  /** As messages name it. */
  shown: string;
  /** Thousandths of an em, by the file. */
  width: number;
  /** By the font to embed. */
  advance: number;
}

/** Text positions are written with at most this error, in thousandths of an em. */
const rounding = 0.5;

/** The letters whose width differs by more than the settings allow. */
export const apart = ({ settings }: Context, letters: readonly Letter[]): string[] => {
  const most = settings.widthTolerance * 10 + rounding;
  return letters.filter(({ advance, width }) => Math.abs(advance - width) > most).map(({ shown }) => shown);
};

/** Whether letters of other widths are embedded all the same; then it is told. */
export function judgeWidths({ context, font }: Embedding, letters: readonly Letter[]): Reason | null {
  const different = apart(context, letters);
  if (different.length === 0) return null;
  const params = { font: font.baseName, letters: different };
  if (context.settings.otherWidths === 'Leave') return { code: 'widthsDiffer', params };
  context.warn('placesKept', params);
  return null;
}

/** Logs a font that was embedded, and where it stands. */
export function logEmbedded(
  { context, font, places }: Embedding,
  name: string,
  what: 'font' | 'numbered' = 'font',
): void {
  for (const { page, box } of places) context.declare(page, box);
  context.log({
    what,
    page: places[0]?.page ?? 1,
    object: `${font.object} 0 R`,
    before: font.baseName,
    after: name,
    parameter: 'names',
    params: { font: font.baseName, standIn: name },
  });
}

/** Bits of a descriptor's Flags (ISO 32000-1, table 123). */
const flags = { fixedPitch: 1, serif: 2, symbolic: 4, nonsymbolic: 32, italic: 64 };

export interface Described {
  name: string;
  kind: 'TrueType' | 'Type1C' | 'CIDFontType0C';
  program: Uint8Array;
  isSymbolic: boolean;
  metrics: {
    bbox: Rect;
    ascent: number;
    descent: number;
    capHeight: number;
    stemV: number;
    italicAngle: number;
    isSerif?: boolean;
    isFixedPitch: boolean;
  };
}

/** Embeds a program, each once, and describes it. */
export function descriptorOf({ context: { edit }, streams }: Embedding, described: Described): PdfDict {
  const { name, kind, program, metrics, isSymbolic } = described;
  const key = `${kind} ${name}`;
  let stream = streams.get(key);
  if (stream === undefined) {
    stream = edit.addStream(
      program,
      pdfDict(kind === 'TrueType' ? { Length1: program.length } : { Subtype: pdfName(kind) }),
    );
    streams.set(key, stream);
  }
  const { bbox, ascent, descent, capHeight, stemV, italicAngle, isSerif, isFixedPitch } = metrics;
  return pdfDict({
    Type: pdfName('FontDescriptor'),
    FontName: pdfName(name),
    Flags:
      (isSymbolic ? flags.symbolic : flags.nonsymbolic) |
      (isFixedPitch ? flags.fixedPitch : 0) |
      (isSerif ? flags.serif : 0) |
      (italicAngle === 0 ? 0 : flags.italic),
    FontBBox: [...bbox],
    ItalicAngle: italicAngle,
    Ascent: ascent,
    Descent: descent,
    CapHeight: capHeight,
    StemV: stemV,
    [kind === 'TrueType' ? 'FontFile2' : 'FontFile3']: pdfRef(stream),
  });
}
