import type { Inspection } from '@pdf2press/contract';
import { inspectPdf } from '@pdf2press/pdf/inspect';
import type { PdfInput, Task } from './task.ts';
import type { Pictured, PicturesOf } from './thumbnails.ts';

export interface InspectParams extends PdfInput {
  /** Also draw pictures of the file. */
  pictures?: PicturesOf;
}
export type InspectResult = Pictured<Inspection>;

/** Reads the structure of a PDF: pages, boxes, fonts, images, colour spaces. */
export const run: Task<InspectParams, InspectResult> = async ({ pictures, ...input }, tools) => {
  const onPage = (done: number, total: number) => tools.progress({ phase: 'pages', done, total });
  const inspection = await inspectPdf({ ...input, onPage });
  if (!pictures) return inspection;
  const { withPictures } = await import('./thumbnails.ts');
  return withPictures(inspection, { of: input, pictures }, tools);
};
