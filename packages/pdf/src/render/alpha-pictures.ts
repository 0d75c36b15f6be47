/**
 * JPEG 2000 images with an opacity channel in their own data (SMaskInData, ISO 32000-1, 11.6.5.3). Ghostscript paints
 * them opaque, so it is given a copy in which the opacity is a soft mask beside the image.
 */
import { createEditor } from '../edit/editor.ts';
import { pdfDict } from '../edit/make-values.ts';
import { packSamples, readJpxSamples } from '../edit/samples.ts';
import { addSoftMask } from '../edit/soft-mask.ts';
import { interpreterOf } from '../interpret/interpreter.ts';
import type { PageFacts } from '../open/page-facts.ts';
import { arrayOf, dictOf, dictsIn, nameOf, numberOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';

/** Levels of forms in forms; deeper ones are not painted either. */
const deepest = 32;

/**
 * Finds such images among everything that pages can paint: images, forms, pattern cells, glyphs, soft masks, appearances
 * of annotations. An object is looked at once, however many pages use it.
 */
export function alphaPictures(file: PdfFile, pages: readonly PageFacts[]): PdfDict[] {
  const found: PdfDict[] = [];
  const seen = new Set<PdfDict | number>();
  const paint = (value: PdfValue | undefined, depth: number): void => {
    if (value === undefined || depth > deepest || (isRef(value) && seen.has(value.num))) return;
    if (isRef(value)) seen.add(value.num);
    const dict = file.resolve(value);
    if (!isDict(dict)) return;
    if (nameOf(file, dict, 'Subtype') !== 'Image') resources(dictOf(file, dict, 'Resources'), depth + 1);
    else if (dict.stream !== 0 && (numberOf(file, dict, 'SMaskInData') ?? 0) > 0) found.push(dict);
  };
  const resources = (holder: PdfDict | null, depth: number): void => {
    if (!holder || seen.has(holder)) return;
    seen.add(holder);
    for (const category of ['XObject', 'Pattern', 'Font'] as const)
      for (const [, value] of dictOf(file, holder, category)?.map ?? []) paint(value, depth);
    for (const [, value] of dictOf(file, holder, 'ExtGState')?.map ?? []) {
      const state = file.resolve(value);
      paint(dictOf(file, isDict(state) ? state : null, 'SMask')?.map.get('G'), depth);
    }
  };
  for (const page of pages) {
    resources(page.resources, 0);
    for (const annotation of dictsIn(file, arrayOf(file, page.dict, 'Annots'))) {
      const normal = dictOf(file, annotation, 'AP')?.map.get('N');
      const states = file.resolve(normal);
      if (isDict(states) && states.stream === 0) for (const [, state] of states.map) paint(state, 0);
      else paint(normal, 0);
    }
  }
  return found;
}

/** Splits the images of all pages into colours and a soft mask. Images that cannot be decoded stay as they are. */
export function splitAlphaPictures(file: PdfFile): void {
  const edit = createEditor(file);
  const { images } = interpreterOf(file);
  const pictures = alphaPictures(file, file.pages).map((dict) => images.read(dict, null));
  for (const image of pictures) {
    const samples = readJpxSamples(file, image);
    if (!samples?.alpha) continue;
    const { width, height, components, bits } = samples;
    const mask = addSoftMask(edit, samples.alpha, width, height);
    edit.setStream(
      image.object,
      packSamples(samples.data, width, height, components, bits),
      pdfDict(
        {
          ...{ Width: width, Height: height, BitsPerComponent: bits },
          ColorSpace: image.dict.map.get('ColorSpace') ?? (samples.family ? pdfName(samples.family) : undefined),
          SMask: mask,
          ...{ SMaskInData: undefined, Mask: undefined, Decode: undefined },
          ...{ Filter: undefined, DecodeParms: undefined, Length: undefined },
        },
        image.dict,
      ),
    );
  }
}
