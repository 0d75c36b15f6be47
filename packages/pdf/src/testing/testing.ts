/** The door `@pdf2press/pdf/testing`: PDFs for tests and benches, written byte by byte so that any syntax can be made. */

export { seeded, writeImagePdf, writeTextPdf } from './bench-files.ts';
export { buildPdf, type ObjectSource, type PageSource, type PdfSource } from './build-pdf.ts';
export { colourPicture, type PictureOptions } from './colour-picture.ts';
export { mutate } from './mutate.ts';
export { withPdf } from './open-built.ts';
export { createPdfWriter, type PdfWriter, writePages } from './pdf-writer.ts';
export { type Poison, poisonPdfs, zeroBomb } from './poison.ts';
