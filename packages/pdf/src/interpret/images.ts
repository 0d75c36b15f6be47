import type { PdfFile } from '../open/pdf-file.ts';
import { filterNames } from '../open/streams.ts';
import { isArray, isDict, type PdfDict, type PdfValue } from '../open/values.ts';
import type { ColorSpaces } from './color-spaces.ts';
import { type JpxFacts, readJpx } from './jpx.ts';
import type { ColorSpace, ImageEncoding, ImageFacts } from './types.ts';

/** Full names of the abbreviated keys of inline images (ISO 32000-1, table 93). */
const longKeys: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
  L: 'Length',
};

/** The dictionary of an inline image with full key names. */
export function expandInlineKeys(dict: PdfDict): PdfDict {
  const map = new Map<string, PdfValue>();
  for (const [key, value] of dict.map) map.set(longKeys[key] ?? key, value);
  return { kind: 'dict', map, stream: 0 };
}

/** Encodings by filter name. The last image filter determines the format; filters before it only wrap the data. */
const encodings: Readonly<Record<string, ImageEncoding>> = {
  DCTDecode: 'DCT',
  JPXDecode: 'JPX',
  JBIG2Decode: 'JBIG2',
  CCITTFaxDecode: 'CCITT',
  FlateDecode: 'Flate',
  LZWDecode: 'LZW',
  RunLengthDecode: 'RunLength',
};

/** Reads the facts of images; each image XObject is read once. */
export interface Images {
  /** `resources` are those of the content stream that uses the image. */
  read: (dict: PdfDict, resources: PdfDict | null) => ImageFacts;
}

/** Creates the reader for a file. */
export function createImages(file: PdfFile, spaces: ColorSpaces): Images {
  const known = new Map<number, ImageFacts>();
  const number = (dict: PdfDict, key: string, fallback: number): number => {
    const value = file.entry(dict, key);
    return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
  };
  const numbers = (value: PdfValue): number[] | null => {
    if (!isArray(value)) return null;
    const list = value.map((entry) => file.resolve(entry));
    return list.every((entry) => typeof entry === 'number') ? (list as number[]) : null;
  };
  const maskOf = (dict: PdfDict, key: string, depth: number): ImageFacts | null => {
    const mask = file.entry(dict, key);
    return isDict(mask) && mask.stream && depth === 0 ? facts(mask, null, depth + 1) : null;
  };

  const facts = (dict: PdfDict, resources: PdfDict | null, depth: number): ImageFacts => {
    const encoding = encodingOf(filterNames(dict, file.resolve));
    const isStencil = file.entry(dict, 'ImageMask') === true;
    const jpx = encoding === 'JPX' && dict.stream ? jpxOf(dict.stream) : null;
    const spaceValue = dict.map.get('ColorSpace');
    const space: ColorSpace | null = isStencil || spaceValue === undefined ? null : spaces.read(spaceValue, resources);
    const bits = isStencil ? 1 : (jpx?.bits ?? number(dict, 'BitsPerComponent', bitsByEncoding[encoding] ?? 8));
    const mask = file.entry(dict, 'Mask');
    return {
      object: dict.stream,
      dict,
      width: Math.floor(number(dict, 'Width', jpx?.width ?? 0)),
      height: Math.floor(number(dict, 'Height', jpx?.height ?? 0)),
      bitsPerComponent: bits,
      isStencil,
      space,
      components: isStencil ? 1 : (space?.components ?? jpx?.components ?? 1),
      encoding,
      hasDecode: dict.map.has('Decode'),
      decode: numbers(file.entry(dict, 'Decode')),
      softMask: maskOf(dict, 'SMask', depth),
      mask: isDict(mask) ? maskOf(dict, 'Mask', depth) : null,
      colorKey: numbers(mask),
      interpolate: file.entry(dict, 'Interpolate') === true,
      length: number(dict, 'Length', 0),
      isLossless: jpx ? jpx.isLossless : encoding !== 'DCT' && encoding !== 'JPX',
    };
  };
  const jpxOf = (num: number): JpxFacts | null => readJpx(file.rawStream(num));

  return {
    read(dict, resources) {
      if (!dict.stream) return facts(dict, resources, 0);
      const cached = known.get(dict.stream);
      if (cached) return cached;
      const made = facts(dict, resources, 0);
      known.set(dict.stream, made);
      return made;
    },
  };
}

const bitsByEncoding: Readonly<Partial<Record<ImageEncoding, number>>> = { JBIG2: 1, CCITT: 1 };

function encodingOf(filters: readonly string[]): ImageEncoding {
  const image = filters.findLast((filter) => encodings[filter] !== undefined);
  return image ? (encodings[image] ?? 'none') : 'none';
}
