import { areaOrOff, countField, groupField, percentField, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const richBlack = defineCheck({
  key: 'RichBlack',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  renamed: {
    'text.fewInksBelow': 'text.maxInksBelowSize.size',
    'text.maxInks': 'text.maxInksBelowSize.maxInks',
    'solidArea.requireRichAbove': 'solidArea.requireRich',
    converted: 'rgbBlack',
    registration: 'registrationBlack',
  },
  settings: z.strictObject({
    text: groupField({
      minK: percentField(85, { max: 100 }),
      maxSum: percentField(280, { max: 400 }),
      /** Limits the inks of black text below this size, and of thin lines; a size of null turns the rule off. */
      maxInksBelowSize: groupField(
        { maxInks: countField(1, { min: 1, max: 4 }), size: pointsOrOff(12, { max: 1000 }) },
        'maxInks',
      ),
    }),
    vector: groupField({ thinLineMaxWidth: pointsOrOff(2, { max: 100 }) }),
    /** Areas in K only that are larger than this are reported. */
    solidArea: groupField({ requireRich: areaOrOff(null, { max: 1e8 }) }),
  }),
  rules: { sum: 'Warn', tooManyInks: 'Warn', rgbBlack: 'Warn', registrationBlack: 'Fail', flat: 'Info' },
  remedies: {
    sum: 'black',
    tooManyInks: 'black',
    rgbBlack: 'black',
    registrationBlack: 'registration',
    flat: 'deepBlack',
  },
});
