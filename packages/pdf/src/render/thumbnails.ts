import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract/faults';
import { savePicture } from './pictures.ts';
import type { RenderService } from './render-service.ts';

export interface Thumbnail {
  page: number;
  /** File name in the directory; null when the page could not be drawn. */
  file: string | null;
  width: number;
  height: number;
}

/**
 * Writes a small webp picture `<page>.webp` for each page; its longer side has `side` pixels.
 * @throws FileFaultError SETTINGS_INVALID {what: 'page', page}, PDF_LIMIT_PIXELS, PDF_MEMORY
 */
export async function writeThumbnails(
  render: RenderService,
  options: { directory: string; side: number; pages: readonly number[]; onPage?: (done: number) => void },
): Promise<Thumbnail[]> {
  const thumbnails: Thumbnail[] = [];
  for (const page of options.pages) {
    thumbnails.push(await writeThumbnail(render, page, options));
    options.onPage?.(thumbnails.length);
  }
  return thumbnails;
}

async function writeThumbnail(
  render: RenderService,
  page: number,
  { directory, side }: { directory: string; side: number },
): Promise<Thumbnail> {
  const facts = render.file.pages[page - 1];
  if (!facts) throw new FileFaultError('SETTINGS_INVALID', { what: 'page', page });
  const [x0, y0, x1, y1] = facts.effective.crop;
  const dpi = (side * 72) / (Math.max(x1 - x0, y1 - y0) * facts.userUnit);
  try {
    const raster = render.preview(page, { dpi, box: 'crop' });
    const file = `${page}.webp`;
    await savePicture(raster, path.join(directory, file), { format: 'webp', quality: 78 });
    return { page, file, width: raster.width, height: raster.height };
  } catch (error) {
    // A page that cannot be drawn does not prevent the others.
    if (error instanceof FileFaultError && error.code === 'PDF_DAMAGED')
      return { page, file: null, width: 0, height: 0 };
    throw error;
  }
}
