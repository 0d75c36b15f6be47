/** Colour spaces of PDF, with ICCBased divided by its number of components. */
export const colourFamilies = [
  'DeviceGray',
  'DeviceCMYK',
  'DeviceRGB',
  'CalGray',
  'CalRGB',
  'Lab',
  'ICCGray',
  'ICCRGB',
  'ICCCMYK',
  'Separation',
  'DeviceN',
] as const;
export type ColourFamily = (typeof colourFamilies)[number];
