import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError, type SessionPage } from '@pdf2press/contract';
import {
  createColourService,
  drawPictures,
  openRenderService,
  pictureAsItIs,
  pictureKind,
  writeTiles,
} from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface TilesParams extends PdfInput {
  /** 1-based. */
  pages: number[];
  /** Only these levels of `SessionPage.levels`. Default: all. */
  dpis?: number[];
  /** Plates too. Default true. */
  inks?: boolean;
}
export interface TilesResult {
  /** What the viewer must know, also in `<page>/page.json`; tiles lie in `<page>/<rgb|ink-N>/<dpi>/<x>_<y>.webp`. */
  pages: SessionPage[];
}

/** A picture that came in place of a PDF is looked at as the page that a workflow makes of it. */
async function pdfOf(file: string, workDir: string): Promise<string> {
  const kind = pictureKind(file);
  if (!kind) return file;
  const pdf = path.join(workDir, 'from-picture.pdf');
  try {
    await drawPictures(file, kind, pdf, pictureAsItIs);
    return pdf;
  } catch {
    // What only begins like a picture is no PDF: opening it says so.
    return file;
  }
}

/** Makes the page viewer's rasters. */
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
    return { pages: made };
  } finally {
    colour.close();
    render.close();
  }
};
