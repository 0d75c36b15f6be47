import { pagePositions } from '@pdf2press/contract';
import { choiceField, countOrOff, dpiField, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Pages without ink on the plates; white objects and hidden layers leave no ink (GWG 2022 R0005). */
export const emptyPages = defineCheck({
  key: 'EmptyPages',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    policy: choiceField('Disallow', ['Allow', 'Disallow']),
    /** Where blank pages are accepted although `policy` is `Disallow`. */
    position: choiceField('None', ['None', ...pagePositions]),
    maxConsecutive: countOrOff(null, { min: 1, max: 1000 }),
    inkThreshold: percentField(0, { max: 5 }),
    nearEmptyWarn: percentField(0.05, { max: 5 }),
    area: choiceField('Trim', ['Trim', 'Bleed', 'Media', 'Crop']),
    dpi: dpiField(72),
  }),
  rules: { empty: 'Fail', nearEmpty: 'Warn', consecutive: 'Fail' },
  remedies: 'pages',
});
