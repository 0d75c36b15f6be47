/** The shape of each code: as path segments and as a shared form. */
import {
  type Font,
  fontOutlines,
  interpreterOf,
  type Matrix,
  numberText,
  type OutlineSegment,
  pdfDict,
  pdfName,
  pdfRef,
  rewriteContent,
  transformPoint,
} from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import type { fontsOutline } from './contract.ts';
import type { Found } from './find-text.ts';

type Context = FixContext<typeof fontsOutline>;

export interface GlyphShape {
  segments: readonly OutlineSegment[];
  /** Object number of the form; 0 for an empty glyph. */
  form: number;
}
/** By code key. */
export type Shapes = Map<number, GlyphShape>;

export const n = (value: number): string => numberText(Math.round(value * 1e4) / 1e4);

const letters = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;

export function pathText(segments: readonly OutlineSegment[], matrix: Matrix | null): string {
  return segments
    .map(([letter, ...values]) => {
      const points: string[] = [];
      for (let at = 0; at + 1 < values.length; at += 2) {
        const [x, y] = matrix
          ? transformPoint(matrix, values[at] ?? 0, values[at + 1] ?? 0)
          : [values[at] ?? 0, values[at + 1] ?? 0];
        points.push(n(x), n(y));
      }
      return [...points, letters[letter]].join(' ');
    })
    .join('\n');
}

const hex = (code: number, bytes: number): string => code.toString(16).padStart(bytes * 2, '0');

export function makeShapes(context: Context, found: Found): Map<Font, Shapes> {
  const all = new Map<Font, Shapes>();
  for (const [font, codes] of found.codes) {
    const shapes: Shapes = new Map();
    all.set(font, shapes);
    if (font.type === 'Type3') {
      const form = type3Forms(context, found, font);
      for (const [key, { code }] of codes) shapes.set(key, { segments: [], form: form(code) });
      continue;
    }
    const keys = new Map([...codes].map(([key, { code, bytes }]) => [hex(code, bytes), key]));
    for (const [text, segments] of fontOutlines(context.file, font.object, [...keys.keys()])) {
      const key = keys.get(text);
      if (key !== undefined)
        shapes.set(key, { segments, form: segments.length > 0 ? glyphForm(context, segments) : 0 });
    }
  }
  return all;
}

function glyphForm({ edit, settings }: Context, segments: readonly OutlineSegment[]): number {
  const xs = segments.flatMap(([, ...values]) => values.filter((_, index) => index % 2 === 0));
  const ys = segments.flatMap(([, ...values]) => values.filter((_, index) => index % 2 === 1));
  const box = [Math.min(...xs) - 0.01, Math.min(...ys) - 0.01, Math.max(...xs) + 0.01, Math.max(...ys) + 0.01].map(
    (edge) => Math.round(edge * 1e4) / 1e4,
  );
  return edit.addStream(
    Buffer.from(`${pathText(segments, null)}\n${settings.fillRule === 'EvenOdd' ? 'f*' : 'f'}`, 'latin1'),
    pdfDict({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: box, Resources: pdfDict({}) }),
  );
}

/**
 * Size of the form's BBox in ems. A form is clipped to its BBox, a glyph is not, so there must be room for any glyph.
 */
const room = 64;

/** A Type 3 glyph procedure is a content stream and becomes a form. All forms of a font share its resources. */
function type3Forms({ edit, file }: Context, found: Found, font: Font): (code: number) => number {
  const loaded = interpreterOf(file).fonts.read(pdfRef(font.object));
  const resources = pdfRef(edit.add(loaded?.resources ?? found.resources.get(font) ?? pdfDict({})));
  const em = 1 / Math.max(...font.fontMatrix.slice(0, 4).map(Math.abs), 1e-6);
  const edge = Math.round(room * em * 1e3) / 1e3;
  return (code) => {
    const procedure = loaded?.glyphProcedure(code);
    if (!procedure) return 0;
    const edits = [...(found.glyphEdits.get(procedure.object)?.values() ?? [])];
    const dict = pdfDict({
      Type: pdfName('XObject'),
      Subtype: pdfName('Form'),
      BBox: [-edge, -edge, edge, edge],
      Matrix: [...font.fontMatrix],
      Resources: resources,
    });
    return edit.addStream(rewriteContent(file.stream(procedure.object), edits), dict);
  };
}
