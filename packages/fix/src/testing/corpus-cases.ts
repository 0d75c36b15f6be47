/** Actions and files of the corpus test. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FixKey } from '../fixes/contracts.ts';

export const corpus =
  process.env.CORPUS_DIR ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../../../shared/corpus');
/** Every file and every action; takes about half an hour. */
export const isAll = process.env.FIX_CORPUS === 'all';

/** Files of every run. */
export const few = [
  'preflight__spot.pdf',
  'preflight__transparency.pdf',
  'pdfjs__devicen.pdf',
  'synth__p07_spot_dieline_overprint_ocg.pdf',
  'synth__p12_mixed_trim_sizes_rotate_userunit.pdf',
  'synth__p18_16bit_rgb_lab_patches.pdf',
];
/** Files on which these actions have more to do. */
export const telling: Partial<Record<FixKey, readonly string[]>> = {
  RichBlack: ['preflight__registration_black.pdf', 'pdfjs__issue6387.pdf', 'pdfpig__DefaultColourSpaces.230802.pdf'],
  EmbedFonts: ['preflight__artbox_and_trimbox.pdf', 'pdfjs__highlight_popup.pdf'],
  FontsOutline: ['preflight__artbox_and_trimbox.pdf', 'pdfjs__highlight_popup.pdf'],
  FlatteningTransparencies: ['preflight__transparency.pdf', 'pdfjs__highlight_popup.pdf', 'pdfjs__devicen.pdf'],
};
/** Actions with settings that change most files. */
export const corpusCases: readonly [FixKey, unknown][] = [
  ['SetPageBoxes', {}],
  ['ResizePages', { width: '200mm', height: '280mm', maxScaleUp: 10_000 }],
  ['ColorspaceTransformation', {}],
  ['Overprint', {}],
  ['RichBlack', { textMaxSize: 0, lineMaxWidth: 0 }],
  ['FlatteningTransparencies', { imageDpi: 100, lineArtDpi: 100 }],
  ['FontsOutline', { warnBelowSize: null }],
  ['AddText', { text: '{{page.no}} – {{file.name}}' }],
  ['PlaceBarcode', { text: 'PAGE-{{page.no}}', moduleSize: '0.2mm', colour: 'Spot', ground: 'White' }],
  ['AddTrimMarks', {}],
  ...((isAll
    ? [
        ['EmbedFonts', {}],
        ['Repair', {}],
        ['TruncatePages', { keep: 'PadToMultipleOf' }],
        ['RotatePages', {}],
        ['RemoveObjects', {}],
        ['FlattenLayers', {}],
        ['RemoveOutside', {}],
        ['MapSpots', { rules: [{ from: '*', to: 'Mapped' }] }],
        ['ThickenLines', {}],
        ['ImageResolution', {}],
        ['AddBleeds', { dpi: 100 }],
        ['LimitInk', { maxInk: 220 }],
        ['AddCutContour', { from: 'Ink', spotName: 'Contour' }],
        ['ConvertToPdfX', { strict: false }],
      ]
    : []) as readonly [FixKey, unknown][]),
];
