/** Runners of all actions, loaded on first use. A missing entry is a type error. */

import type { FixModule } from '../kind/runner.ts';
import type { FixContractOf, FixKey } from './contracts.ts';

/** Keys of all actions, without loading their contracts. */
export const fixNames = (): string[] => Object.keys(fixRunners);

export const fixRunners: { readonly [K in FixKey]: () => Promise<FixModule<FixContractOf<K>>> } = {
  ImagesToPdf: () => import('./images-to-pdf/run.ts'),
  Repair: () => import('./repair/run.ts'),
  TruncatePages: () => import('./truncate-pages/run.ts'),
  SetPageBoxes: () => import('./set-page-boxes/run.ts'),
  RotatePages: () => import('./rotate-pages/run.ts'),
  RemoveObjects: () => import('./remove-objects/run.ts'),
  FlattenLayers: () => import('./flatten-layers/run.ts'),
  RemoveOutside: () => import('./remove-outside/run.ts'),
  ResizePages: () => import('./resize-pages/run.ts'),
  ColorspaceTransformation: () => import('./colorspace-transformation/run.ts'),
  MapSpots: () => import('./map-spots/run.ts'),
  LimitInk: () => import('./limit-ink/run.ts'),
  RichBlack: () => import('./rich-black/run.ts'),
  ThickenLines: () => import('./thicken-lines/run.ts'),
  Overprint: () => import('./overprint/run.ts'),
  EmbedFonts: () => import('./embed-fonts/run.ts'),
  FontsOutline: () => import('./fonts-outline/run.ts'),
  FlatteningTransparencies: () => import('./flattening-transparencies/run.ts'),
  ImageResolution: () => import('./image-resolution/run.ts'),
  AddBleeds: () => import('./add-bleeds/run.ts'),
  AddText: () => import('./add-text/run.ts'),
  PlaceBarcode: () => import('./place-barcode/run.ts'),
  AddCutContour: () => import('./add-cut-contour/run.ts'),
  AddTrimMarks: () => import('./add-trim-marks/run.ts'),
  ConvertToPdfX: () => import('./convert-to-pdfx/run.ts'),
};
