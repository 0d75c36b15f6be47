import { FileFaultError } from '@pdf2press/contract/faults';
import type { Sharp } from 'sharp';
import { sharp } from './lazy-sharp.ts';
import type { Raster } from './preview.ts';

export const pictureFormats = ['png', 'webp', 'jpeg', 'tiff'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface PictureOptions {
  format: PictureFormat;
  /** 1–100, for webp and jpeg. Default 82. */
  quality?: number;
  /** Webp without loss: for plates, whose values are read back. */
  lossless?: boolean;
  /** Written into the file so that it opens at its size on paper. */
  dpi?: number;
}

type Pixels = Pick<Raster, 'width' | 'height' | 'channels' | 'pixels'>;

const encoders = {
  png: (image: Sharp) => image.png({ compressionLevel: 6 }),
  webp: (image: Sharp, options: PictureOptions) =>
    // Effort 2 is three times as fast as the default and costs some 5 % in size.
    image.webp({ quality: options.quality ?? 82, lossless: options.lossless ?? false, effort: 2 }),
  jpeg: (image: Sharp, options: PictureOptions) => image.jpeg({ quality: options.quality ?? 82 }),
  tiff: (image: Sharp, options: PictureOptions) =>
    // Sharp measures TIFF in pixels per millimetre.
    image.tiff({
      compression: 'lzw',
      predictor: 'horizontal',
      ...(options.dpi ? { xres: options.dpi / 25.4, yres: options.dpi / 25.4 } : {}),
    }),
};

const endings: Readonly<Record<string, string>> = { jpg: 'jpeg', tif: 'tiff' };

/** The format that a file name asks for. @throws FileFaultError SETTINGS_INVALID {what: 'format'} */
export function pictureFormatOf(fileName: string): PictureFormat {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const format = pictureFormats.find((known) => known === (endings[ending] ?? ending));
  if (!format) throw new FileFaultError('SETTINGS_INVALID', { what: 'format', value: ending });
  return format;
}

function imageOf(raster: Pixels): Sharp {
  const { width, height, channels } = raster;
  const image = sharp(raster.pixels, { raw: { width, height, channels }, limitInputPixels: false });
  // Grey stays one channel: sharp would make three of it.
  return channels === 1 ? image.toColourspace('b-w') : image;
}

/** A raster as the bytes of a picture file. */
export function encodePicture(raster: Pixels, options: PictureOptions): Promise<Buffer> {
  const image = encoders[options.format](imageOf(raster), options);
  return (options.dpi ? image.withDensity(options.dpi) : image).toBuffer();
}

/** A raster written as a picture file. */
export async function savePicture(raster: Pixels, path: string, options: PictureOptions): Promise<void> {
  const image = encoders[options.format](imageOf(raster), options);
  await (options.dpi ? image.withDensity(options.dpi) : image).toFile(path);
}

/** The same picture at another size, averaged over the area of each new pixel. */
export async function resizePicture<T extends Pixels>(raster: T, width: number, height: number): Promise<Pixels> {
  const image = imageOf(raster).resize(width, height, { fit: 'fill', kernel: 'linear' });
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: raster.channels, pixels: data };
}
