import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { FileFaultError, type SessionPage } from '@pdf2press/contract';
import { createColourService, openRenderService, writeTiles } from '@pdf2press/pdf';
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

/** Makes the page viewer's rasters. */
export const run: Task<TilesParams, TilesResult> = async ({ pages, dpis, inks, ...input }, tools) => {
  const render = openRenderService({ ...input, workDir: tools.workDir });
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
