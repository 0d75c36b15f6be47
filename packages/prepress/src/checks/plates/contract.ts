import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { countOrOff, dpiField, percentField } from '../fields.ts';
import { messages } from './messages.ts';

/** How many plates pages and document need, and which pages print in black alone (what a click costs). */
export const plates = defineCheck({
  key: 'Plates',
  version: 1,
  group: 'colour',
  messages,
  settings: z.strictObject({
    maxPerPage: countOrOff(4, { min: 1, max: 64 }),
    maxInDocument: countOrOff(null, { min: 1, max: 256 }),
    /** A plate with less ink than this share of the page does not count. */
    ignoreBelow: percentField(0, { max: 5 }),
    dpi: dpiField(72),
  }),
  rules: { tooManyOnPage: 'Fail', tooManyInDocument: 'Fail', colourPage: 'Off' },
});
