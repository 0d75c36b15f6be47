/** Embeds simple fonts: their codes are bytes, and an encoding names the glyphs. */
import {
  glyphNameOf,
  isArray,
  isName,
  namesByCode,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  simpleCodes,
} from '@pdf2press/pdf';
import type { Shown, SimpleFace } from './faces.ts';
import { descriptorOf, type Embedding, judgeWidths, logEmbedded, type Reason } from './reason.ts';

type Found = NonNullable<ReturnType<SimpleFace['find']>>;

/** Embeds a simple font as a face; why not, if that is impossible. */
export function embedSimple(job: Embedding, face: SimpleFace): Reason | null {
  const { context, font, codes } = job;
  const { file, edit } = context;
  const about = { font: font.baseName, standIn: face.name };
  if (face.isUnfit) return { code: 'unfit', params: about };
  const { chars, widths } = simpleCodes(file, font);
  const written = namesByCode(file, file.entry(font.dict, 'Encoding'));
  const shown = [...codes.keys()]
    .sort((a, b) => a - b)
    .map((code): Shown => ({ code, char: chars[code] ?? '', name: written.get(code) ?? '' }));
  const found = new Map(shown.map((letter): [Shown, Found | null] => [letter, face.find(letter)]));
  // Line ends and tabs in a string show nothing.
  const letters = shown.filter(({ char, code }) => char !== '' || code >= 32);
  const missing = letters.filter((letter) => !found.get(letter));
  if (missing.length > 0)
    return { code: 'lettersMissing', params: { font: font.baseName, letters: missing.map(letterOf) } };
  const hasWidths = isArray(file.entry(font.dict, 'Widths'));
  const reason = judgeWidths(
    job,
    letters.map((letter) => ({
      shown: letterOf(letter),
      width: widths[letter.code] ?? 0,
      advance: found.get(letter)?.advance ?? 0,
    })),
  );
  if (reason) return reason;

  const { bytes, prefix } = face.embedded([...found.values()].flatMap((one) => (one ? [one.glyph] : [])));
  const name = `${prefix}${face.name}`;
  edit.set(
    font.object,
    pdfDict(
      {
        Subtype: pdfName(face.kind === 'TrueType' ? 'TrueType' : 'Type1'),
        BaseFont: pdfName(name),
        FontDescriptor: pdfRef(edit.add(descriptorOf(job, { ...face, name, program: bytes }))),
        Encoding: encodingOf(job, face, found),
        // The widths of the file stay, those of its descriptor too, so no letter moves. Standard widths are whole.
        FirstChar: 0,
        LastChar: 255,
        Widths: hasWidths ? [...widths] : [...widths].map((width) => Math.round(width)),
      },
      font.dict,
    ),
  );
  logEmbedded(job, face.name);
  return null;
}

const letterOf = ({ code, char }: Shown): string => (char === '' ? `#${code.toString(16).padStart(2, '0')}` : char);

/**
 * An encoding that names every glyph that is shown. Without it the encoding within the program would count, which need
 * not be that of the font it replaces (ISO 32000-1, 9.6.6.1).
 */
function encodingOf(
  { context: { file }, font }: Embedding,
  face: SimpleFace,
  found: ReadonlyMap<Shown, Found | null>,
): PdfValue {
  const given = file.entry(font.dict, 'Encoding');
  const hasOwnNames = [...found.values()].some((one) => one?.name !== undefined);
  if (!hasOwnNames && isName(given) && (given.name === 'WinAnsiEncoding' || given.name === 'MacRomanEncoding'))
    return given;
  const differences = [...found].flatMap(([{ code, char, name }, glyph]) => [
    code,
    pdfName(glyph?.name ?? (name || (char === '' ? 'space' : glyphNameOf(char)))),
  ]);
  return pdfDict({
    Type: pdfName('Encoding'),
    ...(!face.isSymbolic && { BaseEncoding: pdfName('WinAnsiEncoding') }),
    Differences: differences,
  });
}
