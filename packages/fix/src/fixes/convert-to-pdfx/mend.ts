/** What keeps a file from a PDF/X standard and can be mended without touching its look. */
import {
  type BoxName,
  covers,
  filterNames,
  type ImageFacts,
  interpretPage,
  intersect,
  isDict,
  ordered,
  packSamples,
  pdfDict,
  pdfName,
  type Rect,
  readSamples,
  union,
} from '@pdf2press/pdf';
import { otherBoxesPresented } from '@pdf2press/preflight/conformance';
import { setBox } from '../../editing/boxes.ts';
import { type FixContext, failed } from '../../kind/runner.ts';
import type { convertToPdfx } from './contract.ts';

type Context = FixContext<typeof convertToPdfx>;

/** Points. Boxes that stand out by less were meant to lie within each other and were rounded apart. */
const roundedApart = 0.5;

const standsOut = (inner: Rect, outer: Rect): boolean => !covers(outer, inner) && covers(outer, inner, roundedApart);

/**
 * Sets boxes within each other. CropBox and BleedBox beyond the MediaBox count only as far as they lie in it (ISO 32000-2,
 * 14.11.2.1); a TrimBox that stands out by more than a rounding is a fault of the file and stays.
 */
export function nestBoxes(context: Context): void {
  for (const { number, object } of context.file.pages) {
    if (object === 0) continue;
    const page = context.file.pageNow(number);
    const { media } = page.effective;
    const boxes = new Map<BoxName, Rect>();
    for (const name of ['crop', 'bleed', 'trim', 'art'] as const) {
      const box = page.boxes[name];
      if (!box) continue;
      const isCut = name === 'crop' || name === 'bleed' || standsOut(ordered(box), media);
      boxes.set(name, isCut ? intersect(ordered(box), media) : ordered(box));
    }
    const bleed = boxes.get('bleed');
    const trim = boxes.get('trim') ?? boxes.get('art');
    if (bleed && trim && standsOut(trim, bleed)) boxes.set('bleed', union(bleed, trim));
    for (const [name, box] of boxes) setBox(context, page, name, box, 'setTrimBox');
  }
}

/** Files attached to the document; no part of ISO 15930 that this action names permits them. */
export function dropAttachments({ file, edit, log }: Context): void {
  const names = file.entry(file.catalog, 'Names');
  const dropped = ['AF', 'Collection'].filter((key) => file.catalog.map.has(key));
  for (const key of dropped) edit.putCatalog(key, undefined);
  if (isDict(names) && names.map.has('EmbeddedFiles')) {
    edit.putCatalog('Names', pdfDict({ EmbeddedFiles: undefined }, names));
    dropped.push('EmbeddedFiles');
  }
  for (const key of dropped) log({ what: 'entryRemoved', before: key, after: null, parameter: 'standard' });
}

/** The entries that present other boxes than the standard wants. */
export function dropPresentations({ file, edit, log }: Context): void {
  const preferences = file.entry(file.catalog, 'ViewerPreferences');
  const dropped = otherBoxesPresented(file);
  if (!isDict(preferences) || dropped.length === 0) return;
  edit.putCatalog(
    'ViewerPreferences',
    pdfDict(Object.fromEntries(dropped.map((key) => [key, undefined])), preferences),
  );
  for (const key of dropped) log({ what: 'entryRemoved', before: key, after: null, parameter: 'standard' });
}

/** Filters of which nothing is lost when a stream is decoded. */
const lossless = new Set(['ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'FlateDecode', 'RunLengthDecode']);

/**
 * Writes streams anew with Flate whose filter the standard forbids: LZW in every part, JBIG2 and JPEG 2000 in PDF/X-1a
 * (ISO 15930-1, 6.2 and 15930-4, 6.2). A JPEG 2000 image with an alpha channel stays and breaks the standard.
 */
export async function recodeStreams(context: Context, standard: string): Promise<void> {
  const { file, edit, log, signal } = context;
  const isX1a = standard !== 'PDF/X-4';
  const told = (object: number, before: string): void =>
    log({
      what: 'recoded',
      object: `${object} 0 R`,
      before,
      after: 'FlateDecode',
      parameter: 'standard',
      looksSame: true,
    });
  for (let num = 1; num < file.objectCount; num += 1) {
    const dict = file.get(num);
    if (!isDict(dict) || dict.stream === 0) continue;
    const filters = filterNames(dict, file.resolve);
    const isLzw = filters.includes('LZWDecode') && filters.every((filter) => lossless.has(filter));
    const isJbig2 = isX1a && filters.length === 1 && filters[0] === 'JBIG2Decode';
    if (!isLzw && !isJbig2) {
      file.release(num);
      continue;
    }
    signal.throwIfAborted();
    const data = file.stream(num);
    if (data.length === 0) throw failed('undecodable', { object: num });
    edit.setStream(num, data, pdfDict({ Filter: undefined, DecodeParms: undefined, Length: undefined }, dict));
    told(num, filters.join('+'));
  }
  if (isX1a) await recodeJpx(context, told);
}

async function recodeJpx({ file, edit, signal }: Context, told: (object: number, before: string) => void) {
  for (const image of jpxImages(file).values()) {
    signal.throwIfAborted();
    const samples = await readSamples(file, image);
    const space = image.dict.map.get('ColorSpace') ?? (samples?.family ? pdfName(samples.family) : undefined);
    if (!samples || samples.alpha || space === undefined) continue;
    const { width, height, components } = samples;
    // Sixteen bits came with PDF 1.5; PDF/X-1a is of PDF 1.4 at most.
    const bits = Math.min(samples.bits, 8);
    const data = samples.bits === 16 ? Uint8Array.from(samples.data, (value) => value >> 8) : samples.data;
    edit.setStream(
      image.object,
      packSamples(data, width, height, components, bits),
      pdfDict(
        {
          ...{ Width: width, Height: height, BitsPerComponent: bits, ColorSpace: space },
          ...{
            Filter: undefined,
            DecodeParms: undefined,
            Decode: undefined,
            SMaskInData: undefined,
            Length: undefined,
          },
        },
        image.dict,
      ),
    );
    told(image.object, 'JPXDecode');
  }
}

/** Images that are JPEG 2000 and painted somewhere, by object number. */
function jpxImages(file: Context['file']): Map<number, ImageFacts> {
  const images = new Map<number, ImageFacts>();
  for (const page of file.pages) {
    const image = ({ image: facts }: { image: ImageFacts }): void => {
      if (facts.encoding === 'JPX' && facts.object !== 0) images.set(facts.object, facts);
    };
    interpretPage(file, page.number, [{ image }]);
  }
  return images;
}
