import type { PDFPage } from 'mupdf';
import { mupdf } from '../open/mupdf.ts';
import type { PdfFile } from '../open/pdf-file.ts';

interface Codes {
  /** Object number of the font dictionary. */
  fontObject: number;
  /** Codes as hexadecimal bytes, as in a string. */
  codes: readonly string[];
  /** Distance between the origins of two codes, in ems. */
  spread: number;
}

/**
 * Shows codes of a font side by side at size 1 on the only page of a temporary document, so that MuPDF tells how it reads
 * the font's encoding and program: the nth code has its origin at n × spread.
 */
export function withCodesOnPage<T>(file: PdfFile, { fontObject, codes, spread }: Codes, use: (page: PDFPage) => T): T {
  const document = new (mupdf().PDFDocument)();
  try {
    const resources = document.newDictionary();
    const fonts = document.newDictionary();
    fonts.put('F', document.graftObject(file.engine.newIndirect(fontObject)));
    resources.put('Font', fonts);
    const content = codes.map((code, index) => `BT /F 1 Tf 1 0 0 1 ${index * spread} 0 Tm <${code}> Tj ET`).join('\n');
    document.insertPage(-1, document.addPage([0, -spread, codes.length * spread, spread], 0, resources, content));
    const page = document.loadPage(0);
    try {
      return use(page);
    } finally {
      page.destroy();
    }
  } finally {
    document.destroy();
  }
}
