/** What a DeviceN space says besides: its inks one by one, and which of its components are process colour. */
import {
  type ColorSpace,
  interpreterOf,
  isArray,
  isDict,
  isName,
  type PdfDict,
  type PdfFile,
  type PdfValue,
  pdfDict,
} from '@pdf2press/pdf';
import type { SpaceMap } from '../frame/recolour/space-map.ts';

const read = (file: PdfFile, value: PdfValue | undefined): ColorSpace => interpreterOf(file).spaces.read(value, null);

/** The process space that the attributes say all of these inks are components of; null where they say none, or of some. */
export function processSpace(file: PdfFile, attributes: PdfDict, names: readonly string[]): ColorSpace | null {
  const process = file.entry(attributes, 'Process');
  const components = isDict(process) ? file.entry(process, 'Components') : null;
  if (!isDict(process) || !isArray(components)) return null;
  const isComponent = (name: string): boolean => components.some((one) => isName(file.resolve(one), name));
  return names.every((name) => name === 'None' || isComponent(name)) ? read(file, process.map.get('ColorSpace')) : null;
}

/**
 * The attributes with every space in them converted (ISO 32000-1, 8.6.6.5); themselves where nothing is to convert. A
 * process space whose components become others is left out: the inks of the space are not those any more that it speaks of.
 */
export function convertedAttributes(
  file: PdfFile,
  attributes: PdfDict,
  map: (space: ColorSpace) => SpaceMap | null,
): PdfDict {
  const changed: Record<string, PdfValue | undefined> = {};

  const colorants = file.entry(attributes, 'Colorants');
  if (isDict(colorants)) {
    const made = [...colorants.map].map(([name, value]) => [name, map(read(file, value))?.value ?? value] as const);
    if (made.some(([name, value]) => value !== colorants.map.get(name)))
      changed.Colorants = pdfDict(Object.fromEntries(made));
  }

  const process = file.entry(attributes, 'Process');
  const target = isDict(process) ? map(read(file, process.map.get('ColorSpace'))) : null;
  if (isDict(process) && target)
    changed.Process = target.isSameValues ? pdfDict({ ColorSpace: target.value }, process) : undefined;

  return Object.keys(changed).length === 0 ? attributes : pdfDict(changed, attributes);
}
