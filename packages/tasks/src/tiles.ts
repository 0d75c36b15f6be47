import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError, type PageList, type SessionPage } from '@pdf2press/contract';
import {
  createColourService,
  drawPictures,
  openRenderService,
  pictureAsItIs,
  pictureKind,
  writeTiles,
} from '@pdf2press/pdf';
import { pageListOf } from './page-list.ts';
import type { PdfInput, Task } from './task.ts';

export interface TilesParams extends PdfInput {
  /** 1-based. None: only the list is made. */
  pages: number[];
  /** Only these levels of `SessionPage.levels`. Default: all. */
  dpis?: number[];
  /** Also tiles of the plates. Default true. */
  inks?: boolean;
}
export interface TilesResult {
  /** Description for the viewer, also in `<page>/page.json`; tiles are `<page>/<rgb|art|ink-N>/<dpi>/<x>_<y>.webp`. */
  pages: SessionPage[];
  /** All pages of the file. */
  list: PageList;
}

/** For an image file, a PDF with the page that a workflow makes of it; else the file itself. */
async function pdfOf(file: string, workDir: string): Promise<string> {
  const kind = pictureKind(file);
  if (!kind) return file;
  const pdf = path.join(workDir, 'from-picture.pdf');
  try {
    await drawPictures(file, kind, pdf, pictureAsItIs);
    return pdf;
  } catch {
    // Opening the file as a PDF then fails with PDF_NOT_PDF.
    return file;
  }
}

/**
 * Makes the image tiles of the page viewer.
 * @throws FileFaultError SETTINGS_INVALID {what: 'page'} for a page that does not exist; PDF_NOT_PDF
 */
export const run: Task<TilesParams, TilesResult> = async ({ pages, dpis, inks, ...input }, tools) => {
  const { workDir } = tools;
  const render = openRenderService({ ...input, path: await pdfOf(input.path, workDir), workDir });
  const colour = await createColourService();
  try {
    const made: SessionPage[] = [];
    for (const page of pages) {
      if (page > render.file.pageCount) throw new FileFaultError('SETTINGS_INVALID', { what: 'page', page });
      const directory = path.join(tools.workDir, String(page));
      mkdirSync(directory, { recursive: true });
      made.push(await writeTiles(render, colour, { page, directory, dpis, inks }));
      tools.progress({ phase: 'tiles', done: made.length, total: pages.length });
    }
    return { pages: made, list: pageListOf(render.file) };
  } finally {
    colour.close();
    render.close();
  }
};
