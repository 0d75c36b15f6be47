/** Writes an alpha channel that was part of an image's data as a separate soft mask. */
import { type PdfEditor, type PdfRef, pdfDict, pdfName, pdfRef } from '@pdf2press/pdf';

/**
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
