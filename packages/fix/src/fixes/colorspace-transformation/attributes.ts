/** Attributes of DeviceN spaces: the colour spaces of their inks and of their process components. */
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
import type { SpaceMap } from '../../editing/recolour/space-map.ts';

const read = (file: PdfFile, value: PdfValue | undefined): ColorSpace => interpreterOf(file).spaces.read(value, null);

/**
 * The process colour space of which all these inks are components; null if the attributes name none, or only some inks.
 */
export function processSpace(file: PdfFile, attributes: PdfDict, names: readonly string[]): ColorSpace | null {
  const process = file.entry(attributes, 'Process');
  const components = isDict(process) ? file.entry(process, 'Components') : null;
  if (!isDict(process) || !isArray(components)) return null;
  const isComponent = (name: string): boolean => components.some((one) => isName(file.resolve(one), name));
  return names.every((name) => name === 'None' || isComponent(name)) ? read(file, process.map.get('ColorSpace')) : null;
}

/**
 * The attributes with their colour spaces converted (ISO 32000-1, 8.6.6.5); the same object when nothing changes. A
 * process space with other components after conversion is removed, because its inks would no longer match.
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
