/**
 * Plates of pages that consist of opaque JPEG pictures in DeviceCMYK, as in photo books: the samples of the picture are the
 * plates. Ghostscript fills a rectangle for every pixel of a photograph, which takes ten times as long as to decode it.
 * Anything else on a page, and anything unusual about a picture, leaves the page to Ghostscript.
 */
import { writeFileSync } from 'node:fs';
import { interpretPage } from '../interpret/interpret-page.ts';
import { multiply } from '../interpret/matrix.ts';
import type { GraphicsState, ImageEvent, ImageFacts, Matrix, Rect } from '../interpret/types.ts';
import { arrayOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { filterNames } from '../open/streams.ts';
import { isDict, isName, type PdfDict } from '../open/values.ts';
import { sharp } from './lazy-sharp.ts';
import type { PageFrame } from './page-frame.ts';
import { type PsdFile, processPlates } from './psd.ts';

/** One picture in the pixels of a frame. */
interface PlacedPicture {
  image: ImageFacts;
  /** Maps the unit square of the picture to pixels; upright. */
  toPixel: Matrix;
}

/** Pixels of one picture, and of one page: both are held in memory with four bytes for each. */
const mostPixels = 16_000_000;

/**
 * Draws the plates of a page into a file, as Ghostscript would with overprint or without it and for any press: DeviceCMYK is
 * not converted. Each pixel shows the sample at its centre.
 * @returns null for a page that is left to Ghostscript
 */
export async function drawPictures(file: PdfFile, frame: PageFrame, path: string): Promise<PsdFile | null> {
  const { width, height } = frame;
  if (width * height > mostPixels) return null;
  const pictures = picturesOf(file, frame);
  if (!pictures) return null;
  // As in files of Ghostscript, 255 is no ink.
  const plates = Buffer.alloc(width * height * 4, 255);
  for (const picture of pictures) {
    const samples = await samplesOf(file, picture.image);
    if (!samples) return null;
    lay(samples, picture, frame, plates);
  }
  writeFileSync(path, plates);
  return processPlates(path, width, height);
}

/** The pictures of a page that has nothing else, in the order of painting. */
function picturesOf(file: PdfFile, frame: PageFrame): PlacedPicture[] | null {
  const page = file.pages[frame.page - 1];
  if (!page || !hasOnlyPictures(file, page.resources)) return null;
  if (arrayOf(file, page.dict, 'Annots').length > 0 || page.dict.map.has('Group') || file.isRepaired) return null;
  const pictures: PlacedPicture[] = [];
  let isPlain = true;
  const other = () => {
    isPlain = false;
  };
  const image = (event: ImageEvent) => {
    const { ctm } = event.state;
    // A picture at its CTM is the unit square with y up.
    const toPixel = multiply(ctm, frame.toPixel);
    isPlain &&= isOpaque(event.state) && isPlainJpeg(file, event) && isUpright(toPixel);
    isPlain &&= event.layers.objects.length === 0 && isWhole(event, frame.box);
    pictures.push({ image: event.image, toPixel });
  };
  interpretPage(file, frame.page, [
    { image, text: other, paint: other, shading: other, runBegin: other, syntax: other },
  ]);
  return isPlain && pictures.length > 0 ? pictures : null;
}

/** What a page of pictures may name in its resources. Colour spaces and fonts tell of other things. */
const pictureResources = new Set(['XObject', 'ExtGState', 'ProcSet']);

function hasOnlyPictures(file: PdfFile, resources: PdfDict | null): boolean {
  if (!resources || ![...resources.map.keys()].every((key) => pictureResources.has(key))) return false;
  const objects = file.entry(resources, 'XObject');
  return (
    isDict(objects) &&
    [...objects.map.values()].every((value) => {
      const object = file.resolve(value);
      const subtype = isDict(object) ? file.entry(object, 'Subtype') : null;
      return isName(subtype) && subtype.name === 'Image';
    })
  );
}

const isOpaque = ({ fillAlpha, blendMode, softMask, fillOverprint, device }: GraphicsState): boolean =>
  fillAlpha === 1 && blendMode === 'Normal' && softMask === null && !fillOverprint && device === null;

/** Whether the samples of a picture are its inks, or what is left of them. */
function isPlainJpeg(file: PdfFile, { image, isInline }: ImageEvent): boolean {
  const { dict, width, height, softMask, mask, colorKey } = image;
  return (
    !isInline &&
    image.object !== 0 &&
    filterNames(dict, file.resolve).join() === 'DCTDecode' &&
    !dict.map.has('DecodeParms') &&
    image.space?.family === 'DeviceCMYK' &&
    image.bitsPerComponent === 8 &&
    inversionOf(image) !== null &&
    !image.interpolate &&
    softMask === null &&
    mask === null &&
    colorKey === null &&
    !dict.map.has('SMaskInData') &&
    width > 0 &&
    height > 0 &&
    width * height <= mostPixels
  );
}

/** Whether the decode array inverts the samples; null for one that does something else. */
function inversionOf({ hasDecode, decode }: ImageFacts): boolean | null {
  if (!hasDecode) return false;
  const text = decode?.join();
  return text === '0,1,0,1,0,1,0,1' ? false : text === '1,0,1,0,1,0,1,0' ? true : null;
}

const isUpright = ([a, b, c, d]: Matrix): boolean => b === 0 && c === 0 && a > 0 && d < 0;

/** Whether no clip cuts the picture inside of the page. */
function isWhole({ state, bbox }: ImageEvent, page: Rect): boolean {
  const { clip } = state;
  if (!clip.isRect || clip.isEmpty) return false;
  const { bbox: shown } = clip;
  const begins = (edge: 0 | 1) => shown[edge] <= Math.max(bbox[edge], page[edge]);
  const ends = (edge: 2 | 3) => shown[edge] >= Math.min(bbox[edge], page[edge]);
  return begins(0) && begins(1) && ends(2) && ends(3);
}

/** The samples of a JPEG, interleaved, 255 for no ink; null for one that is damaged or is not what its dictionary says. */
async function samplesOf(file: PdfFile, image: ImageFacts): Promise<Uint8Array | null> {
  const jpeg = file.rawStream(image.object);
  try {
    const picture = sharp(jpeg, { ignoreIcc: true, failOn: 'warning', limitInputPixels: mostPixels });
    const { data, info } = await picture
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.width !== image.width || info.height !== image.height || info.channels !== 4) return null;
    // libvips inverts four components, with and without the mark of Adobe, so 255 already is no ink.
    if (inversionOf(image)) for (let at = 0; at < data.length; at += 1) data[at] = ~(data[at] as number);
    return data;
  } catch {
    // Ghostscript draws what it can, and tells that it is not all.
    return null;
  }
}

