import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { lengthField, mm } from '../fields.ts';
import { messages } from './messages.ts';

/** Whether the page boxes make sense together (ISO 15930: Media ⊇ Bleed ⊇ Trim, Trim or Art but not both). */
export const pageBoxes = defineCheck({
  key: 'PageBoxes',
  version: 1,
  group: 'pages',
  messages,
  settings: z.strictObject({
    /** GWG 2015 reads boxes as equal within 0.011 mm. */
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
});
