/** The layouts. A module of its own, because the command line needs their names and no schema. */
export const imposeLayouts = [
  'StepNRepeat',
  'CutAndStack',
  'SaddleStitch',
  'DieCut',
  'AcrossDown',
  'DownAcross',
  'Leaflet',
  'PerfectBound',
  'GangRun',
] as const;
export type ImposeLayout = (typeof imposeLayouts)[number];
