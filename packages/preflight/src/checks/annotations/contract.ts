import { flagField, namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Annotations by position. ISO 15930 permits most of them only outside the BleedBox. */
export const annotations = defineCheck({
  key: 'Annotations',
  version: 1,
  group: 'objects',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    /** Subtypes that are never reported. */
    ignoreTypes: namesField(['Popup', 'PrinterMark', 'TrapNet']),
    /** Report only annotations that print. */
    printingOnly: flagField(false),
  }),
  rules: {
    insideTrim: 'Warn',
    insideBleed: 'Warn',
    outside: 'Off',
    link: 'Info',
    formField: 'Fail',
    noAppearance: 'Warn',
  },
  remedies: 'interactive',
});
