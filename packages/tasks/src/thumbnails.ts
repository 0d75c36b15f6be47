import { openRenderService, type Thumbnail, writeThumbnails } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface ThumbnailsParams extends PdfInput {
  /** 1-based. Default: all. */
  pages?: number[];
  /** Pixels of the longer side. Default 320. */
  side?: number;
}
export interface ThumbnailsResult {
  /** Files `<page>.webp` in the work directory; null for a page that cannot be drawn. */
  thumbnails: Thumbnail[];
}

/** Makes thumbnails of pages. */
export const run: Task<ThumbnailsParams, ThumbnailsResult> = async ({ pages, side = 320, ...input }, tools) => {
  const render = openRenderService({ ...input, workDir: tools.workDir });
  try {
    const wanted = pages ?? render.file.pages.map((page) => page.number);
    const thumbnails = await writeThumbnails(render, {
      directory: tools.workDir,
      side,
      pages: wanted,
      onPage: (done) => tools.progress({ phase: 'thumbnails', done, total: wanted.length }),
    });
    return { thumbnails };
  } finally {
    render.close();
  }
};
