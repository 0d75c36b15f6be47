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
import { nameOf, numberOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { type PdfDict, pdfName } from '../open/values.ts';
import { paintedObjects } from './painted-objects.ts';

/** Finds such images among everything that pages can paint. */
export const alphaPictures = (file: PdfFile, pages: readonly PageFacts[]): PdfDict[] =>
  paintedObjects(file, pages).filter(
    (dict) =>
      nameOf(file, dict, 'Subtype') === 'Image' && dict.stream !== 0 && (numberOf(file, dict, 'SMaskInData') ?? 0) > 0,
  );

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
