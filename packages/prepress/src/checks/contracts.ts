/** Every check by its name on the wire. The order is the editor's; the specification's fourteen come first. */
import type { z } from 'zod';
import { annotations } from './annotations/contract.ts';
import { bleed } from './bleed/contract.ts';
import { colorSpaces } from './color-spaces/contract.ts';
import { documentIntegrity } from './document-integrity/contract.ts';
import { emptyPages } from './empty-pages/contract.ts';
import { fileSize } from './file-size/contract.ts';
import { fonts } from './fonts/contract.ts';
import { hiddenObjects } from './hidden-objects/contract.ts';
import { imageResolution } from './image-resolution/contract.ts';
import { inkCoverage } from './ink-coverage/contract.ts';
import type { CheckKey } from './keys.ts';
import { layers } from './layers/contract.ts';
import { multiplePages } from './multiple-pages/contract.ts';
import { outputIntent } from './output-intent/contract.ts';
import { overprint } from './overprint/contract.ts';
import { pageBoxes } from './page-boxes/contract.ts';
import { pageCount } from './page-count/contract.ts';
import { pageDimensions } from './page-dimensions/contract.ts';
import { pageOrientation } from './page-orientation/contract.ts';
import { pdfx } from './pdfx/contract.ts';
import { plates } from './plates/contract.ts';
import { processingSteps } from './processing-steps/contract.ts';
import { restrictedFeatures } from './restricted-features/contract.ts';
import { richBlack } from './rich-black/contract.ts';
import { safetyDistance } from './safety-distance/contract.ts';
import { spotColors } from './spot-colors/contract.ts';
import { thinLines } from './thin-lines/contract.ts';
import { transparency } from './transparency/contract.ts';

export { type CheckKey, checkKeys } from './keys.ts';

export const checkContracts = {
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
} as const satisfies Record<CheckKey, unknown>;

export type ContractOf<K extends CheckKey> = (typeof checkContracts)[K];
export type SettingsOf<K extends CheckKey> = z.output<ContractOf<K>['settings']>;
export type RuleOf<K extends CheckKey> = keyof ContractOf<K>['rules'] & string;
