import path from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { type BoxName, openPdf, type PictureFormat, renderPreview, savePicture } from '@pdf2press/pdf';
import type { PdfInput, Task } from './task.ts';

export interface RenderParams extends PdfInput {
  /** 1-based. */
  page: number;
  /** Pixels per inch. */
  dpi: number;
  format: PictureFormat;
  box?: BoxName;
  layers?: 'view' | 'all';
  annotations?: boolean;
}
export interface RenderResult {
  /** Name of the image in the work directory. */
  file: string;
  page: number;
  dpi: number;
  /** Width and height in pixels. */
  width: number;
  height: number;
}

/**
 * Draws one page in RGB as an image file.
 * @throws FileFaultError SETTINGS_INVALID {what: 'page'} for a page that does not exist
 */
export const run: Task<RenderParams, RenderResult> = async (
  { page, dpi, format, box, layers, annotations, ...input },
  tools,
) => {
  const pdf = openPdf(input);
  if (page > pdf.pageCount) throw new FileFaultError('SETTINGS_INVALID', { what: 'page', page, pages: pdf.pageCount });
  const raster = renderPreview(pdf, page, {
    dpi,
    ...(box && { box }),
    ...(layers && { layers }),
    ...(annotations !== undefined && { annotations }),
  });
  const file = `page-${page}.${format}`;
  await savePicture(raster, path.join(tools.workDir, file), { format, dpi });
  return { file, page, dpi, width: raster.width, height: raster.height };
};
