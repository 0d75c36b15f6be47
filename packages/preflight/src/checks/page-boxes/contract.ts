import { lengthField, mm } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Page boxes against each other. ISO 15930: Media contains Bleed contains Trim; TrimBox or ArtBox, not both. */
export const pageBoxes = defineCheck({
  key: 'PageBoxes',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    /** The GWG 2015 specification treats boxes as equal within 0.011 mm. */
    tolerance: lengthField(mm(0.011), { max: mm(5) }),
  }),
  rules: {
    nesting: 'Fail',
    trimMissing: 'Warn',
    bleedMissing: 'Info',
    trimAndArt: 'Warn',
    cropNotMedia: 'Info',
    cropInsideTrim: 'Warn',
    invalid: 'Fail',
  },
  remedies: {
    nesting: 'pageSize',
    trimMissing: 'pageSize',
    bleedMissing: 'bleed',
    trimAndArt: 'export',
    cropNotMedia: 'export',
    cropInsideTrim: 'export',
    invalid: 'export',
  },
});
