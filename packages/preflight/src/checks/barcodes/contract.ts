import { dpiField, groupField, lengthOrOff, mm, percentOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';
import { symbologyNames } from './symbologies.ts';

const size = { max: mm(5) };
const share = { max: 100 };

/**
 * Barcodes and two-dimensional codes as they will print. Limits of the module (X dimension): GS1 General Specifications
 * 5.12.3, symbol specification tables 1 (retail: 0.264 mm, 80 % of the nominal size), 4 and 6 (linear codes: 0.250 mm, in
 * healthcare 0.170 mm), 1 addendum 1 and 7 (two-dimensional codes: 0.396 mm, in healthcare 0.254 mm). Contrast: grades C (40 %) and B
 * (55 %) of symbol contrast in ISO/IEC 15416 and ISO/IEC 15415, of which GS1 asks for a grade of 1.5. Quiet zones: those of each
 * symbology.
 */
export const barcodes = defineCheck({
  key: 'Barcodes',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  usesTrim: true,
  settings: z.strictObject({
    symbologies: z.array(z.enum(symbologyNames)).default([...symbologyNames]),
    retailModule: groupField({
      failBelow: lengthOrOff(mm(0.25), size),
      warnBelow: lengthOrOff(mm(0.264), size),
    }),
    linearModule: groupField({
      failBelow: lengthOrOff(mm(0.17), size),
      warnBelow: lengthOrOff(mm(0.25), size),
    }),
    matrixModule: groupField({
      failBelow: lengthOrOff(mm(0.254), size),
      warnBelow: lengthOrOff(mm(0.396), size),
    }),
    /** Percent of the quiet zone of the symbology. */
    quietZone: groupField({ failBelow: percentOrOff(50, share), warnBelow: percentOrOff(100, share) }),
    /** Difference in reflectance under red light, percent. */
    contrast: groupField({ failBelow: percentOrOff(40, share), warnBelow: percentOrOff(55, share) }),
    /** At 400 dpi a module of 0.17 mm has 2.7 pixels; below two and a half, bars run into each other on plates. */
    dpi: dpiField(400, 150),
  }),
  rules: {
    unreadable: 'Warn',
    checkDigit: 'Fail',
    contrast: 'Measured',
    reversed: 'Fail',
    moduleSize: 'Measured',
    quietZone: 'Measured',
  },
  remedies: 'barcodes',
});
