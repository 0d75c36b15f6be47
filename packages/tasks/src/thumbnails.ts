import type { PageList } from '@pdf2press/contract';
import { openRenderService, type Thumbnail, writeThumbnails } from '@pdf2press/pdf';
import { pageListOf } from './page-list.ts';
import type { PdfInput, Task } from './task.ts';

export interface ThumbnailsParams extends PdfInput {
  /** Of how many pages, from the first on. Default: all. */
  most?: number;
  /** Pixels of the longer side. Default 320. */
  side?: number;
}
export interface ThumbnailsResult {
  /** Files `<page>.webp` in the work directory; null for a page that cannot be drawn. */
  thumbnails: Thumbnail[];
  /** All pages of the file. */
  list: PageList;
}

/** Makes thumbnails of pages. */
export const run: Task<ThumbnailsParams, ThumbnailsResult> = async ({ most, side = 320, ...input }, tools) => {
  const render = openRenderService({ ...input, workDir: tools.workDir });
  try {
    const wanted = render.file.pages.slice(0, most).map((page) => page.number);
    const thumbnails = await writeThumbnails(render, {
      directory: tools.workDir,
      side,
      pages: wanted,
      onPage: (done) => tools.progress({ phase: 'thumbnails', done, total: wanted.length }),
    });
    return { thumbnails, list: pageListOf(render.file) };
  } finally {
    render.close();
  }
};
