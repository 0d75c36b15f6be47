/** Colour operators and the colour spaces they use. */
import { type ColorSpace, type DeviceFamily, interpreterOf, type OperatorEvent, type PdfFile } from '@pdf2press/pdf';

export const deviceOf: Readonly<Record<string, DeviceFamily>> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
};
export const colourOperators: ReadonlySet<string> = new Set([
  ...Object.keys(deviceOf),
  'cs',
  'CS',
  'sc',
  'SC',
  'scn',
  'SCN',
]);
export const isStroke = (op: string): boolean => op === op.toUpperCase();

/** The colour space that the operator selects or that its operands are in. */
export function spaceBefore(file: PdfFile, { place, operands, state }: OperatorEvent): ColorSpace {
  const { spaces } = interpreterOf(file);
  const device = deviceOf[place.op];
  if (device) return spaces.device(device, place.run.resources);
  if (place.op === 'cs' || place.op === 'CS') return spaces.read(operands.at(-1), place.run.resources);
  return (isStroke(place.op) ? state.stroke : state.fill).space;
}

/** Initial colour of a space (ISO 32000-1, 8.6.8): 1 for tints, black for CMYK, 0 otherwise. */
export function initialColour(space: ColorSpace): number[] {
  if (space.family === 'Separation' || space.family === 'DeviceN')
    return Array.from({ length: space.components }, () => 1);
  if (space.family === 'DeviceCMYK' || (space.family === 'ICCBased' && space.components === 4)) return [0, 0, 0, 1];
  return Array.from({ length: space.components }, () => 0);
}
