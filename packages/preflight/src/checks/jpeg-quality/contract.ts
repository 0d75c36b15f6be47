import { countField, countOrOff, flagField, groupField, ppiOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const scale = { min: 1, max: 100 };

/**
 * How much pictures lost to JPEG compression: what the file says of it (quantisation tables), and what is left of it in the
 * pixels of a picture that was saved anew since.
 */
export const jpegQuality = defineCheck({
  key: 'JpegQuality',
  version: 1,
  group: 'images',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    /** On the scale of libjpeg; Photoshop's Medium (5) is about 60, its Low (3) about 45. */
    quality: groupField({ failBelow: countOrOff(15, scale), warnBelow: countOrOff(50, scale) }),
    findBlocking: flagField(true),
    /** Blocks of 8 pixels are 0.45 mm at 450 ppi: smaller ones do not show in print. */
    ignoreAbove: ppiOrOff(450, { min: 1, max: 2400 }),
    ignoreSmallerThanPx: countField(64, { max: 1000 }),
  }),
  rules: { low: 'Measured', blocking: 'Warn' },
  remedies: 'compression',
});
