import { join } from 'node:path';
import { createColourService, openRenderService, writePictureCopy } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface PictureCopyParams extends PdfInput {
  /** Pixels per inch. */
  dpi: number;
  /** Drawn into every page; empty = nothing. */
  watermark: string;
}

export interface PictureCopyResult {
  /** File name in the work directory. */
  name: string;
}

/** Writes a copy of a file whose pages are pictures, as they print, with words drawn into them. */
export const run: Task<PictureCopyParams, PictureCopyResult> = async ({ dpi, watermark, ...input }, tools) => {
  const name = 'pictures.pdf';
  const render = openRenderService({ ...input, workDir: tools.workDir });
  const colour = await createColourService();
  try {
    const total = render.file.pageCount;
    await writePictureCopy(render, colour, {
      path: join(tools.workDir, name),
      dpi,
      watermark,
      onPage: (done) => tools.progress({ phase: 'pictures', done, total }),
    });
    return { name };
  } finally {
    colour.close();
    render.close();
  }
};
