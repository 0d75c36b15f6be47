/**
 * The door `@pdf2press/pdf/testing`: builds PDFs for tests and benchmarks from source text, so that any syntax is
 * possible.
 */

export { writeImagePdf, writePhotoPdf, writeTextPdf } from './bench-files.ts';
export { buildPdf, type ObjectSource, type PageSource, type PdfSource } from './build-pdf.ts';
export { buildZip, type ZipEntry } from './build-zip.ts';
export { colourPicture, type PictureOptions } from './colour-picture.ts';
export { encryptedPdf } from './encrypted-pdf.ts';
export { type HouseFont, houseFont, houseOpenTypeFont } from './house-font.ts';
export { type JpxPicture, jpxPicture } from './jpx-picture.ts';
export { mutate } from './mutate.ts';
export {
  areToolsHere,
  fontsIn,
  foreignColourIn,
  type Json,
  objectsOf,
  type Tool,
  toolNames,
  transparencyIn,
  type Verdicts,
  verdictsOf,
  worseOf,
} from './other-tools.ts';
export { type PaintedPage, paintedPages } from './painted.ts';
export { type Poison, poisonPdfs } from './poison/poison.ts';
export { tinyFont } from './tiny-font.ts';
