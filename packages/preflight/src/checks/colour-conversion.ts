import type { ColourFamily } from '../reading/colour-families.ts';
import type { FixHint } from './runner.ts';

/** Parameters of the colour conversion that removes a family; DeviceCMYK needs none. */
const conversions: Readonly<Partial<Record<ColourFamily, FixHint['params']>>> = {
  DeviceRGB: { sources: ['DeviceRGB'] },
  CalRGB: { sources: ['ICCRGB'] },
  ICCRGB: { sources: ['ICCRGB'] },
  Lab: { sources: ['Lab'] },
  ICCCMYK: { sources: ['ICCCMYK'] },
  ICCGray: { sources: ['CalGray'] },
  CalGray: { sources: ['CalGray'] },
  DeviceGray: { sources: ['DeviceGray'] },
  Separation: { sources: [], spotHandling: 'ToProcess' },
  DeviceN: { sources: [], spotHandling: 'ToProcess' },
};

/** The fix that converts a family of colour spaces to CMYK; null for DeviceCMYK. */
export function conversionOf(family: ColourFamily): FixHint | null {
  const params = conversions[family];
  return params ? { action: 'ColorspaceTransformation', params } : null;
}
