/**
 * Converts images to another colour space. Where possible only the palette or the space is replaced and pixel data
 * stays as it is.
 */
import {
  addSoftMask,
  type ColorSpace,
  defaultDecode,
  deflateSamples,
  encodeInks,
  encodeJpeg,
  gradeAfter,
  type ImageFacts,
  isArray,
  isDict,
  type JpegGrade,
  jpegOf,
  type PdfDict,
  type PdfEditor,
  type PdfValue,
  packSamples,
  pdfBytes,
  pdfDict,
  pdfName,
  pdfRef,
  readSamples,
  type Samples,
} from '@pdf2press/pdf';
import { paletteColour } from './recolouring.ts';
import { clamp, type MapSpace, rangesOf, type SpaceMap } from './space-map.ts';

export interface ImageOptions {
  mapSpace: MapSpace;
  jpegQuality: number;
  isInMask: boolean;
}

export type ImageResult =
  /** The image is not in a space that is converted. */
  { state: 'kept' } | { state: 'unreadable' } | { state: 'converted'; dict: PdfDict; data: Uint8Array };

const general: ReadonlySet<string> = new Set([
  'Filter',
  'DecodeParms',
  'DP',
  'Length',
  'DL',
  'ColorSpace',
  'BitsPerComponent',
  'Decode',
  'SMaskInData',
  'Matte',
  'Intent',
]);

/** Converts an image to a new dictionary and data. Its masks stay unchanged. */
export async function convertImage(
  edit: PdfEditor,
  image: ImageFacts,
  inlineData: Uint8Array | null,
  options: ImageOptions,
): Promise<ImageResult> {
  if (image.isStencil) return { state: 'kept' };
  const simple = exchangedSpace(image, options);
  const raw = (): Uint8Array => (image.object ? edit.file.rawStream(image.object) : (inlineData ?? new Uint8Array(0)));
  if (simple)
    return {
      state: 'converted',
      dict: withRaw(pdfDict({ ...simple, Length: undefined }, { ...image.dict, stream: 0 })),
      data: raw(),
    };
  if (image.space && !mapOf(image, options)) return { state: 'kept' };
  const samples = await readSamples(edit.file, image, inlineData);
  if (!samples) return image.space ? { state: 'unreadable' } : { state: 'kept' };
  const space =
    image.space ??
    (samples.family ? ({ family: samples.family, components: samples.components, object: 0 } as const) : null);
  const map = space && options.mapSpace(space, options.isInMask);
  if (!space || !map) return { state: 'kept' };
  const { width, height } = samples;
  const dict = new Map([...image.dict.map].filter(([key]) => !general.has(key)));
  // Lossless 16-bit images stay at 16 bits.
  const bits = image.isLossless && samples.bits === 16 ? 16 : 8;
  dict.set('Width', width).set('Height', height).set('ColorSpace', map.value).set('BitsPerComponent', bits);
  if (image.colorKey) dict.set('Mask', pdfRef(maskOfColours(edit, samples, image.colorKey)));
  else if (isArray(image.dict.map.get('Mask'))) dict.delete('Mask');
  if (samples.alpha) dict.set('SMask', addSoftMask(edit, samples.alpha, width, height));
  convertMatte(edit, image, map);
  const made: PdfDict = { kind: 'dict', map: dict, stream: 0 };
  const { components } = map;
  if (bits === 16) {
    const deep = convertDeep(naturalPixels(samples, image, rangesOf(space), 16), samples.components, space, map);
    const packed = packSamples(deep, width, height, components, 16);
    const { bytes, entries } = await deflateSamples(packed, width, height, components, 16);
    return { state: 'converted', dict: pdfDict(Object.fromEntries(entries.map), made), data: bytes };
  }
  const pixels = naturalPixels(samples, image, rangesOf(space), 8);
  const grade = (): JpegGrade =>
    gradeAfter(samples.jpeg ?? (image.object ? jpegOf(edit.file, image) : inlineData), options.jpegQuality);
  const planes = image.isLossless ? null : map.separatePixels?.(pixels);
  if (planes) {
    dict.set('Filter', pdfName('DCTDecode'));
    return { state: 'converted', dict: made, data: await encodeInks(planes, { width, height }, grade()) };
  }
  const converted = map.convertPixels
    ? map.convertPixels(pixels)
    : convertOneByOne(pixels, samples.components, rangesOf(space), map, new Uint8Array(width * height * components));
  if (image.isLossless) {
    const { bytes, entries } = await deflateSamples(converted, width, height, components);
    return { state: 'converted', dict: pdfDict(Object.fromEntries(entries.map), made), data: bytes };
  }
  dict.set('Filter', pdfName('DCTDecode'));
  return {
    state: 'converted',
    dict: made,
    data: await encodeJpeg(converted, { width, height, components }, grade()),
  };
}

const convertDeep = (pixels: Uint16Array, components: number, space: ColorSpace, map: SpaceMap): Uint16Array =>
  map.convertDeepPixels
    ? map.convertDeepPixels(pixels)
    : convertOneByOne(
        pixels,
        components,
        rangesOf(space),
        map,
        new Uint16Array((pixels.length / components) * map.components),
      );

const withRaw = (dict: PdfDict): PdfDict => (dict.map.has('Filter') ? dict : pdfDict({ Filter: [] }, dict));

