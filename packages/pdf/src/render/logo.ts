import { FileFaultError } from '@pdf2press/contract';
import { sharp } from './lazy-sharp.ts';

export interface DrawnLogo {
  /** Pixels. */
  width: number;
  height: number;
}

/** Formats that are decoded; SVG is none of them, because it can name other files and hold scripts. */
const accepted = new Set(['png', 'jpeg', 'webp']);
/** Pixels that are decoded at most: 40 megapixels, as large cameras take. */
const mostPixels = 40_000_000;

/**
 * Draws a picture anew as an 8-bit PNG in sRGB that fits into a square of `side` pixels; no byte of the picture's file,
 * and nothing that is written in it beside the pixels, is taken over. A smaller picture keeps its size.
 * @throws FileFaultError FILE_TYPE_MISMATCH for what is no PNG, JPEG or WebP; PDF_LIMIT_PIXELS; PDF_DAMAGED
 */
export async function drawLogo(path: string, out: string, side: number): Promise<DrawnLogo> {
  const facts = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new FileFaultError('FILE_TYPE_MISMATCH', {}, { cause });
    });
  if (!accepted.has(facts.format)) throw new FileFaultError('FILE_TYPE_MISMATCH');
  if (facts.width * facts.height > mostPixels) throw new FileFaultError('PDF_LIMIT_PIXELS', { limit: mostPixels });
  try {
    const { width, height } = await sharp(path, { limitInputPixels: mostPixels, failOn: 'error' })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toFile(out);
    return { width, height };
  } catch (cause) {
    throw new FileFaultError('PDF_DAMAGED', {}, { cause });
  }
}
