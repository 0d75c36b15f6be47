import type { Inspection } from '@pdf2press/contract';
import { inspectPdf } from '@pdf2press/pdf/inspect';
import type { PdfInput, Task } from './task.ts';

/** Reads the structure of a PDF: pages, boxes, fonts, images, colour spaces. */
export const run: Task<PdfInput, Inspection> = (params, tools) =>
  inspectPdf({ ...params, onPage: (done, total) => tools.progress({ phase: 'pages', done, total }) });
