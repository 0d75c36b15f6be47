/** Colour spaces as PDF values. */
import { type ColorSpace, type PdfValue, pdfName, pdfRef } from '@pdf2press/pdf';

/** An ink name as PDF stores it: UTF-8, one character per byte (ISO 32000-2, 7.3.5). */
export const inkNameBytes = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');

/**
 * A colour space as a PDF value: device spaces by name, others by reference; null for a space that cannot be written.
 */
export function alternateValue(space: ColorSpace): PdfValue | null {
  if (space.family === 'DeviceCMYK' || space.family === 'DeviceGray' || space.family === 'DeviceRGB')
    return pdfName(space.family);
  if (space.object !== 0) return pdfRef(space.object);
  if (space.family === 'ICCBased') return [pdfName('ICCBased'), pdfRef(space.profile)];
  return space.family === 'Lab' && space.dict ? [pdfName('Lab'), space.dict] : null;
}

/** A Separation or DeviceN space as a PDF value; null when its alternate space cannot be written. */
export function inkSpaceValue(space: Extract<ColorSpace, { family: 'Separation' | 'DeviceN' }>): PdfValue | null {
  if (space.object !== 0) return pdfRef(space.object);
  const alternate = alternateValue(space.alternate);
  if (alternate === null) return null;
  const names = space.written.map((name) => pdfName(name));
  return space.family === 'Separation'
    ? [pdfName('Separation'), names[0] ?? pdfName('None'), alternate, space.tint]
    : [pdfName('DeviceN'), names, alternate, space.tint, ...(space.attributes ? [space.attributes] : [])];
}
