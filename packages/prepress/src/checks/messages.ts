/** What every check says, in every language. */
import type { MessageFiles } from '@pdf2press/contract';
import { messages as annotations } from './annotations/messages.ts';
import { messages as bleed } from './bleed/messages.ts';
import { messages as colorSpaces } from './color-spaces/messages.ts';
import type { CheckKey } from './contracts.ts';
import { messages as documentIntegrity } from './document-integrity/messages.ts';
import { messages as emptyPages } from './empty-pages/messages.ts';
import { messages as fileSize } from './file-size/messages.ts';
import { messages as fonts } from './fonts/messages.ts';
import { messages as hiddenObjects } from './hidden-objects/messages.ts';
import { messages as imageResolution } from './image-resolution/messages.ts';
import { messages as inkCoverage } from './ink-coverage/messages.ts';
import { messages as layers } from './layers/messages.ts';
import { messages as multiplePages } from './multiple-pages/messages.ts';
import { messages as outputIntent } from './output-intent/messages.ts';
import { messages as overprint } from './overprint/messages.ts';
import { messages as pageBoxes } from './page-boxes/messages.ts';
import { messages as pageCount } from './page-count/messages.ts';
import { messages as pageDimensions } from './page-dimensions/messages.ts';
import { messages as pageOrientation } from './page-orientation/messages.ts';
import { messages as pdfx } from './pdfx/messages.ts';
import { messages as plates } from './plates/messages.ts';
import { messages as processingSteps } from './processing-steps/messages.ts';
import { messages as restrictedFeatures } from './restricted-features/messages.ts';
import { messages as richBlack } from './rich-black/messages.ts';
import { messages as safetyDistance } from './safety-distance/messages.ts';
import { messages as spotColors } from './spot-colors/messages.ts';
import { messages as thinLines } from './thin-lines/messages.ts';
import { messages as transparency } from './transparency/messages.ts';

export { messages as frameMessages } from '../preflight/messages.ts';

export const checkMessages: { readonly [K in CheckKey]: MessageFiles } = {
  DocumentIntegrity: documentIntegrity,
  FileSize: fileSize,
  ImageResolution: imageResolution,
  PageDimentions: pageDimensions,
  PageCount: pageCount,
  MultiplePages: multiplePages,
  PageOrientation: pageOrientation,
  EmptyPages: emptyPages,
  Bleed: bleed,
  SpotColors: spotColors,
  Fonts: fonts,
  RichBlack: richBlack,
  OverPrint: overprint,
  SafetyDistance: safetyDistance,
  TotalInkCoverage: inkCoverage,
  ColorSpaces: colorSpaces,
  ThinLines: thinLines,
  Transparency: transparency,
  Layers: layers,
  Annotations: annotations,
  OutputIntent: outputIntent,
  PdfX: pdfx,
  Plates: plates,
  PageBoxes: pageBoxes,
  HiddenObjects: hiddenObjects,
  ProcessingSteps: processingSteps,
  RestrictedFeatures: restrictedFeatures,
};
