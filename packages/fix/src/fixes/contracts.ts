/** Contracts of all actions by their key, in engine order; the editor lists them in this order. */
import type { z } from 'zod';
import { addBleeds } from './add-bleeds/contract.ts';
import { addCutContour } from './add-cut-contour/contract.ts';
import { addText } from './add-text/contract.ts';
import { addTrimMarks } from './add-trim-marks/contract.ts';
import { colorspaceTransformation } from './colorspace-transformation/contract.ts';
import { convertToPdfx } from './convert-to-pdfx/contract.ts';
import { embedFonts } from './embed-fonts/contract.ts';
import { flattenLayers } from './flatten-layers/contract.ts';
import { flatteningTransparencies } from './flattening-transparencies/contract.ts';
import { fontsOutline } from './fonts-outline/contract.ts';
import { imageResolution } from './image-resolution/contract.ts';
import { imagesToPdf } from './images-to-pdf/contract.ts';
import { limitInk } from './limit-ink/contract.ts';
import { mapSpots } from './map-spots/contract.ts';
import { overprint } from './overprint/contract.ts';
import { placeBarcode } from './place-barcode/contract.ts';
import { removeObjects } from './remove-objects/contract.ts';
import { removeOutside } from './remove-outside/contract.ts';
import { repair } from './repair/contract.ts';
import { resizePages } from './resize-pages/contract.ts';
import { richBlack } from './rich-black/contract.ts';
import { rotatePages } from './rotate-pages/contract.ts';
import { setPageBoxes } from './set-page-boxes/contract.ts';
import { thickenLines } from './thicken-lines/contract.ts';
import { truncatePages } from './truncate-pages/contract.ts';

export const fixContracts = {
  ImagesToPdf: imagesToPdf,
  Repair: repair,
  TruncatePages: truncatePages,
  SetPageBoxes: setPageBoxes,
  RotatePages: rotatePages,
  RemoveObjects: removeObjects,
  FlattenLayers: flattenLayers,
  RemoveOutside: removeOutside,
  ResizePages: resizePages,
  ColorspaceTransformation: colorspaceTransformation,
  MapSpots: mapSpots,
  LimitInk: limitInk,
  RichBlack: richBlack,
  ThickenLines: thickenLines,
  Overprint: overprint,
  EmbedFonts: embedFonts,
  FontsOutline: fontsOutline,
  FlatteningTransparencies: flatteningTransparencies,
  ImageResolution: imageResolution,
  AddBleeds: addBleeds,
  AddText: addText,
  PlaceBarcode: placeBarcode,
  AddCutContour: addCutContour,
  AddTrimMarks: addTrimMarks,
  ConvertToPdfX: convertToPdfx,
} as const;

export type FixKey = keyof typeof fixContracts;
/** Keys of all actions in engine order. */
export const fixKeys = Object.keys(fixContracts) as FixKey[];
export type FixContractOf<K extends FixKey> = (typeof fixContracts)[K];
export type FixSettingsOf<K extends FixKey> = z.output<FixContractOf<K>['settings']>;
