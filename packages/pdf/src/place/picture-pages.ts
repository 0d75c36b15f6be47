/**
 * Converts pictures to PDF pages. Data that PDF can contain is copied unchanged; everything else becomes lossless
 * samples.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Metadata, Sharp } from 'sharp';
import { encodeGroup4 } from '../edit/ccitt.ts';
import type { Matrix } from '../interpret/types.ts';
import { sharp } from '../render/lazy-sharp.ts';
import { createPdfWriter, type PdfWriter } from '../write/pdf-writer.ts';
import { numberText } from '../write/value-text.ts';

/** Formats of pictures that can be converted. */
export type PictureKind = 'JPEG' | 'PNG' | 'TIFF';

const signatures: readonly [kind: PictureKind, bytes: readonly number[]][] = [
  ['JPEG', [0xff, 0xd8, 0xff]],
  ['PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['TIFF', [0x49, 0x49, 0x2a, 0x00]],
  ['TIFF', [0x4d, 0x4d, 0x00, 0x2a]],
];

/** The picture format of a file by its first bytes; null for other files and for files that cannot be read. */
export function pictureKind(path: string): PictureKind | null {
  const head = Buffer.alloc(8);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // The code that opens the file later reports the error.
    return null;
  }
  return signatures.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0] ?? null;
}

/** Page size and position of pictures. */
export interface PictureLayout {
  /** Trim width and height in points; null for the size of the picture itself. */
  size: readonly [number, number] | null;
  /** `Inside`: the whole picture is visible. `Outside`: it covers the whole page. */
  fit: 'Inside' | 'Outside';
  /** Rotate a page of fixed size to the orientation of the picture. */
  matchesOrientation: boolean;
  /** Resolution for pictures that do not specify one. */
  ppi: number;
  /** Bleed around the trim size, in points. */
  bleed: number;
}

/** A page of the picture's own size, used for pictures that are accepted in place of a PDF. */
export const pictureAsItIs: PictureLayout = {
  size: null,
  fit: 'Inside',
  matchesOrientation: true,
  ppi: 300,
  bleed: 0,
};

/** A converted picture. */
export interface DrawnPicture {
  page: number;
  /** Pixels as shown, after applying the EXIF orientation. */
  width: number;
  height: number;
  /** Resolution on the page. */
  ppi: number;
}

/** An encoded image XObject: dictionary entries and data. */
interface Coded {
  width: number;
  height: number;
  entries: string;
  data: Uint8Array;
  mask?: { entries: string; data: Uint8Array };
}

const maxPixels = 500_000_000;
/** Longest page side that PDF readers must support, in points (ISO 32000-1, annex C). */
const longestPage = 14_400;

/**
 * Writes one page for each picture in the file (a TIFF may contain several).
 * @throws the error of the decoder when the file is damaged or not of this kind
 */
