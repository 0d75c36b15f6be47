/** Decoded pixels of images. */
import { inflateSync } from 'node:zlib';
import type * as mupdf from 'mupdf';
import type { ColorSpace, ImageFacts } from '../interpret/types.ts';
import { tolerant } from '../open/engine.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { filterNames } from '../open/streams.ts';
import { isArray, isDict, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';
import { sharp } from '../render/lazy-sharp.ts';
import { inflateSamples } from './flate-samples.ts';

/**
 * Interleaved samples as stored in the image, one array entry each: 0 to 2^bits - 1, Decode not applied. The array may
 * be changed by the caller.
 */
export interface Samples {
  width: number;
  height: number;
  components: number;
  bits: number;
  /** Unpacked at the first call: fewer than 8 bits per sample need up to eight times the memory of `row`. */
  readonly data: Uint8Array | Uint16Array;
  /** One row of samples, from the top; the caller may change it where it has fewer than 8 bits. */
  row: (y: number) => Uint8Array | Uint16Array;
  /** Colour space of a JPEG 2000 image that has none in its dictionary. */
  family: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK' | null;
  /**
   * Alpha channel contained in the image data, one byte per pixel; the samples are not premultiplied. Null when there
   * is none or when it does not apply.
   */
  alpha: Uint8Array | null;
  /** The JPEG data the samples were decoded from; null for other encodings, and when MuPDF decoded it. */
  jpeg: Uint8Array | null;
}

/** Limit of pixels in one image. */
const maxPixels = 500_000_000;
/** Bytes of decoded samples in one image: an A0 poster in CMYK at 300 ppi. Twice as many are held while they are decoded. */
const maxSampleBytes = 600_000_000;

/**
 * Decodes the samples of an image.
 * @returns null when the data cannot be decoded or the image is too large
 */
export async function readSamples(
  file: PdfFile,
  image: ImageFacts,
  inlineData?: Uint8Array | null,
): Promise<Samples | null> {
  const { width, height } = image;
  if (!(width > 0 && height > 0 && width * height <= maxPixels)) return null;
  if (image.encoding === 'JPX') return image.object ? readJpxSamples(file, image) : null;
  const { components } = image;
  const bits = image.isStencil ? 1 : image.bitsPerComponent;
  if (Math.ceil((width * components * bits) / 8) * height > maxSampleBytes) return null;
  const fast = image.object !== 0 ? await decodeJpeg(file, image) : null;
  const bytes =
    fast?.data ??
    (image.object !== 0 ? await decodeFlate(file, image, bits) : null) ??
    (image.object !== 0 ? file.stream(image.object) : inlineData ? decodeInline(file, image.dict, inlineData) : null);
  if (!bytes || bytes.length === 0) return null;
  const rest = { family: null, alpha: null, jpeg: fast?.jpeg ?? null };
  return Object.assign(unpacking(bytes, { width, height, components, bits: fast ? 8 : bits }), rest);
}

type Packing = Pick<Samples, 'width' | 'height' | 'components' | 'bits'>;

/** Samples that are unpacked when they are asked for. */
function unpacking(bytes: Uint8Array, packing: Packing): Packing & Pick<Samples, 'data' | 'row'> {
  const { width, height, components, bits } = packing;
  const rowBytes = Math.ceil((width * components * bits) / 8);
  let all: Samples['data'] | null = null;
  return {
    ...packing,
    get data() {
      all ??= unpack(bytes, width, height, components, bits);
      return all;
    },
    row: (y) => unpack(bytes.subarray(y * rowBytes, (y + 1) * rowBytes), width, 1, components, bits),
  };
}

/** Smaller images are decoded directly, because the thread pool would cost more. */
const worthThreadBytes = 1 << 16;

/** Decodes an image with a single Flate filter, without predictor or with PNG row filters that match the image. */
async function decodeFlate(file: PdfFile, image: ImageFacts, bits: number): Promise<Uint8Array | null> {
  const { width, height, components, dict } = image;
  const filters = filterNames(dict, file.resolve);
  const rowBytes = Math.ceil((width * components * bits) / 8);
  if (filters.length !== 1 || filters[0] !== 'FlateDecode' || rowBytes * height < worthThreadBytes) return null;
  const given = file.resolve(dict.map.get('DecodeParms') ?? dict.map.get('DP'));
  const parms = isArray(given) ? file.resolve(given[0]) : given;
  const parm = (key: string, fallback: number): number => {
    const value = isDict(parms) ? file.entry(parms, key) : null;
    return typeof value === 'number' ? value : fallback;
  };
  const predictor = parm('Predictor', 1);
  const isShaped =
    parm('Colors', 1) === components && parm('BitsPerComponent', 8) === bits && parm('Columns', 1) === width;
  if (predictor !== 1 && !isShaped) return null;
  const pixelBytes = Math.max(1, (components * bits) >> 3);
  return inflateSamples(file.rawStream(image.object), rowBytes, height, pixelBytes, predictor);
}

/** The JPEG data of an image, also when a Flate filter is around it; null for other images. */
export function jpegOf(file: PdfFile, image: ImageFacts): Uint8Array | null {
  if (image.object === 0) return null;
  const filters = filterNames(image.dict, file.resolve).join();
  if (filters === 'DCTDecode') return file.rawStream(image.object);
  if (filters !== 'FlateDecode,DCTDecode') return null;
  try {
    return inflateSync(file.rawStream(image.object), { maxOutputLength: maxPixels });
  } catch {
    // A damaged stream: MuPDF decodes what it can.
    return null;
  }
}

/**
 * Decodes a JPEG with sharp, which is faster than MuPDF. Only for images without DecodeParms that have as many
 * components as their colour space.
 */
async function decodeJpeg(file: PdfFile, image: ImageFacts): Promise<{ data: Uint8Array; jpeg: Uint8Array } | null> {
  if (image.dict.map.has('DecodeParms') || (image.components !== 3 && image.components !== 1)) return null;
  const jpeg = jpegOf(file, image);
  if (!jpeg) return null;
  try {
    const picture = sharp(jpeg, {
      ignoreIcc: true,
      limitInputPixels: maxPixels,
      failOn: 'error',
    });
    const meta = await picture.metadata();
    // libjpeg selects the colour transform as PDF requires. It would invert four components, which are therefore
    // excluded.
    if (meta.channels !== image.components || meta.width !== image.width || meta.height !== image.height) return null;
    const grey = image.components === 1 ? picture.toColourspace('b-w') : picture;
    const { data, info } = await grey.raw().toBuffer({ resolveWithObject: true });
    return info.channels === image.components ? { data, jpeg } : null;
  } catch {
    // A damaged JPEG: MuPDF decodes what it can.
    return null;
  }
}

/** As `readSamples` for a JPEG 2000 image; null when it cannot be decoded. */
export function readJpxSamples(file: PdfFile, image: ImageFacts): Samples | null {
  return tolerant(() => {
    const picture = file.engine.loadImage(file.engine.newIndirect(image.object));
    const pixmap = picture.toPixmap();
    const components = pixmap.getNumberOfComponents() - pixmap.getAlpha();
    const [width, height, stride] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getStride()];
    const source = pixmap.getPixels();
    const data = new Uint8Array(width * height * components);
    const alpha = pixmap.getAlpha() ? new Uint8Array(width * height) : null;
    for (let y = 0, to = 0; y < height; y += 1) {
      for (let x = 0, from = y * stride; x < width; x += 1) {
        for (let c = 0; c < components; c += 1) data[to++] = source[from++] as number;
        if (alpha) alpha[y * width + x] = source[from++] as number;
      }
    }
    const inData = file.entry(image.dict, 'SMaskInData');
    if (alpha) withoutOpacity(data, alpha, components, inData === 2 ? matteOf(file, image, components) : null);
    pixmap.destroy();
    picture.destroy();
    const family = ({ 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const)[components] ?? null;
    const isOpaque = inData !== 1 && inData !== 2;
    return {
      width,
      height,
      components,
      bits: 8,
      data,
      row: (y: number) => data.subarray(y * width * components, (y + 1) * width * components),
      family: image.space === null ? family : null,
      alpha: isOpaque ? null : alpha,
      jpeg: null,
    };
  }, null);
}

/** The matte colour the samples were preblended with, 0 to 255 each (ISO 32000-1, 11.6.5.3). */
function matteOf(file: PdfFile, { dict }: ImageFacts, components: number): number[] {
  const matte = file.entry(dict, 'Matte');
  const given = isArray(matte) && matte.length === components ? matte.map(Number) : [];
  return Array.from({ length: components }, (_, component) => (given[component] ?? 0) * 255);
}

/** Undoes the multiplication by alpha that MuPDF applies, and the preblending with a matte colour. */
function withoutOpacity(data: Uint8Array, alpha: Uint8Array, components: number, matte: number[] | null): void {
  for (let pixel = 0, at = 0; pixel < alpha.length; pixel += 1) {
    const opacity = alpha[pixel] as number;
    for (let c = 0; c < components; c += 1, at += 1) {
      if (opacity === 0) continue;
      const own = ((data[at] as number) * 255) / opacity;
      const behind = matte?.[c] ?? 0;
      const colour = matte ? behind + ((own - behind) * 255) / opacity : own;
      data[at] = Math.max(0, Math.min(255, Math.round(colour)));
    }
  }
}

/** Decodes inline image data by adding it to the MuPDF document as a stream. */
function decodeInline(file: PdfFile, dict: PdfDict, data: Uint8Array): Uint8Array {
  return tolerant(() => {
    const holder = file.engine.newDictionary();
    for (const key of ['Filter', 'DecodeParms', 'Width', 'Height', 'BitsPerComponent']) {
      const value = dict.map.get(key);
      if (value !== undefined) holder.put(key, engineValue(file, longFilter(file, key, value)));
    }
    const object = file.engine.addRawStream(data, holder);
    const buffer = object.readStream();
    const bytes = Uint8Array.from(buffer.asUint8Array());
    buffer.destroy();
    return bytes;
  }, new Uint8Array(0));
}

/** Abbreviated filter names are allowed in inline images only. */
function longFilter(file: PdfFile, key: string, value: PdfValue): PdfValue {
  if (key !== 'Filter') return value;
  return filterNames({ kind: 'dict', stream: 0, map: new Map([['Filter', value]]) }, file.resolve).map((name) =>
    pdfName(name),
  );
}

function engineValue(file: PdfFile, value: PdfValue): mupdf.PDFObject {
  const { engine } = file;
  if (typeof value === 'number') return engine.newReal(value);
  if (typeof value === 'boolean') return engine.newBoolean(value);
  if (isArray(value)) {
    const array = engine.newArray();
    for (const entry of value) array.push(engineValue(file, entry));
    return array;
  }
  if (isDict(value)) {
    const dict = engine.newDictionary();
    for (const [key, entry] of value.map) dict.put(key, engineValue(file, entry));
    return dict;
  }
  return value !== null && typeof value === 'object' && 'name' in value ? engine.newName(value.name) : engine.newNull();
}

function unpack(
  bytes: Uint8Array,
  width: number,
  height: number,
  components: number,
  bits: number,
): Uint8Array | Uint16Array {
  const perRow = width * components;
  const count = perRow * height;
  if (bits === 8) {
    if (bytes.length === count) return bytes;
    const data = new Uint8Array(count);
    data.set(bytes.subarray(0, count));
    return data;
  }
  if (bits === 16) {
    const data = new Uint16Array(count);
    for (let at = 0; at < count && 2 * at + 1 < bytes.length; at += 1)
      data[at] = ((bytes[2 * at] as number) << 8) | (bytes[2 * at + 1] as number);
    return data;
  }
  const data = new Uint8Array(count);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const mask = (1 << bits) - 1;
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < perRow; x += 1, to += 1) {
      const bit = x * bits;
      data[to] = ((bytes[y * rowBytes + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return data;
}

/** Packs samples into bytes as PDF requires: each row starts at a byte boundary. */
export function packSamples(
  data: Uint8Array | Uint16Array,
  width: number,
  height: number,
  components: number,
  bits: number,
): Uint8Array {
  if (bits === 8) return data instanceof Uint8Array ? data : Uint8Array.from(data);
  const perRow = width * components;
  if (bits === 16) {
    const bytes = new Uint8Array(data.length * 2);
    for (let at = 0; at < data.length; at += 1) {
      bytes[2 * at] = (data[at] as number) >> 8;
      bytes[2 * at + 1] = (data[at] as number) & 255;
    }
    return bytes;
  }
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const bytes = new Uint8Array(rowBytes * height);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < perRow; x += 1, from += 1) {
      const bit = x * bits;
      const at = y * rowBytes + (bit >> 3);
      bytes[at] = (bytes[at] as number) | ((data[from] as number) << (8 - bits - (bit & 7)));
    }
  }
  return bytes;
}

/** Default Decode array of a colour space (ISO 32000-1, table 90). */
export function defaultDecode(space: ColorSpace, bits: number): number[] {
  if (space.family === 'Indexed') return [0, 2 ** bits - 1];
  if (space.family === 'Lab') return [0, 100, ...space.range];
  return Array.from({ length: space.components * 2 }, (_, index) => index % 2);
}
