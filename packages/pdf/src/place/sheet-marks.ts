import type { Ink, Mark, Rect } from '@pdf2press/contract';
import { type PdfWriter, writeContent } from '../write/pdf-writer.ts';
import { nameText } from '../write/value-text.ts';
import { writeTechnicalLayer } from './document-parts.ts';
import { createGlyphOutlines } from './glyph-outlines.ts';
import { num, shapeContent } from './shape-content.ts';

/** Draws marks as form XObjects; a mark used on several sheets is written once. */
export interface SheetMarks {
  /** Object numbers of the forms to draw on a side, and of their layers (0 for none). */
  formsOf: (marks: readonly Mark[]) => { form: number; layer: number }[];
  /** Object numbers of all layers written so far. */
  layers: () => number[];
}

/** A colour bar file: the form of its page, and the box of that page that is the bar. */
export interface MarkStrip {
  form: () => number;
  box: Rect;
}

export function createSheetMarks(writer: PdfWriter, strip?: MarkStrip): SheetMarks {
  const outlines = createGlyphOutlines();
  const glyphs = new Map<string, { name: string; form: number; advance: number }>();
  const colours = new Map<string, { name: string; num: number }>();
  const layers = new Map<string, number>();
  const forms = new Map<Mark, number>();
  let overprint = 0;

  const colourOf = (ink: Extract<Ink, { all: number } | { spot: string }>) => {
    const name = 'all' in ink ? 'All' : ink.spot;
    const known = colours.get(name);
    if (known) return known;
    const alternate = 'all' in ink ? [1, 1, 1, 1] : ink.alternate;
    const made = { name: `C${colours.size}`, num: writer.reserve() };
    const tint = `<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[${alternate.map(num).join(' ')}]/N 1>>`;
    writer.object(made.num, `[/Separation ${nameText(utf8Name(name))}/DeviceCMYK ${tint}]`);
    colours.set(name, made);
    return made;
  };

  const glyphOf = (character: string) => {
    const known = glyphs.get(character);
    if (known) return known;
    const { path, advance } = outlines.glyph(character);
    const made = { name: path === '' ? '' : `G${glyphs.size}`, form: path === '' ? 0 : writer.reserve(), advance };
    // With a margin, because some glyphs extend beyond their em.
    if (path !== '')
      writeContent(writer, made.form, '/Type/XObject/Subtype/Form/BBox[-1 -1 3 3]/Resources<<>>', `${path} f`);
    glyphs.set(character, made);
    return made;
  };

  const formOf = (mark: Mark): number => {
    const known = forms.get(mark);
    if (known !== undefined) return known;
    const spaces = new Map<string, number>();
    const letters = new Map<string, number>();
    const content = shapeContent(mark.shapes, {
      inkName: (ink) => {
        const colour = colourOf(ink);
        spaces.set(colour.name, colour.num);
        return colour.name;
      },
      glyph: (character) => {
        const glyph = glyphOf(character);
        if (glyph.form !== 0) letters.set(glyph.name, glyph.form);
        return glyph;
      },
      strip: () => {
        if (!strip) return null;
        letters.set('Strip', strip.form());
        return { name: 'Strip', box: strip.box };
      },
    });
    const form = writer.reserve();
    // A technical ink must not knock out what is printed below it.
    const states = mark.processingStep ? `/ExtGState<</O ${overprintState()} 0 R>>` : '';
    const resources = `/Resources<<${named('ColorSpace', spaces)}${named('XObject', letters)}${states}>>`;
    writeContent(
      writer,
      form,
      `/Type/XObject/Subtype/Form/BBox[0 0 30000 30000]${resources}`,
      `${mark.processingStep ? '/O gs\n' : ''}${content}`,
    );
    forms.set(mark, form);
    return form;
  };

  const overprintState = (): number => {
    if (overprint === 0) {
      overprint = writer.reserve();
      writer.object(overprint, '<</Type/ExtGState/OP true/op true/OPM 1>>');
    }
    return overprint;
  };

  const layerOf = ({ mark, processingStep }: Mark): number => {
    if (!processingStep) return 0;
    const name = `${processingStep.group} ${processingStep.type} ${mark}`;
    const known = layers.get(name) ?? writeTechnicalLayer(writer, `${mark} (${processingStep.type})`, processingStep);
    layers.set(name, known);
    return known;
  };

  return {
    formsOf: (marks) =>
      marks
        .filter((mark) => mark.shapes.some((shape) => shape.type !== 'barcode'))
        .map((mark) => ({ form: formOf(mark), layer: layerOf(mark) })),
    layers: () => [...layers.values()],
  };
}

const named = (key: string, names: ReadonlyMap<string, number>): string =>
  names.size === 0 ? '' : `/${key}<<${[...names].map(([name, object]) => `/${name} ${object} 0 R`).join('')}>>`;

/** Ink names that are not ASCII are written as UTF-8 (ISO 32000-1, 7.3.5). */
const utf8Name = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');
