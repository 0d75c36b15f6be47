import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { areaOrOff, countField, groupField, percentField, pointsOrOff } from '../fields.ts';
import { messages } from './messages.ts';

export const richBlack = defineCheck({
  key: 'RichBlack',
  version: 1,
  group: 'colour',
  messages,
  settings: z.strictObject({
    text: groupField({
      minK: percentField(85, { max: 100 }),
      maxSum: percentField(280, { max: 400 }),
      /** Below this size black text may have only so many inks; null switches the rule off. */
      fewInksBelow: pointsOrOff(12, { max: 1000 }),
      maxInks: countField(1, { min: 1, max: 4 }),
    }),
    vector: groupField({ thinLineMaxWidth: pointsOrOff(2, { max: 100 }) }),
    solidArea: groupField({ requireRichAbove: areaOrOff(null, { max: 1e8 }) }),
  }),
  rules: { sum: 'Warn', tooManyInks: 'Warn', converted: 'Warn', registration: 'Fail', flat: 'Info' },
});
