/** The words of plans. A module of its own, because the command line and its child process need none of the schemas. */

/** The layouts. */
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

/** How the second side of a sheet is printed; `WorkAndBack` is XJDF's name for sheetwise. */
export const xjdfWorkStyles = {
  Simplex: 'Simplex',
  Sheetwise: 'WorkAndBack',
  WorkAndTurn: 'WorkAndTurn',
  WorkAndTumble: 'WorkAndTumble',
  Perfecting: 'Perfecting',
} as const;
export type PlanWorkStyle = keyof typeof xjdfWorkStyles;

/** A corner of a page of a book, which bottling turns it about; names of JDF's BottleAxis. */
export const bottleAxes = ['SpineHead', 'SpineFoot', 'FaceHead', 'FaceFoot'] as const;
export type BottleAxis = (typeof bottleAxes)[number];
