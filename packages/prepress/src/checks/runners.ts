/** Every check's runner by its name on the wire: a check without one does not compile. */

import { annotationsRunner } from './annotations/run.ts';
import { bleedRunner } from './bleed/run.ts';
import { colorSpacesRunner } from './color-spaces/run.ts';
import type { CheckKey } from './contracts.ts';
import { documentIntegrityRunner } from './document-integrity/run.ts';
import { emptyPagesRunner } from './empty-pages/run.ts';
import { fileSizeRunner } from './file-size/run.ts';
import { fontsRunner } from './fonts/run.ts';
import { hiddenObjectsRunner } from './hidden-objects/run.ts';
import { imageResolutionRunner } from './image-resolution/run.ts';
import { inkCoverageRunner } from './ink-coverage/run.ts';
import { layersRunner } from './layers/run.ts';
import { multiplePagesRunner } from './multiple-pages/run.ts';
import { outputIntentRunner } from './output-intent/run.ts';
import { overprintRunner } from './overprint/run.ts';
import { pageBoxesRunner } from './page-boxes/run.ts';
import { pageCountRunner } from './page-count/run.ts';
import { pageDimensionsRunner } from './page-dimensions/run.ts';
import { pageOrientationRunner } from './page-orientation/run.ts';
import { pdfxRunner } from './pdfx/run.ts';
import { platesRunner } from './plates/run.ts';
import { processingStepsRunner } from './processing-steps/run.ts';
import { restrictedFeaturesRunner } from './restricted-features/run.ts';
import { richBlackRunner } from './rich-black/run.ts';
import type { AnyRunner } from './runner.ts';
import { safetyDistanceRunner } from './safety-distance/run.ts';
import { spotColorsRunner } from './spot-colors/run.ts';
import { thinLinesRunner } from './thin-lines/run.ts';
import { transparencyRunner } from './transparency/run.ts';

const runners: { readonly [K in CheckKey]: AnyRunner<K> } = {
  DocumentIntegrity: documentIntegrityRunner,
  FileSize: fileSizeRunner,
  ImageResolution: imageResolutionRunner,
  PageDimentions: pageDimensionsRunner,
  PageCount: pageCountRunner,
  MultiplePages: multiplePagesRunner,
  PageOrientation: pageOrientationRunner,
  EmptyPages: emptyPagesRunner,
  Bleed: bleedRunner,
  SpotColors: spotColorsRunner,
  Fonts: fontsRunner,
  RichBlack: richBlackRunner,
  OverPrint: overprintRunner,
  SafetyDistance: safetyDistanceRunner,
  TotalInkCoverage: inkCoverageRunner,
  ColorSpaces: colorSpacesRunner,
  ThinLines: thinLinesRunner,
  Transparency: transparencyRunner,
  Layers: layersRunner,
  Annotations: annotationsRunner,
  OutputIntent: outputIntentRunner,
  PdfX: pdfxRunner,
  Plates: platesRunner,
  PageBoxes: pageBoxesRunner,
  HiddenObjects: hiddenObjectsRunner,
  ProcessingSteps: processingStepsRunner,
  RestrictedFeatures: restrictedFeaturesRunner,
};

/** The frame hands each runner the settings of its own check, which the table above ties together. */
export const runnerOf = (key: CheckKey): AnyRunner<CheckKey> => runners[key] as unknown as AnyRunner<CheckKey>;