function mapOf({ space }: ImageFacts, { mapSpace, isInMask }: ImageOptions): SpaceMap | null {
  return space && (space.family === 'Indexed' ? mapSpace(space.base, isInMask) : mapSpace(space, isInMask));
}

/** Dictionary entries that convert the image without changing its pixels; null where pixels have to change. */
function exchangedSpace(image: ImageFacts, options: ImageOptions): Record<string, PdfValue> | null {
  const { space } = image;
  const map = mapOf(image, options);
  if (!space || !map) return null;
  if (space.family !== 'Indexed') return map.isSameValues ? { ColorSpace: map.value } : null;
  const lookup = Array.from({ length: space.hival + 1 }, (_, entry) => {
    const values = paletteColour(space, entry);
    return (map.isSameValues ? values : map.convert(values)).map((value) => Math.round(clamp(value) * 255));
  }).flat();
  const indexed: PdfValue = [pdfName('Indexed'), map.value, space.hival, pdfBytes(Uint8Array.from(lookup))];
  return { ColorSpace: indexed };
}

/** Sample levels over the natural ranges of the space, with Decode applied. */
export function naturalPixels(samples: Samples, image: ImageFacts, ranges: readonly number[], depth: 8): Uint8Array;
export function naturalPixels(samples: Samples, image: ImageFacts, ranges: readonly number[], depth: 16): Uint16Array;
export function naturalPixels(
  samples: Samples,
  image: ImageFacts,
  ranges: readonly number[],
  depth: 8 | 16,
): Uint8Array | Uint16Array {
  const { data, components, bits } = samples;
  const decode = image.decode && image.decode.length >= components * 2 ? image.decode : null;
  if (bits === depth && !decode) return data;
  const Levels = depth === 8 ? Uint8Array : Uint16Array;
  const most = 2 ** bits - 1;
  const wanted = decode ?? (image.space ? defaultDecode(image.space, bits) : ranges);
  const tables = Array.from({ length: components }, (_, index) => {
    const [low, high] = [wanted[index * 2] ?? 0, wanted[index * 2 + 1] ?? 1];
    const [from, to] = [ranges[index * 2] ?? 0, ranges[index * 2 + 1] ?? 1];
    const level = (value: number): number =>
      Math.round(clamp((low + (value / most) * (high - low) - from) / (to - from)) * (2 ** depth - 1));
    return new Levels(most + 1).map((_, value) => level(value));
  });
  const pixels = new Levels(data.length);
  for (let at = 0, component = 0; at < data.length; at += 1) {
    pixels[at] = (tables[component] as Uint8Array | Uint16Array)[data[at] as number] as number;
    component = component + 1 === components ? 0 : component + 1;
  }
  return pixels;
}

/** For spaces without a table. Neighbouring pixels are often equal, so converted colours are cached. */
function convertOneByOne<Levels extends Uint8Array | Uint16Array>(
  pixels: Levels,
  components: number,
  ranges: readonly number[],
  map: SpaceMap,
  out: Levels,
): Levels {
  const most = 2 ** (8 * pixels.BYTES_PER_ELEMENT) - 1;
  const count = Math.floor(pixels.length / components);
  const known = new Map<string, number[]>();
  for (let i = 0; i < count; i += 1) {
    const key = pixels.subarray(i * components, (i + 1) * components).join();
    let colour = known.get(key);
    if (!colour) {
      const values = Array.from({ length: components }, (_, index) => {
        const [low, high] = [ranges[index * 2] ?? 0, ranges[index * 2 + 1] ?? 1];
        return low + ((pixels[i * components + index] as number) / most) * (high - low);
      });
      colour = map.convert(values).map((value) => Math.round(clamp(value) * most));
      if (known.size > 500_000) known.clear();
      known.set(key, colour);
    }
    out.set(colour, i * map.components);
  }
  return out;
}

/** Converts a colour key mask to an explicit mask, because the key colours no longer exist after conversion. */
function maskOfColours(edit: PdfEditor, { data, width, height, components }: Samples, key: readonly number[]): number {
  const mask = new Uint8Array(width * height);
  for (let i = 0; i < mask.length; i += 1) {
    let isKeyed = true;
    for (let c = 0; c < components && isKeyed; c += 1) {
      const value = data[i * components + c] as number;
      isKeyed = value >= (key[c * 2] ?? 0) && value <= (key[c * 2 + 1] ?? 0);
    }
    mask[i] = isKeyed ? 1 : 0;
  }
  const dict = pdfDict({
    Type: pdfName('XObject'),
    Subtype: pdfName('Image'),
    ImageMask: true,
    Width: width,
    Height: height,
    BitsPerComponent: 1,
  });
  return edit.addStream(packSamples(mask, width, height, 1, 1), dict);
}

/** Converts the Matte colour, which is in the image's colour space (ISO 32000-1, 11.6.5.3). */
function convertMatte(edit: PdfEditor, image: ImageFacts, map: SpaceMap): void {
  const mask = image.softMask;
  const matte = mask && edit.file.entry(mask.dict, 'Matte');
  if (!mask?.object || !isArray(matte) || !isDict(edit.file.get(mask.object))) return;
  const isRight = matte.length === image.components && matte.every((entry) => typeof entry === 'number');
  // An invalid Matte that viewers ignored must not become valid.
  if (!map.isSameValues) edit.put(mask.object, 'Matte', isRight ? map.convert(matte as number[]) : undefined);
}
