/**
 * The door of the package: reads, renders, changes and writes PDF files, and converts colours. All use of MuPDF,
 * Ghostscript and LittleCMS is inside this package. What needs MuPDF throws `MupdfMissing` before it is loaded.
 */

export * from './colour/colour-service.ts';
export * from './colour/ink-names.ts';
export * from './colour/profile-facts.ts';
export * from './colour/shipped-profiles.ts';
export { encodeGroup4 } from './edit/ccitt.ts';
export * from './edit/editor.ts';
export { deflateSamples } from './edit/flate-samples.ts';
export { fontOutlines, type OutlineSegment } from './edit/font-outlines.ts';
export * from './edit/jpeg.ts';
export * from './edit/make-values.ts';
export * from './edit/page-content.ts';
export * from './edit/rects.ts';
export { type ResampleMethod, resample } from './edit/resample.ts';
export * from './edit/samples.ts';
export { addSoftMask } from './edit/soft-mask.ts';
export {
  hasStandIn,
  type StandInFont,
  type SymbolFont,
  simpleCodes,
  standInOf,
  symbolFontOf,
} from './edit/stand-in-fonts.ts';
export { type StrokeStyle, strokeOutline } from './edit/stroke-outline.ts';
export * from './edit/transform-page.ts';
export { fontFactsOf, readFontFile } from './fonts/font-facts.ts';
export { type EmbeddedProgram, type FontProgram, openFontProgram, type ProgramMetrics } from './fonts/font-program.ts';
export { definedSpots, separationOf } from './inspect/defined-inks.ts';
export { bookmarkPages } from './inspect/destinations.ts';
export { bindingOf, documentFacts } from './inspect/document-facts.ts';
export { type InspectOptions, inspectPdf } from './inspect/inspect.ts';
export { trimFromMarks } from './inspect/trim-from-marks.ts';
export { lookUpCid } from './interpret/cmap.ts';
export { colorantsOf, deviceSpaces } from './interpret/color-spaces.ts';
export { namesByCode } from './interpret/encodings.ts';
export { type CompiledFunction, compileFunction, evaluateTint } from './interpret/functions.ts';
export { glyphNameOf } from './interpret/glyph-names.ts';
export * from './interpret/inks.ts';
export { appearanceOf, interpretPage, joinContents, objectPath, runPath } from './interpret/interpret-page.ts';
export { type Interpreter, interpreterOf } from './interpret/interpreter.ts';
export { type LayerFacts, readOptionalContent } from './interpret/layers.ts';
export { isMaskedOut } from './interpret/masked-out.ts';
export {
  identity,
  intersect,
  invert,
  isEmptyRect,
  multiply,
  scales,
  transformPoint,
  transformRect,
  union,
} from './interpret/matrix.ts';
export { processingSteps, processingStepsOf } from './interpret/processing-steps.ts';
export { type ProgramGlyph, programGlyphs } from './interpret/program-glyphs.ts';
export {
  type OperatorEdit,
  type PlacedEdit,
  rewriteContent,
} from './interpret/rewrite-content.ts';
export {
  type RewriteOptions,
  type RewriteSummary,
  type RewriteTools,
  rewriteDocument,
} from './interpret/rewrite-document.ts';
export type { ResourceCategory } from './interpret/rewrite-drafts.ts';
export { type PageJob, type PageOutcome, type PageWork, runPages, type StartPageJob } from './interpret/run-pages.ts';
export { shownOnPage } from './interpret/tiling.ts';
export type * from './interpret/types.ts';
export type { Walked, WalkOptions } from './interpret/walk.ts';
export { type BoxArray, type BoxName, boxNames, type EffectiveBoxes, ordered, type RawBoxes } from './open/boxes.ts';
export type { Budgets } from './open/budgets.ts';
export type { Encryption, Permissions } from './open/encryption.ts';
export type { PageFacts } from './open/page-facts.ts';
export * from './open/pdf-access.ts';
export { type OpenOptions, openPdf, type PdfFile } from './open/pdf-file.ts';
export { filterNames, longFilterNames } from './open/streams.ts';
export type { Structure, StructureProblem } from './open/structure.ts';
export { pdfText } from './open/text-string.ts';
export * from './open/values.ts';
export { type DrawnAnnotation, drawnAnnotations } from './place/annotations.ts';
export {
  type BarcodeBar,
  BarcodeFault,
  type BarcodeOptions,
  type BarcodeSymbol,
  type EncodeBarcode,
  loadBarcodes,
} from './place/barcodes.ts';
export { createGlyphOutlines, type GlyphOutlines } from './place/glyph-outlines.ts';
export { type MergedPdf, mergePdfs } from './place/merge-pdfs.ts';
export { type PictureCopyOptions, writePagePicture, writePictureCopy } from './place/picture-copy.ts';
export {
  type DrawnPicture,
  drawPictures,
  type PictureKind,
  type PictureLayout,
  pictureAsItIs,
  pictureKind,
} from './place/picture-pages.ts';
export { type CmykFormat, saveCmykPicture } from './render/cmyk-picture.ts';
export type { GhostscriptChoice, GhostscriptKind } from './render/ghostscript.ts';
export { type InkStatistics, type InkWindow, largestWindow, type TotalInk } from './render/ink-statistics.ts';
export { type DrawnLogo, drawLogo } from './render/logo.ts';
export * from './render/page-frame.ts';
export * from './render/pictures.ts';
export { type Ink, inkHex, type PagePlates } from './render/plates.ts';
export { type PreviewOptions, type Raster, renderPreview } from './render/preview.ts';
export * from './render/render-service.ts';
export type { PlateLayers, SeparationOptions } from './render/separate.ts';
export * from './render/soft-proof.ts';
export * from './render/thumbnails.ts';
export { levelsOf, type TileOptions, writeTiles } from './render/tiles.ts';
export { annotateFile, type PageNote } from './report/annotate-file.ts';
export {
  createReportWriter,
  type ReportPage,
  type ReportWriter,
  type Rgb,
  readAttachment,
} from './report/report-writer.ts';
export { patchCopy } from './write/patch-copy.ts';
export { rewritePdf } from './write/rewrite-file.ts';
export { comparePages, verifyPages, writePages } from './write/split-file.ts';
export { nameText, numberText, stringText, valueText } from './write/value-text.ts';
