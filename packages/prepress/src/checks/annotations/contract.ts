import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { flagField, namesField } from '../fields.ts';
import { messages } from './messages.ts';

/** Comments, links and form fields by where they stand: PDF/X wants all but a few outside the bleed. */
export const annotations = defineCheck({
  key: 'Annotations',
  version: 1,
  group: 'objects',
  usesTrim: true,
  messages,
  settings: z.strictObject({
    /** Kinds that are no matter wherever they stand. */
    ignoreTypes: namesField(['Popup', 'PrinterMark', 'TrapNet']),
    /** Only those that would print. */
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
});
