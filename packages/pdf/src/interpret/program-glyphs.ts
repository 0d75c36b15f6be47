import type * as Mupdf from 'mupdf';
import { tolerant } from '../open/engine.ts';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { withCodesOnPage } from './codes-on-page.ts';
import type { Font } from './types.ts';

/** What the embedded program of a font has for a code. */
export interface ProgramGlyph {
  /** Number of the glyph in the program; 0 is .notdef, which stands for what is missing. */
  glyph: number;
  /** Horizontal advance of the glyph by the program, in thousandths of an em. */
  advance: number;
}

/** In ems; larger than any displacement of a glyph. */
const spread = 64;

/** Whether the program can be opened. MuPDF puts another font in the place of one that cannot. */
function canBeOpened(file: PdfFile, program: number): boolean {
  const font = tolerant(() => new (mupdf().Font)('program', file.stream(program)), null);
  font?.destroy();
  return font !== null;
}

/**
 * The glyphs that MuPDF finds in the program of an embedded font by the font's encoding. A program that cannot be
 * read has none.
 * @param codes codes as hexadecimal bytes, as in a string
 */
export function programGlyphs(
  file: PdfFile,
  font: Pick<Font, 'object' | 'program'>,
  codes: readonly string[],
): ReadonlyMap<string, ProgramGlyph> {
  const found = new Map<string, ProgramGlyph>();
  if (!canBeOpened(file, font.program)) return found;
  const show = (program: Mupdf.Font, matrix: Mupdf.Matrix, glyph: number) => {
    const code = codes[Math.round(matrix[4] / spread)];
    // A glyph that stands for several letters is told once for each.
    if (code === undefined || found.has(code) || glyph < 0) return;
    found.set(code, { glyph, advance: program.advanceGlyph(glyph, 0) * 1000 });
  };
  tolerant(
    () =>
      withCodesOnPage(file, { fontObject: font.object, codes, spread }, (page) => {
        const device = new (mupdf().Device)({
          fillText: (text: Mupdf.Text) => text.walk({ showGlyph: show }),
        });
        page.run(device, mupdf().Matrix.identity);
        device.close();
        device.destroy();
      }),
    undefined,
  );
  return found;
}
