import { deflateSync } from 'node:zlib';
import {
  addSoftMask,
  encodeGroup4,
  encodeJpeg,
  gradeAfter,
  type ImageFacts,
  interpretPage,
  jpegOf,
  type PdfDict,
  packSamples,
  pdfDict,
  pdfName,
  type Rect,
  readSamples,
  resample,
  type Samples,
} from '@pdf2press/pdf';
import { createCoarsest, isOneBit } from '../../editing/low-resolution.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { imageResolution } from './contract.ts';

type Context = FixContext<typeof imageResolution>;

interface Use {
  image: ImageFacts;
  /** Resolution where the image is shown largest. */
  ppi: number;
  places: { page: number; box: Rect }[];
}

/** Images decoded at the same time; limits memory use. */
const lanes = 2;
/** Grey level at which a reduced one-bit pixel becomes white. */
const bitThreshold = 128;

export const run: FixRunner<typeof imageResolution> = async (context) => {
  if (!context.touches('image')) return;
  const waiting = [...findUses(context).values()].filter((use) => isAbove(context, use));
  const total = waiting.length;
  const work = async (): Promise<void> => {
    for (let use = waiting.shift(); use; use = waiting.shift()) {
      context.signal.throwIfAborted();
      await reduce(context, use);
      context.progress(total - waiting.length, total);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, total) }, work));
};

/** Images and their resolution where shown largest, on all pages of the file. */
function findUses({ file, pages, settings, warn }: Context): Map<number, Use> {
  const uses = new Map<number, Use>();
  const chosen = new Set(pages);
  const add = (image: ImageFacts, ppi: number, page: number, box: Rect): void => {
    if (!image.object || !Number.isFinite(ppi) || ppi <= 0) return;
    const use = uses.get(image.object) ?? { image, ppi, places: [] };
    use.ppi = Math.min(use.ppi, ppi);
    if (chosen.has(page)) use.places.push({ page, box });
    uses.set(image.object, use);
  };
  for (const page of file.pages) {
    const coarsest = createCoarsest(1, settings.ignoreSmallerThanPx);
    interpretPage(file, page.number, [
      {
        image(event) {
          coarsest.see(event);
          const { image, ppi, bbox, isInline } = event;
          if (isInline) return;
          const lowest = Math.min(ppi.x, ppi.y);
          add(image, lowest, page.number, bbox);
          for (const mask of [image.softMask, image.mask]) {
            if (mask && image.width > 0 && image.height > 0)
              add(
                mask,
                Math.min((ppi.x * mask.width) / image.width, (ppi.y * mask.height) / image.height),
                page.number,
                bbox,
              );
          }
        },
      },
    ]);
    const low = chosen.has(page.number) ? coarsest.found() : null;
    if (low) warn('lowResolution', { page: page.number, ...low });
  }
  return uses;
}

const limitOf = ({ settings }: Context, image: ImageFacts) => (isOneBit(image) ? settings.oneBit : settings.colourGray);

function isAbove(context: Context, { image, ppi, places }: Use): boolean {
  const { above, to } = limitOf(context, image);
  const least = context.settings.ignoreSmallerThanPx;
  return places.length > 0 && ppi > above + 0.5 && to < ppi && image.width > least && image.height > least;
}

async function reduce(context: Context, { image, ppi, places }: Use): Promise<void> {
  const { edit, settings } = context;
  const at = { page: places[0]?.page ?? null, object: image.object };
  // Palette indices and colour key masks cannot be averaged.
  if (image.space?.family === 'Indexed' || image.colorKey) return context.warn('noMiddle', at);
  const samples = await readSamples(context.file, image);
  if (!samples) return context.warn('imageUnreadable', at);
  const factor = limitOf(context, image).to / ppi;
  const size = {
    width: Math.max(1, Math.ceil(samples.width * factor)),
    height: Math.max(1, Math.ceil(samples.height * factor)),
  };
  const made = isOneBit(image)
    ? reduceBits(context, samples, size, image)
    : await reduceTones(context, samples, size, image);
  const { alpha } = samples;
  const before = context.file.rawStream(image.object).length;
  if (settings.skipIfResultLarger && made.data.length >= before)
    return context.warn('resultLarger', { ...at, before, after: made.data.length });
  const { width, height } = samples;
  const opacity = alpha && {
    ...{ width, height, components: 1 },
    row: (y: number) => alpha.subarray(y * width, (y + 1) * width),
  };
  const mask = opacity && addSoftMask(edit, resample(opacity, size, settings.method), size.width, size.height);
  edit.setStream(image.object, made.data, mask ? pdfDict({ SMask: mask }, made.dict) : made.dict);
  for (const { page, box } of places) {
    context.log({
      what: 'image',
      page,
      object: `${image.object} 0 R`,
      box,
      before: `${samples.width} × ${samples.height} px, ${Math.round(ppi)} ppi`,
      after: `${size.width} × ${size.height} px, ${Math.round(ppi * factor)} ppi`,
      parameter: isOneBit(image) ? 'oneBit' : 'colourGray',
    });
  }
}

