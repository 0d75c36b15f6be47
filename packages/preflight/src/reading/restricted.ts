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
  const { device } = object.event.state;
  if (device) {
    if (isSet(device.get('TR'), 'Identity') || isSet(device.get('TR2'), 'Identity')) features.push('transferCurve');
    if (isCustomHalftone(file, device.get('HT'))) features.push('halftone');
    if (['BG', 'BG2', 'UCR', 'UCR2'].some((key) => isSet(device.get(key), 'Default'))) features.push('blackGeneration');
  }
  return features;
}

function isCustomHalftone(file: PdfFile, value: PdfValue | undefined): boolean {
  const halftone = file.resolve(value);
  return isDict(halftone);
}

/** A halftone that ISO 15930 permits: type 1 or 5 without HalftoneName. */
export function isPlainHalftone(file: PdfFile, object: PageObject): boolean {
  const halftone = file.resolve(object.event.state.device?.get('HT'));
  if (!isDict(halftone)) return true;
  const type = file.resolve(halftone.map.get('HalftoneType'));
  return (type === 1 || type === 5) && !halftone.map.has('HalftoneName');
}

/** Whether a stream is compressed with LZW. */
export const usesLzw = (file: PdfFile, dict: PdfDict): boolean => filterNames(dict, file.resolve).includes('LZWDecode');