export async function drawPictures(
  path: string,
  kind: PictureKind,
  out: string,
  layout: PictureLayout,
): Promise<DrawnPicture[]> {
  const first = await sharp(path, { limitInputPixels: maxPixels }).metadata();
  const count = kind === 'TIFF' ? (first.pages ?? 1) : 1;
  const writer = createPdfWriter({ path: out, version: '1.6' });
  try {
    const tree = writer.reserve();
    const pages: number[] = [];
    const drawn: DrawnPicture[] = [];
    for (let page = 0; page < count; page += 1) {
      const open = (): Sharp =>
        sharp(path, { limitInputPixels: maxPixels, ignoreIcc: true, failOn: 'error', ...(count > 1 && { page }) });
      const facts = page === 0 ? first : await open().metadata();
      const coded = await codedPicture(path, kind, open, facts);
      const placed = placedPicture(coded, facts, kind, path, layout);
      pages.push(writePage(writer, tree, coded, facts, placed));
      drawn.push({ page: page + 1, width: placed.shown[0], height: placed.shown[1], ppi: placed.ppi });
    }
    writer.object(tree, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((num) => `${num} 0 R`).join(' ')}]>>`);
    const root = writer.reserve();
    writer.object(root, `<</Type/Catalog/Pages ${tree} 0 R>>`);
    writer.finish({ root });
    return drawn;
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

async function codedPicture(path: string, kind: PictureKind, open: () => Sharp, facts: Metadata): Promise<Coded> {
  const same = kind === 'JPEG' ? jpegAsIs(readFileSync(path)) : kind === 'PNG' ? pngAsIs(readFileSync(path)) : null;
  return same ?? decoded(open, facts);
}

const device = ['', 'DeviceGray', '', 'DeviceRGB', 'DeviceCMYK'] as const;

/** Uses 8-bit baseline and progressive JPEG data unchanged (ISO 32000-1, 7.4.8). */
function jpegAsIs(bytes: Buffer): Coded | null {
  let isAdobe = false;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xee && bytes.toString('latin1', at + 4, at + 9) === 'Adobe') isAdobe = true;
    if (marker >= 0xc0 && marker <= 0xc2) {
      const [bits, height, width, components = 0] = [
        bytes[at + 4],
        bytes.readUInt16BE(at + 5),
        bytes.readUInt16BE(at + 7),
        bytes[at + 9],
      ];
      if (bits !== 8 || height === 0 || width === 0 || !device[components]) return null;
      // Adobe applications write CMYK JPEG inverted.
      const decode = components === 4 && isAdobe ? '/Decode[1 0 1 0 1 0 1 0]' : '';
      return {
        width,
        height,
        entries: `/BitsPerComponent 8/Filter/DCTDecode${decode}${spaceMark(components)}`,
        data: bytes,
      };
    }
    if (marker === 0xda) return null;
    at += marker === 0xff ? 1 : 2 + length;
  }
  return null;
}

/** Placeholder for the colour space, replaced when the profile is written. */
const spaceMark = (components: number): string => `/ColorSpace {${components}}`;

/** Uses the data of a PNG without alpha and interlacing unchanged: it is a Flate stream with PNG predictors. */
function pngAsIs(bytes: Buffer): Coded | null {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [bits = 8, colour = 0, , , interlace] = bytes.subarray(24);
  if (interlace !== 0 || ![0, 2, 3].includes(colour)) return null;
  const pieces: Buffer[] = [];
  let palette = Buffer.alloc(0);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const [length, name] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'tRNS' || at + 12 + length > bytes.length) return null;
    if (name === 'PLTE') palette = Buffer.from(data);
    else if (name === 'IDAT') pieces.push(data);
    else if (name === 'IEND') break;
  }
  const components = colour === 2 ? 3 : 1;
  const space =
    colour === 3
      ? `/ColorSpace[/Indexed {3} ${palette.length / 3 - 1}<${palette.toString('hex')}>]`
      : spaceMark(components);
  return {
    width,
    height,
    entries: `/BitsPerComponent ${bits}${space}/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${components}/BitsPerComponent ${bits}/Columns ${width}>>`,
    data: Buffer.concat(pieces),
  };
}

/**
 * Decodes a picture without colour conversion. Alpha becomes a soft mask; a picture of only black and white gets one
 * bit per pixel.
 */
async function decoded(open: () => Sharp, facts: Metadata): Promise<Coded> {
  const isDeep = facts.depth === 'ushort';
  const isCmyk = facts.space === 'cmyk';
  const isGray = facts.space === 'b-w' || facts.space === 'grey16';
  const picture = isCmyk
    ? open().pipelineColourspace('cmyk').toColourspace('cmyk')
    : open().toColourspace(isGray ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb');
  const { data, info } = await picture
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const colours = isCmyk ? 4 : isGray ? 1 : 3;
  const bytes = isDeep ? 2 : 1;
  const { width, height, channels } = info;
  // sharp returns 16-bit samples in little-endian order; PDF has the high byte first.
  if (isDeep) data.swap16();
  const hasMask = channels > colours;
  const plain = hasMask ? channelsOf(data, channels, 0, colours, bytes) : data;
  if (!isDeep && !hasMask && colours === 1 && plain.every((level) => level === 0 || level === 255))
    return {
      width,
      height,
      entries: `/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}/Rows ${height}>>`,
      data: encodeGroup4(plain, width, height),
    };
  const flate = `/BitsPerComponent ${bytes * 8}/Filter/FlateDecode`;
  return {
    width,
    height,
    entries: `${flate}${spaceMark(colours)}`,
    data: deflateSync(plain),
    ...(hasMask && {
      mask: {
        entries: `${flate}/ColorSpace/DeviceGray`,
        data: deflateSync(channelsOf(data, channels, colours, 1, bytes)),
      },
    }),
  };
}

function channelsOf(data: Buffer, all: number, from: number, count: number, bytes: number): Uint8Array {
  const [step, offset, width] = [all * bytes, from * bytes, count * bytes];
  const picked = new Uint8Array((data.length / step) * width);
  for (let at = offset, to = 0; at < data.length; at += step, to += width)
    for (let byte = 0; byte < width; byte += 1) picked[to + byte] = data[at + byte] as number;
  return picked;
}

/** Maps the unit square to a picture of `w` × `h` shown upright, by the EXIF orientation 1 to 8. */
const upright: readonly ((w: number, h: number) => Matrix)[] = [
  (w, h) => [w, 0, 0, h, 0, 0],
  (w, h) => [-w, 0, 0, h, w, 0],
  (w, h) => [-w, 0, 0, -h, w, h],
  (w, h) => [w, 0, 0, -h, 0, h],
  (w, h) => [0, -h, -w, 0, w, h],
  (w, h) => [0, -h, w, 0, 0, h],
  (w, h) => [0, h, w, 0, 0, 0],
  (w, h) => [0, h, -w, 0, w, 0],
];

const uprightIn = (orientation: number, w: number, h: number): Matrix =>
  upright[orientation - 1]?.(w, h) ?? [w, 0, 0, h, 0, 0];

interface Placed {
  /** Pixels as shown. */
  shown: readonly [number, number];
  ppi: number;
  media: readonly [number, number];
  bleed: number;
  matrix: Matrix;
}

function placedPicture(
  coded: Coded,
  facts: Metadata,
  kind: PictureKind,
  path: string,
  { size, fit, matchesOrientation, ppi, bleed }: PictureLayout,
): Placed {
  const orientation = Math.min(8, Math.max(1, facts.orientation ?? 1));
  const shown: readonly [number, number] = orientation > 4 ? [coded.height, coded.width] : [coded.width, coded.height];
  const own = saidPpi(facts, kind, path) ?? ppi;
  let [width, height] = [(shown[0] / own) * 72, (shown[1] / own) * 72];
  const shrink = Math.min(1, longestPage / Math.max(width, height));
  [width, height] = [width * shrink, height * shrink];
  let media: readonly [number, number] = [width, height];
  if (size) {
    const isLying = matchesOrientation && size[0] > size[1] !== shown[0] > shown[1] && shown[0] !== shown[1];
    const [trimWidth, trimHeight] = isLying ? [size[1], size[0]] : size;
    media = [trimWidth + 2 * bleed, trimHeight + 2 * bleed];
    const [x, y] = [media[0] / width, media[1] / height];
    const scale = fit === 'Inside' ? Math.min(x, y) : Math.max(x, y);
    [width, height] = [width * scale, height * scale];
  }
  const [a, b, c, d, e, f] = uprightIn(orientation, width, height);
  return {
    shown,
    ppi: Math.round((shown[0] / width) * 72),
    media,
    bleed: Math.min(bleed, media[0] / 2 - 0.5, media[1] / 2 - 0.5),
    matrix: [a, b, c, d, e + (media[0] - width) / 2, f + (media[1] - height) / 2],
  };
}

/**
 * The resolution that the picture specifies. A JFIF header without unit gives only an aspect ratio, for which decoders
 * report 72.
 */
function saidPpi(facts: Metadata, kind: PictureKind, path: string): number | null {
  if (!facts.density || facts.density < 10) return null;
  if (kind === 'JPEG' && facts.density === 72 && !facts.exif) {
    const head = readFileSync(path).subarray(0, 14);
    if (head.toString('latin1', 6, 10) !== 'JFIF' || head[13] === 0) return null;
  }
  return facts.density;
}

const n = (value: number): string => numberText(Math.round(value * 1e4) / 1e4);

function writePage(writer: PdfWriter, tree: number, coded: Coded, facts: Metadata, placed: Placed): number {
  const base = 'Type/XObject/Subtype/Image';
  const size = `/Width ${coded.width}/Height ${coded.height}`;
  let mask = '';
  if (coded.mask) {
    const num = writer.reserve();
    writer.stream(num, `/${base}${size}${coded.mask.entries}`, coded.mask.data);
    mask = `/SMask ${num} 0 R`;
  }
  const entries = coded.entries.replace(/\{(\d)\}/, (_, components: string) =>
    space(writer, facts, Number(components)),
  );
  const image = writer.reserve();
  writer.stream(image, `/${base}${size}${mask}${entries}`, coded.data);
  const content = writer.reserve();
  writer.stream(content, '', Buffer.from(`q ${placed.matrix.map(n).join(' ')} cm /Im Do Q\n`));
  const [width, height] = placed.media;
  const { bleed } = placed;
  const trim = [bleed, bleed, width - bleed, height - bleed].map(n).join(' ');
  const page = writer.reserve();
  writer.object(
    page,
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${n(width)} ${n(height)}]/BleedBox[0 0 ${n(width)} ${n(height)}]/TrimBox[${trim}]` +
      `/Resources<</XObject<</Im ${image} 0 R>>>>/Contents ${content} 0 R>>`,
  );
  return page;
}

const profileSpaces: Readonly<Record<string, number>> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };

/** The embedded profile if it matches the number of components, else the device colour space. */
function space(writer: PdfWriter, { icc }: Metadata, components: number): string {
  if (!icc || icc.length < 128 || profileSpaces[icc.toString('latin1', 16, 20)] !== components)
    return `/${device[components] ?? 'DeviceGray'}`;
  const profile = writer.reserve();
  writer.stream(profile, `/N ${components}/Filter/FlateDecode`, deflateSync(icc));
  return `[/ICCBased ${profile} 0 R]`;
}