/** Compressed data, for comparing its size with the original. */
interface Made {
  dict: PdfDict;
  data: Uint8Array;
}

const deflated = (data: Uint8Array, dict: PdfDict): Made => ({
  dict: pdfDict({ Filter: pdfName('FlateDecode') }, dict),
  data: deflateSync(data),
});

const replaced = { Filter: undefined, DecodeParms: undefined, DP: undefined, Length: undefined, DL: undefined };

/** With Keep, CCITT and JBIG2 images are written as CCITT Group 4. */
function wantsGroup4({ settings }: Context, image: ImageFacts): boolean {
  const isFax = image.encoding === 'CCITT' || image.encoding === 'JBIG2';
  return settings.oneBitCompression === 'CCITT' || (settings.oneBitCompression === 'Keep' && isFax);
}

/** Samples of fewer than 8 bits as samples of 8, in place. A loop: large scans have 10⁸ samples. */
function expanded(row: Samples['data'], bits: number): Samples['data'] {
  const levels = Uint8Array.from({ length: 2 ** bits }, (_, level) => Math.round((level * 255) / (2 ** bits - 1)));
  for (let at = 0; at < row.length; at += 1) row[at] = levels[row[at] as number] as number;
  return row;
}

function reduceBits(
  context: Context,
  samples: Samples,
  size: { width: number; height: number },
  image: ImageFacts,
): Made {
  const { width, height, components } = samples;
  const small = resample({ width, height, components, row: (y) => expanded(samples.row(y), 1) }, size, 'Average');
  const bits = small.map((level) => (level >= bitThreshold ? 1 : 0));
  const dict = pdfDict(
    { ...replaced, Width: size.width, Height: size.height, BitsPerComponent: 1 },
    { ...image.dict, stream: 0 },
  );
  if (!wantsGroup4(context, image)) return deflated(packSamples(bits, size.width, size.height, 1, 1), dict);
  const parameters = pdfDict({ K: -1, Columns: size.width, Rows: size.height });
  return {
    dict: pdfDict({ Filter: pdfName('CCITTFaxDecode'), DecodeParms: parameters }, dict),
    data: encodeGroup4(bits, size.width, size.height),
  };
}

async function reduceTones(
  { settings, file }: Context,
  samples: Samples,
  size: { width: number; height: number },
  image: ImageFacts,
): Promise<Made> {
  const { width, height, components, bits } = samples;
  // Samples of fewer than 8 bits are expanded first, for intermediate tones.
  const row = bits < 8 ? (y: number) => expanded(samples.row(y), bits) : samples.row;
  const isSixteen = bits === 16;
  const small = resample({ width, height, components, row }, size, settings.method, isSixteen ? 65_535 : 255);
  const wantsJpeg =
    (settings.compression === 'JPEG' || (settings.compression === 'Keep' && !image.isLossless)) &&
    !isSixteen &&
    (components === 1 || components === 3 || components === 4);
  const base = pdfDict(
    {
      ...replaced,
      Width: size.width,
      Height: size.height,
      BitsPerComponent: isSixteen ? 16 : 8,
      SMaskInData: undefined,
      Matte: undefined,
      ...(samples.family && { ColorSpace: pdfName(samples.family) }),
    },
    { ...image.dict, stream: 0 },
  );
  if (!wantsJpeg) return deflated(packSamples(small, size.width, size.height, components, isSixteen ? 16 : 8), base);
  const { jpegQuality: quality } = settings;
  const isAsked = settings.compression === 'JPEG';
  const grade = isAsked ? { quality, isSubsampled: false } : gradeAfter(jpegOf(file, image), quality);
  const jpeg = await encodeJpeg(small as Uint8Array, { ...size, components }, grade);
  return { dict: pdfDict({ Filter: pdfName('DCTDecode') }, base), data: jpeg };
}
