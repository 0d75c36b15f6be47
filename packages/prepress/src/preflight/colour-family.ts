import type { ColorSpace } from '@pdf2press/pdf';
import type { ColourFamily } from '../checks/color-spaces/contract.ts';
import type { FixHint } from '../checks/runner.ts';
import { baseSpace } from './inks.ts';

const iccByComponents: Record<number, ColourFamily> = { 1: 'ICCGray', 3: 'ICCRGB', 4: 'ICCCMYK' };

/** The family of a space for rules about colour: an Indexed or pattern space counts as what it holds; null for none. */
export function colourFamily(space: ColorSpace): ColourFamily | null {
  const base = baseSpace(space);
  if (base.family === 'ICCBased') return iccByComponents[base.components] ?? null;
  if (base.family === 'Indexed' || base.family === 'Pattern' || base.family === 'Unknown') return null;
  return base.family;
}

type Settings = NonNullable<Extract<FixHint, { action: 'ColorspaceTransformation' }>['params']>;

/** How the colour conversion takes a family out of a file; device colour of the press needs none. */
const conversions: Readonly<Partial<Record<ColourFamily, Settings>>> = {
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

/** The conversion that takes a family out of a file. */
export function conversionOf(family: ColourFamily): FixHint | null {
  const params = conversions[family];
  return params ? { action: 'ColorspaceTransformation', params } : null;
}
