import { type PdfRef, pdfName } from '../open/values.ts';
import type { PdfEditor } from './editor.ts';
import { pdfDict, pdfRef } from './make-values.ts';

/**
 * Writes an alpha channel as a soft mask of its own.
 * @param alpha one byte per pixel, 255 is opaque
 * @param width pixels
 * @param height pixels
 */
export function addSoftMask(edit: PdfEditor, alpha: Uint8Array, width: number, height: number): PdfRef {
  const dict = pdfDict({
    Type: pdfName('XObject'),
    Subtype: pdfName('Image'),
    Width: width,
    Height: height,
    ColorSpace: pdfName('DeviceGray'),
    BitsPerComponent: 8,
  });
  return pdfRef(edit.addStream(alpha, dict));
}
