import { countOrOff, dpiField, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Number of plates per page and in the document, and pages that print in black only. */
export const plates = defineCheck({
  key: 'Plates',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    maxPerPage: countOrOff(4, { min: 1, max: 64 }),
    maxInDocument: countOrOff(null, { min: 1, max: 256 }),
    /** Percent of the page; a plate with less ink does not count. */
    ignoreBelow: percentField(0, { max: 5 }),
    dpi: dpiField(72),
  }),
  rules: { tooManyOnPage: 'Fail', tooManyInDocument: 'Fail', colourPage: 'Off' },
  remedies: { tooManyOnPage: 'spotColours', tooManyInDocument: 'spotColours', colourPage: null },
});
