import type { Ink, Mark } from '@pdf2press/contract';
import type { PdfWriter } from '../write/pdf-writer.ts';
import { nameText } from '../write/value-text.ts';
import { deflateSync } from 'node:zlib';
import { writeTechnicalLayer } from './document-parts.ts';
import { createGlyphOutlines } from './glyph-outlines.ts';
import { num, shapeContent } from './shape-content.ts';

/** Draws marks as form XObjects; a mark that many sheets share is drawn once. */
export interface SheetMarks {
  /** Numbers of the forms to draw on a side, and the layer each belongs to (0: none). */
  formsOf: (marks: readonly Mark[]) => { form: number; layer: number }[];
  layers: () => number[];
}

export function createSheetMarks(writer: PdfWriter): SheetMarks {
  const glyphs = createGlyphOutlines();
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

  const formOf = (mark: Mark): number => {
    const known = forms.get(mark);
    if (known !== undefined) return known;
    const used = new Map<string, number>();
    const content = shapeContent(
      mark.shapes,
      {
        nameOf: (ink) => {
          const colour = colourOf(ink);
          used.set(colour.name, colour.num);
          return colour.name;
        },
      },
      glyphs,
    );
    const form = writer.reserve();
    const spaces = [...used].map(([name, colour]) => `/${name} ${colour} 0 R`).join('');
    // A technical ink must not knock out what is printed below it.
    const states = mark.processingStep ? `/ExtGState<</O ${overprintState()} 0 R>>` : '';
    const data = `${mark.processingStep ? '/O gs\n' : ''}${content}`;
    writer.stream(
      form,
      `/Type/XObject/Subtype/Form/BBox[0 0 30000 30000]/Resources<<${spaces ? `/ColorSpace<<${spaces}>>` : ''}${states}>>/Filter/FlateDecode`,
      deflateSync(Buffer.from(data, 'latin1')),
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
      marks.filter((mark) => mark.shapes.some((shape) => shape.type !== 'barcode')).map((mark) => ({ form: formOf(mark), layer: layerOf(mark) })),
    layers: () => [...layers.values()],
  };
}

/** Colour names are bytes; others than ASCII are written as UTF-8, as PDF/X readers expect. */
const utf8Name = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');
