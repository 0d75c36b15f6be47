import { openRenderService, type Thumbnail, writeThumbnails } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface ThumbnailsParams extends PdfInput {
  /** 1-based. Default: all. */
  pages?: number[];
  /** Pixels of the longer side. Default 320. */
  side?: number;
}
export interface ThumbnailsResult {
  /** Files are `<page>.webp` in the work directory; null where a page cannot be drawn. */
  thumbnails: Thumbnail[];
}

/** Makes small pictures of pages. */
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
