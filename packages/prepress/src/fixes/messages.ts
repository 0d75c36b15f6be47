/** What every action says, in every language. */
import type { MessageFiles } from '@pdf2press/contract';
import { messages as addBleeds } from './add-bleeds/messages.ts';
import { messages as addTrimMarks } from './add-trim-marks/messages.ts';
import { messages as colorspaceTransformation } from './colorspace-transformation/messages.ts';
import type { FixKey } from './contracts.ts';
import { messages as convertToPdfx } from './convert-to-pdfx/messages.ts';
import { messages as flattenLayers } from './flatten-layers/messages.ts';
import { messages as flatteningTransparencies } from './flattening-transparencies/messages.ts';
import { messages as fontsOutline } from './fonts-outline/messages.ts';
import { messages as imageResolution } from './image-resolution/messages.ts';
import { messages as mapSpots } from './map-spots/messages.ts';
import { messages as overprint } from './overprint/messages.ts';
import { messages as removeObjects } from './remove-objects/messages.ts';
import { messages as removeOutside } from './remove-outside/messages.ts';
import { messages as repair } from './repair/messages.ts';
import { messages as resizePages } from './resize-pages/messages.ts';
import { messages as richBlack } from './rich-black/messages.ts';
import { messages as rotatePages } from './rotate-pages/messages.ts';
import { messages as setPageBoxes } from './set-page-boxes/messages.ts';
import { messages as thickenLines } from './thicken-lines/messages.ts';
import { messages as truncatePages } from './truncate-pages/messages.ts';

export const fixMessages: { readonly [K in FixKey]: MessageFiles } = {
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
  RichBlack: richBlack,
  ThickenLines: thickenLines,
  Overprint: overprint,
  FontsOutline: fontsOutline,
  FlatteningTransparencies: flatteningTransparencies,
  ImageResolution: imageResolution,
  AddBleeds: addBleeds,
  AddTrimMarks: addTrimMarks,
  ConvertToPdfX: convertToPdfx,
};
