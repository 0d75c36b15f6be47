import { pagePositions } from '@pdf2press/contract';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, countOrOff, dpiField, percentField } from '../fields.ts';
import { messages } from './messages.ts';

/** Blank pages, judged by the ink on the plates: white objects and hidden layers are no content (GWG 2022 R0005). */
export const emptyPages = defineCheck({
  key: 'EmptyPages',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  settings: z.strictObject({
    policy: choiceField('Disallow', ['Allow', 'Disallow']),
    /** Where blank pages are accepted all the same. */
    position: choiceField('None', ['None', ...pagePositions]),
    maxConsecutive: countOrOff(null, { min: 1, max: 1000 }),
    inkThreshold: percentField(0, { max: 5 }),
    nearEmptyWarn: percentField(0.05, { max: 5 }),
    area: choiceField('Trim', ['Trim', 'Bleed', 'Media', 'Crop']),
    dpi: dpiField(72),
  }),
  rules: { empty: 'Fail', nearEmpty: 'Warn', consecutive: 'Fail' },
});
