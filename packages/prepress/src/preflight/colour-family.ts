import type { ColorSpace } from '@pdf2press/pdf';
import type { ColourFamily } from '../checks/color-spaces/contract.ts';
import { baseSpace } from './inks.ts';

const iccByComponents: Record<number, ColourFamily> = { 1: 'ICCGray', 3: 'ICCRGB', 4: 'ICCCMYK' };

/** The family of a space for rules about colour: an Indexed or pattern space counts as what it holds; null for none. */
export function colourFamily(space: ColorSpace): ColourFamily | null {
  const base = baseSpace(space);
  if (base.family === 'ICCBased') return iccByComponents[base.components] ?? null;
  if (base.family === 'Indexed' || base.family === 'Pattern' || base.family === 'Unknown') return null;
  return base.family;
}
