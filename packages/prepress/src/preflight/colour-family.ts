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

/** What of the colour conversion's sources a family is; device colour of the press needs none. */
const sources = {
  DeviceRGB: 'RGB',
  CalRGB: 'RGB',
  ICCRGB: 'RGB',
  Lab: 'Lab',
  ICCCMYK: 'ICCCMYK',
  ICCGray: 'Gray',
  CalGray: 'CalGray',
  DeviceGray: 'Gray',
  Separation: 'Spots',
  DeviceN: 'Spots',
} as const satisfies Partial<Record<ColourFamily, string>>;

/** The conversion that takes a family out of a file. */
export function conversionOf(family: ColourFamily): FixHint | null {
  if (family === 'DeviceCMYK') return null;
  const source = sources[family];
  const spots = source === 'Spots' ? ({ spotHandling: 'ToProcess' } as const) : {};
  return { action: 'ColorspaceTransformation', params: { sources: [source], ...spots } };
}
