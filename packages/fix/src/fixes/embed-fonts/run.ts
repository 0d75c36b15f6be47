import {
  type Font,
  glyphNameOf,
  interpretPage,
  isArray,
  isName,
  namesByCode,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  type StandInFont,
  simpleCodes,
  standInOf,
} from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { embedFonts } from './contract.ts';

type Context = FixContext<typeof embedFonts>;

interface Use {
  font: Font;
  codes: Set<number>;
  /** Where the text stands: page and box. */
  places: { page: number; box: Rect }[];
}

export const run: FixRunner<typeof embedFonts> = (context) => {
  const isNamed = nameMatcher(context.settings.names);
  const chosen = new Set(context.pages);
  const programs = new Map<string, number>();
  const left: Reason[] = [];
  for (const use of usedFonts(context).values()) {
    const { font } = use;
    if (!use.places.some(({ page }) => chosen.has(page)) || !(isNamed(font.baseName) || isNamed(font.name))) continue;
    const reason = embed(context, use, programs);
    if (reason) left.push(reason);
  }
  const [first] = left;
  if (first && context.settings.otherFonts === 'Fail') throw failed(first.code, first.params);
  for (const { code, params } of left) context.warn(code, params);
};

interface Reason {
  code: 'noFont' | 'unusable' | 'lettersMissing' | 'widthsDiffer';
  params: Record<string, string | string[]>;
}

/** The fonts that are not embedded, with all that is shown in them: a font is the same object on every page. */
function usedFonts({ file, signal }: Context): Map<Font, Use> {
  const uses = new Map<Font, Use>();
  for (const { number } of file.pages) {
    signal.throwIfAborted();
    interpretPage(
      file,
      number,
      [
        {
          text(event) {
            const { font, bbox, effectiveSize } = event;
            if (!font || font.isEmbedded) return;
            const use = uses.get(font) ?? { font, codes: new Set<number>(), places: [] };
            uses.set(font, use);
            event.eachCode((code) => void use.codes.add(code));
            // Accents and swashes extend beyond a font's box.
            const by = effectiveSize * 0.3;
            use.places.push({ page: number, box: [bbox[0] - by, bbox[1] - by, bbox[2] + by, bbox[3] + by] });
          },
        },
      ],
      { annotations: true, everyUse: true },
    );
  }
  return uses;
}

/** Embeds a font and logs it; why not, if that is impossible. */
function embed(context: Context, { font, codes, places }: Use, programs: Map<string, number>): Reason | null {
  const { file, edit, settings } = context;
  const name = font.baseName;
  const standIn = font.isComposite ? null : standInOf(name);
  if (!standIn) return { code: 'noFont', params: { font: name } };
  if (font.object === 0) return { code: 'unusable', params: { font: name } };
  const { chars, widths } = simpleCodes(file, font);
  const shown = [...codes].map((code) => ({ code, char: chars[code] ?? '', width: widths[code] ?? 0 }));
  // Line ends and tabs in a string show nothing.
  const letters = shown.filter(({ code, char }) => char !== '' || code >= 32);
  const missing = letters.filter(({ char }) => char === '' || standIn.advanceOf(char) === null);
  if (missing.length > 0) return { code: 'lettersMissing', params: { font: name, letters: missing.map(letterOf) } };
  const most = settings.widthTolerance * 10;
  const apart = letters.filter(({ char, width }) => Math.abs((standIn.advanceOf(char) ?? 0) - width) > most + 0.5);
  if (apart.length > 0) return { code: 'widthsDiffer', params: { font: name, letters: apart.map(letterOf) } };

  const hasWidths = isArray(file.entry(font.dict, 'Widths'));
  edit.set(
    font.object,
    pdfDict(
      {
        Subtype: pdfName(standIn.kind === 'TrueType' ? 'TrueType' : 'Type1'),
        BaseFont: pdfName(standIn.name),
        FontDescriptor: pdfRef(edit.add(descriptorOf(context, standIn, programs))),
        Encoding: encodingOf(context, font, shown),
        // The widths of the file stay, those of its descriptor too, so no letter moves. Standard widths are whole.
        FirstChar: 0,
        LastChar: 255,
        Widths: hasWidths ? [...widths] : [...widths].map((width) => Math.round(width)),
      },
      font.dict,
    ),
  );
  for (const { page, box } of places) context.declare(page, box);
  context.log({
    what: 'font',
    page: places[0]?.page ?? 1,
    object: `${font.object} 0 R`,
    before: name,
    after: standIn.name,
    parameter: 'names',
    params: { font: name, standIn: standIn.name },
  });
  return null;
}

const letterOf = ({ code, char }: { code: number; char: string }): string =>
  char === '' ? `#${code.toString(16).padStart(2, '0')}` : char;

/** Bits of a descriptor's Flags (ISO 32000-1, table 123). */
const flags = { fixedPitch: 1, serif: 2, nonsymbolic: 32, italic: 64 };

function descriptorOf({ edit }: Context, { name, kind, program, metrics }: StandInFont, programs: Map<string, number>) {
  let stream = programs.get(name);
  if (stream === undefined) {
    stream = edit.addStream(
      program,
      pdfDict(kind === 'TrueType' ? { Length1: program.length } : { Subtype: pdfName('Type1C') }),
    );
    programs.set(name, stream);
  }
  const { bbox, ascent, descent, capHeight, stemV, italicAngle, isSerif, isFixedPitch } = metrics;
  return pdfDict({
    Type: pdfName('FontDescriptor'),
    FontName: pdfName(name),
    Flags:
      flags.nonsymbolic |
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

/**
 * An encoding that names every glyph that is shown. Without it the encoding within the program would count, which need
 * not be that of the font it replaces (ISO 32000-1, 9.6.6.1).
 */
function encodingOf({ file }: Context, font: Font, shown: readonly { code: number; char: string }[]): PdfValue {
  const given = file.entry(font.dict, 'Encoding');
  if (isName(given) && (given.name === 'WinAnsiEncoding' || given.name === 'MacRomanEncoding')) return given;
  const written = namesByCode(file, given);
  const differences = shown
    .toSorted((a, b) => a.code - b.code)
    .flatMap(({ code, char }) => [code, pdfName(char === '' ? 'space' : (written.get(code) ?? glyphNameOf(char)))]);
  return pdfDict({
    Type: pdfName('Encoding'),
    BaseEncoding: pdfName('WinAnsiEncoding'),
    Differences: differences,
  });
}
