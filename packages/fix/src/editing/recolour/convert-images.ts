/** Converts the images of a file, each once and a few at a time. */
import { interpretPage, isName, longFilterNames, type PdfDict, type PdfValue, pdfDict, pdfName } from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import type { FoundImage, FoundInline } from './find-colour.ts';
import { convertImage } from './images.ts';
import { boxOf, familyName, type Recolouring, usedFamily } from './recolouring.ts';

/** Images decoded at the same time; limits memory use. */
const lanes = 3;

/**
 * Converts images. An image that pages outside the selection also show is copied; the result maps old object numbers to
 * those of copies.
 */
export async function convertImages(
  { context, options }: Recolouring,
  images: ReadonlyMap<number, FoundImage>,
): Promise<Map<number, number>> {
  const { edit } = context;
  const elsewhere = imagesElsewhere(context);
  const renamed = new Map<number, number>();
  const waiting = [...images.values()];
  const total = waiting.length;
  let failure: unknown = null;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && failure === null; next = waiting.shift()) {
      context.signal.throwIfAborted();
      const { image, isInMask, places } = next;
      const result = await convertImage(edit, image, null, { ...options, isInMask });
      if (result.state === 'unreadable') {
        context.warn('imageUnreadable', { page: places[0]?.page ?? null, object: image.object });
        // Renderers treat an undecodable image differently, so its place is not compared.
        for (const { page, box } of places) context.declare(page, box);
      }
      if (result.state !== 'converted') continue;
      if (elsewhere.has(image.object)) renamed.set(image.object, edit.addStream(result.data, result.dict));
      else edit.setStream(image.object, result.data, result.dict);
      const before = image.space ? usedFamily(image.space) : 'JPX';
      for (const { page, box, path } of places)
        context.log({
          what: 'image',
          page,
          object: path,
          box,
          before,
          after: familyName(context.file, result.dict.map.get('ColorSpace')),
          parameter: options.parameter,
        });
      context.progress(total - waiting.length, total);
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(lanes, total) }, () =>
      work().catch((error: unknown) => {
        failure ??= error;
      }),
    ),
  );
  if (failure !== null) throw failure;
  return renamed;
}

/** Object numbers of images on pages outside the selection. */
function imagesElsewhere({ file, pages }: FixContext): Set<number> {
  const shown = new Set<number>();
  const chosen = new Set(pages);
  for (const page of file.pages) {
    if (!chosen.has(page.number))
      interpretPage(file, page.number, [{ image: ({ image }) => void shown.add(image.object) }]);
  }
  return shown;
}

/** Converts inline images to image XObjects; the result maps places to object numbers. */
export async function convertInline(
  { context, options }: Recolouring,
  inline: ReadonlyMap<string, FoundInline>,
): Promise<Map<string, number>> {
  const replaced = new Map<string, number>();
  for (const [key, { event, page, isInMask }] of inline) {
    const { image } = event;
    const result = await convertImage(context.edit, image, event.inlineData, { ...options, isInMask });
    if (result.state === 'unreadable') context.warn('imageUnreadable', { page, object: 0 });
    if (result.state !== 'converted') continue;
    const dict = pdfDict(
      { Type: pdfName('XObject'), Subtype: pdfName('Image'), ...longFilter(result.dict) },
      result.dict,
    );
    replaced.set(key, context.edit.addStream(result.data, dict));
    context.log({
      what: 'image',
      page,
      box: boxOf(event),
      before: image.space ? usedFamily(image.space) : '',
      after: familyName(context.file, result.dict.map.get('ColorSpace')),
      parameter: options.parameter,
    });
  }
  return replaced;
}

/** Abbreviated filter names are allowed in inline images only (ISO 32000-1, 8.9.7). */
function longFilter(dict: PdfDict): Record<string, PdfValue> {
  const long = (value: PdfValue): PdfValue =>
    isName(value)
      ? pdfName(longFilterNames[value.name] ?? value.name)
      : Array.isArray(value)
        ? value.map((entry: PdfValue) => long(entry))
        : value;
  const filter = dict.map.get('Filter');
  return filter === undefined ? {} : { Filter: long(filter) };
}
