/** Every check's cases by its name on the wire: a check without them does not compile. */
import { cases as annotations } from '../../checks/annotations/cases.ts';
import { cases as bleed } from '../../checks/bleed/cases.ts';
import { cases as colorSpaces } from '../../checks/color-spaces/cases.ts';
import type { CheckKey } from '../../checks/contracts.ts';
import { cases as documentIntegrity } from '../../checks/document-integrity/cases.ts';
import { cases as emptyPages } from '../../checks/empty-pages/cases.ts';
import { cases as fileSize } from '../../checks/file-size/cases.ts';
import { cases as fonts } from '../../checks/fonts/cases.ts';
import { cases as hiddenObjects } from '../../checks/hidden-objects/cases.ts';
import { cases as imageResolution } from '../../checks/image-resolution/cases.ts';
import { cases as inkCoverage } from '../../checks/ink-coverage/cases.ts';
import { cases as layers } from '../../checks/layers/cases.ts';
import { cases as multiplePages } from '../../checks/multiple-pages/cases.ts';
import { cases as outputIntent } from '../../checks/output-intent/cases.ts';
import { cases as overprint } from '../../checks/overprint/cases.ts';
import { cases as pageBoxes } from '../../checks/page-boxes/cases.ts';
import { cases as pageCount } from '../../checks/page-count/cases.ts';
import { cases as pageDimensions } from '../../checks/page-dimensions/cases.ts';
import { cases as pageOrientation } from '../../checks/page-orientation/cases.ts';
import { cases as pdfx } from '../../checks/pdfx/cases.ts';
import { cases as plates } from '../../checks/plates/cases.ts';
import { cases as processingSteps } from '../../checks/processing-steps/cases.ts';
import { cases as restrictedFeatures } from '../../checks/restricted-features/cases.ts';
import { cases as richBlack } from '../../checks/rich-black/cases.ts';
import { cases as safetyDistance } from '../../checks/safety-distance/cases.ts';
import { cases as spotColors } from '../../checks/spot-colors/cases.ts';
import { cases as thinLines } from '../../checks/thin-lines/cases.ts';
import { cases as transparency } from '../../checks/transparency/cases.ts';
import type { RuleCase } from './rule-case.ts';

export const ruleCases: { readonly [K in CheckKey]: readonly RuleCase<K>[] } = {
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
