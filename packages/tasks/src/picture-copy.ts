import { join } from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { createColourService, openRenderService, writePagePicture, writePictureCopy } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface PictureCopyParams extends PdfInput {
  /** Pixels per inch. */
  dpi: number;
  /** Drawn into every page; empty = nothing. */
  watermark: string;
  /** `jpeg`: of the first page only. Default `pdf`. */
  format?: 'pdf' | 'jpeg';
}

export interface PictureCopyResult {
  /** File name in the work directory. */
  name: string;
}

/**
 * Writes a copy of a file whose pages are pictures, as they print, with words drawn into them; or the picture of its first page.
 * @throws FileFaultError PDF_DAMAGED where the only picture that is wanted cannot be drawn
 */
export const run: Task<PictureCopyParams, PictureCopyResult> = async (
  { dpi, watermark, format = 'pdf', ...input },
  tools,
) => {
  const name = format === 'pdf' ? 'pictures.pdf' : 'page-1.jpg';
  const render = openRenderService({ ...input, workDir: tools.workDir });
  const colour = await createColourService();
  try {
    if (format === 'jpeg') {
      const path = join(tools.workDir, name);
      if (!(await writePagePicture(render, colour, { path, page: 1, dpi, watermark })))
        throw new FileFaultError('PDF_DAMAGED', { page: 1 });
      return { name };
    }
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
