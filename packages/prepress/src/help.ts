/**
 * The door for whoever helps operators: what each kind decides and what to mind, in every language. Apart from the words
 * of the forms, because it is asked for seldom.
 */
import type { ImposeLayout, Locale } from '@pdf2press/contract';
import checkAnnotations from './checks/annotations/help.json' with { type: 'json' };
import checkBleed from './checks/bleed/help.json' with { type: 'json' };
import checkColorSpaces from './checks/color-spaces/help.json' with { type: 'json' };
import type { CheckKey } from './checks/contracts.ts';
import checkDocumentIntegrity from './checks/document-integrity/help.json' with { type: 'json' };
import checkEmptyPages from './checks/empty-pages/help.json' with { type: 'json' };
import checkFileSize from './checks/file-size/help.json' with { type: 'json' };
import checkFonts from './checks/fonts/help.json' with { type: 'json' };
import checkHiddenObjects from './checks/hidden-objects/help.json' with { type: 'json' };
import checkImageResolution from './checks/image-resolution/help.json' with { type: 'json' };
import checkInkCoverage from './checks/ink-coverage/help.json' with { type: 'json' };
import checkLayers from './checks/layers/help.json' with { type: 'json' };
import checkMultiplePages from './checks/multiple-pages/help.json' with { type: 'json' };
import checkOutputIntent from './checks/output-intent/help.json' with { type: 'json' };
import checkOverprint from './checks/overprint/help.json' with { type: 'json' };
import checkPageBoxes from './checks/page-boxes/help.json' with { type: 'json' };
import checkPageCount from './checks/page-count/help.json' with { type: 'json' };
import checkPageDimensions from './checks/page-dimensions/help.json' with { type: 'json' };
import checkPageOrientation from './checks/page-orientation/help.json' with { type: 'json' };
import checkPdfx from './checks/pdfx/help.json' with { type: 'json' };
import checkPlates from './checks/plates/help.json' with { type: 'json' };
import checkProcessingSteps from './checks/processing-steps/help.json' with { type: 'json' };
import checkRestrictedFeatures from './checks/restricted-features/help.json' with { type: 'json' };
import checkRichBlack from './checks/rich-black/help.json' with { type: 'json' };
import checkSafetyDistance from './checks/safety-distance/help.json' with { type: 'json' };
import checkSpotColors from './checks/spot-colors/help.json' with { type: 'json' };
import checkThinLines from './checks/thin-lines/help.json' with { type: 'json' };
import checkTransparency from './checks/transparency/help.json' with { type: 'json' };
import fixAddBleeds from './fixes/add-bleeds/help.json' with { type: 'json' };
import fixAddTrimMarks from './fixes/add-trim-marks/help.json' with { type: 'json' };
import fixColorspaceTransformation from './fixes/colorspace-transformation/help.json' with { type: 'json' };
import type { FixKey } from './fixes/contracts.ts';
import fixConvertToPdfx from './fixes/convert-to-pdfx/help.json' with { type: 'json' };
import fixFlattenLayers from './fixes/flatten-layers/help.json' with { type: 'json' };
import fixFlatteningTransparencies from './fixes/flattening-transparencies/help.json' with { type: 'json' };
import fixFontsOutline from './fixes/fonts-outline/help.json' with { type: 'json' };
import fixImageResolution from './fixes/image-resolution/help.json' with { type: 'json' };
import fixImagesToPdf from './fixes/images-to-pdf/help.json' with { type: 'json' };
import fixMapSpots from './fixes/map-spots/help.json' with { type: 'json' };
import fixOverprint from './fixes/overprint/help.json' with { type: 'json' };
import fixRemoveObjects from './fixes/remove-objects/help.json' with { type: 'json' };
import fixRemoveOutside from './fixes/remove-outside/help.json' with { type: 'json' };
import fixRepair from './fixes/repair/help.json' with { type: 'json' };
import fixResizePages from './fixes/resize-pages/help.json' with { type: 'json' };
import fixRichBlack from './fixes/rich-black/help.json' with { type: 'json' };
import fixRotatePages from './fixes/rotate-pages/help.json' with { type: 'json' };
import fixSetPageBoxes from './fixes/set-page-boxes/help.json' with { type: 'json' };
import fixThickenLines from './fixes/thicken-lines/help.json' with { type: 'json' };
import fixTruncatePages from './fixes/truncate-pages/help.json' with { type: 'json' };
import layoutAcrossDown from './layouts/across-down/help.json' with { type: 'json' };
import layoutCutAndStack from './layouts/cut-and-stack/help.json' with { type: 'json' };
import layoutDieCut from './layouts/die-cut/help.json' with { type: 'json' };
import layoutDownAcross from './layouts/down-across/help.json' with { type: 'json' };
import layoutPerfectBound from './layouts/perfect-bound/help.json' with { type: 'json' };
import layoutSaddleStitch from './layouts/saddle-stitch/help.json' with { type: 'json' };
import layoutStepNRepeat from './layouts/step-n-repeat/help.json' with { type: 'json' };