/** Puts a picture on the plates, one after the other in `plates`. */
function lay(samples: Uint8Array, { image, toPixel }: PlacedPicture, frame: PageFrame, plates: Uint8Array): void {
  const { width, height } = frame;
  const [a, , , d, e, f] = toPixel;
  const columns = samplesAt(e, a, image.width, width, 128);
  const rows = samplesAt(f + d, -d, image.height, height, 127);
  const pixels = width * height;
  for (let y = 0; y < height; y += 1) {
    const row = rows[y] as number;
    if (row < 0) continue;
    for (let x = 0; x < width; x += 1) {
      const column = columns[x] as number;
      if (column < 0) continue;
      const from = (row * image.width + column) * 4;
      const to = y * width + x;
      plates[to] = samples[from] as number;
      plates[to + pixels] = samples[from + 1] as number;
      plates[to + 2 * pixels] = samples[from + 2] as number;
      plates[to + 3 * pixels] = samples[from + 3] as number;
    }
  }
}

/**
 * For each pixel along an axis, the sample that lies at its centre; -1 outside of the picture. Ghostscript counts in steps of
 * 1/256 pixel and rounds where a sample begins down to such a step.
 * @param half the steps added before a place is rounded to a pixel: a sample that begins at the centre of a pixel has that
 *   pixel where they are 128, and the next one where they are 127
 */
function samplesAt(start: number, length: number, count: number, pixels: number, half: 127 | 128): Int32Array {
  const at = new Int32Array(pixels).fill(-1);
  // A sum of decimal fractions may lack a trillionth to a whole step.
  const [from, span] = [Math.floor(start * 256 + 1e-7), Math.round(length * 256)];
  const edge = (sample: number) => (from + Math.floor((sample * span) / count) + half) >> 8;
  for (let sample = 0; sample < count; sample += 1) {
    const end = Math.min(edge(sample + 1), pixels);
    for (let pixel = Math.max(edge(sample), 0); pixel < end; pixel += 1) at[pixel] = sample;
  }
  return at;
}
