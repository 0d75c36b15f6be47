/** The door for imposing: what opens and writes PDFs, without what renders them, so that a child starts quickly. */
export { type OpenOptions, openPdf, type PageFacts, type PdfFile } from '../open/pdf-file.ts';
export { type DieLines, findDieLines } from './die-lines.ts';
export { cellMatrix, type ImposeOptions, imposePdf } from './impose-pdf.ts';
export { layoutPage } from './page-space.ts';
