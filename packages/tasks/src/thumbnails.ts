import { mkdirSync } from 'node:fs';
import type { PageList } from '@pdf2press/contract';
import { openRenderService, type Thumbnail, writeThumbnails } from '@pdf2press/pdf';
import { loadMupdf } from '@pdf2press/pdf/mupdf';
import { pageListOf } from './page-list.ts';
import type { PdfInput, Task, TaskTools } from './task.ts';

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

/**
 * Pictures that a task draws of the PDF it made or looked at, in its own process: another one would take longer to start
 * than to draw.
 */
export interface PicturesOf {
  /** Absolute path of a folder below one that the task writes to; it is made. */
  folder: string;
  /** Of how many pages, from the first on. */
  most: number;
}

/** A result, with the pictures where they were asked for and could be drawn. */
export type Pictured<Result> = Result & { pictures?: ThumbnailsResult };

/** Adds pictures of a PDF to the result of a task, which stands when they fail. */
export async function withPictures<Result extends object>(
  result: Result,
  { of, pictures }: { of: PdfInput; pictures: PicturesOf },
  tools: TaskTools,
): Promise<Pictured<Result>> {
  tools.keep(result);
  await loadMupdf();
  const { folder, most } = pictures;
  mkdirSync(folder, { recursive: true });
  return { ...result, pictures: await run({ ...of, most }, { ...tools, workDir: folder }) };
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
