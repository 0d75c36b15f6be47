/**
 * The door `@pdf2press/pdf/place` for imposing: opening and writing PDFs without the code that renders them, so that a
 * child process starts quickly.
 */
export { loadingMupdfOnDemand } from '../open/mupdf.ts';
export type { PageFacts } from '../open/page-facts.ts';
export { type OpenOptions, openPdf, type PdfFile } from '../open/pdf-file.ts';
export { type BarcodeSymbol, type EncodeBarcode, loadBarcodes } from './barcodes.ts';
export { type DieLines, findDieLines } from './die-lines.ts';
export { cellMatrix, type ImposeOptions, imposePdf } from './impose-pdf.ts';
export { layoutPage } from './page-space.ts';
