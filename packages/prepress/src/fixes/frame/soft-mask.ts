/** Opacity that lay within an image's own data, as a mask beside it. */
import { type PdfEditor, type PdfRef, pdfDict, pdfName, pdfRef } from '@pdf2press/pdf';

/** @param alpha one byte a pixel, 255 hides what is behind */
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