/** A text in each language. */
export type KindHelp = Readonly<Record<Locale, string>>;

export const checkHelp: Readonly<Record<CheckKey, KindHelp>> = {
  DocumentIntegrity: checkDocumentIntegrity,
  FileSize: checkFileSize,
  ImageResolution: checkImageResolution,
  PageDimentions: checkPageDimensions,
  PageCount: checkPageCount,
  MultiplePages: checkMultiplePages,
  PageOrientation: checkPageOrientation,
  EmptyPages: checkEmptyPages,
  Bleed: checkBleed,
  SpotColors: checkSpotColors,
  Fonts: checkFonts,
  RichBlack: checkRichBlack,
  OverPrint: checkOverprint,
  SafetyDistance: checkSafetyDistance,
  TotalInkCoverage: checkInkCoverage,
  ColorSpaces: checkColorSpaces,
  ThinLines: checkThinLines,
  Transparency: checkTransparency,
  Layers: checkLayers,
  Annotations: checkAnnotations,
  OutputIntent: checkOutputIntent,
  PdfX: checkPdfx,
  Plates: checkPlates,
  PageBoxes: checkPageBoxes,
  HiddenObjects: checkHiddenObjects,
  ProcessingSteps: checkProcessingSteps,
  RestrictedFeatures: checkRestrictedFeatures,
};

export const fixHelp: Readonly<Record<FixKey, KindHelp>> = {
  ImagesToPdf: fixImagesToPdf,
  Repair: fixRepair,
  TruncatePages: fixTruncatePages,
  SetPageBoxes: fixSetPageBoxes,
  RotatePages: fixRotatePages,
  RemoveObjects: fixRemoveObjects,
  FlattenLayers: fixFlattenLayers,
  RemoveOutside: fixRemoveOutside,
  ResizePages: fixResizePages,
  ColorspaceTransformation: fixColorspaceTransformation,
  MapSpots: fixMapSpots,
  RichBlack: fixRichBlack,
  ThickenLines: fixThickenLines,
  Overprint: fixOverprint,
  FontsOutline: fixFontsOutline,
  FlatteningTransparencies: fixFlatteningTransparencies,
  ImageResolution: fixImageResolution,
  AddBleeds: fixAddBleeds,
  AddTrimMarks: fixAddTrimMarks,
  ConvertToPdfX: fixConvertToPdfx,
};

export const layoutHelp: Readonly<Record<ImposeLayout, KindHelp>> = {
  StepNRepeat: layoutStepNRepeat,
  CutAndStack: layoutCutAndStack,
  SaddleStitch: layoutSaddleStitch,
  DieCut: layoutDieCut,
  AcrossDown: layoutAcrossDown,
  DownAcross: layoutDownAcross,
  PerfectBound: layoutPerfectBound,
};
