/** The output intent for PDF/A of a document (ISO 19005-2, 6.2.3). */
import type { PdfFile } from '@pdf2press/pdf';
import { type OutputIntent, outputIntents } from '../../reading/document-facts.ts';

export const pdfaIntents = (file: PdfFile): OutputIntent[] =>
  outputIntents(file).filter(({ subtype }) => subtype === 'GTS_PDFA1');

/** Colour space of the profile of the output intent ('CMYK', 'RGB', 'GRAY'); null without one that can be read. */
export const outputSpace = (file: PdfFile): string | null =>
  pdfaIntents(file).find(({ profileSpace }) => profileSpace !== null)?.profileSpace ?? null;
