/** Device-dependent and obsolete features, for the checks RestrictedFeatures and PdfX. */
import { filterNames, isDict, isName, type PdfDict, type PdfFile, type PdfValue } from '@pdf2press/pdf';
import type { PageObject } from './scene.ts';

export type RestrictedFeature =
  | 'sixteenBit'
  | 'jpx'
  | 'jbig2'
  | 'lzw'
  | 'alternateImages'
  | 'opi'
  | 'transferCurve'
  | 'halftone'
  | 'blackGeneration';

const isSet = (value: PdfValue | undefined, harmless: string): boolean =>
  value !== undefined && value !== null && !isName(value, harmless) && !isName(value, 'Default');

/** Features of the image and the graphics state of an object. */
export function featuresOf(file: PdfFile, object: PageObject): RestrictedFeature[] {
  const features: RestrictedFeature[] = [];
  if (object.type === 'image') {
    const { image } = object.event;
    if (image.bitsPerComponent === 16) features.push('sixteenBit');
    if (image.encoding === 'JPX') features.push('jpx');
    if (image.encoding === 'JBIG2') features.push('jbig2');
    if (image.encoding === 'LZW') features.push('lzw');
    if (image.dict.map.has('Alternates')) features.push('alternateImages');
    if (image.dict.map.has('OPI')) features.push('opi');
  }
  return [...features, ...stateFeatures(file, object.event.state.device)];
}

/** Features of the entries of an ExtGState dictionary (ISO 32000-1, table 58). */
export function stateFeatures(file: PdfFile, entries: ReadonlyMap<string, PdfValue> | null): RestrictedFeature[] {
  if (!entries) return [];
  const value = (key: string) => (entries.has(key) ? file.resolve(entries.get(key)) : undefined);
  const features: RestrictedFeature[] = [];
  if (isSet(value('TR'), 'Identity') || isSet(value('TR2'), 'Identity')) features.push('transferCurve');
  if (entries.has('HTP') || isDict(value('HT'))) features.push('halftone');
  if (['BG', 'BG2', 'UCR', 'UCR2'].some((key) => isSet(value(key), 'Default'))) features.push('blackGeneration');
  return features;
}

/**
 * Whether the entries of an ExtGState dictionary have a halftone that ISO 15930 permits: type 1 or 5 without HalftoneName
 * and without a phase (HTP of PDF 1.2).
 */
export function hasPlainHalftone(file: PdfFile, entries: ReadonlyMap<string, PdfValue> | null): boolean {
  if (entries?.has('HTP')) return false;
  const halftone = file.resolve(entries?.get('HT'));
  if (!isDict(halftone)) return true;
  const type = file.resolve(halftone.map.get('HalftoneType'));
  return (type === 1 || type === 5) && !halftone.map.has('HalftoneName');
}

/** Whether a stream is compressed with LZW. */
export const usesLzw = (file: PdfFile, dict: PdfDict): boolean => filterNames(dict, file.resolve).includes('LZWDecode');
