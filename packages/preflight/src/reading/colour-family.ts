import type { ColorSpace } from '@pdf2press/pdf';
import { baseSpace } from '@pdf2press/pdf';
import type { ColourFamily } from './colour-families.ts';

const iccByComponents: Record<number, ColourFamily> = { 1: 'ICCGray', 3: 'ICCRGB', 4: 'ICCCMYK' };

/** The family of a colour space; of its base for Indexed and Pattern spaces. Null where it cannot be told. */
export function colourFamily(space: ColorSpace): ColourFamily | null {
  const base = baseSpace(space);
  if (base.family === 'ICCBased') return iccByComponents[base.components] ?? null;
  if (base.family === 'Indexed' || base.family === 'Pattern' || base.family === 'Unknown') return null;
  return base.family;
}
