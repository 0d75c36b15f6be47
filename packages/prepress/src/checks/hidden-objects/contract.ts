import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { flagField } from '../fields.ts';
import { messages } from './messages.ts';

/** Things in the file that do not print: left-overs, or content somebody expects to see. */
export const hiddenObjects = defineCheck({
  key: 'HiddenObjects',
  version: 1,
  group: 'objects',
  messages,
  settings: z.strictObject({
    /** Objects under others that cover them completely. */
    findObscured: flagField(true),
  }),
  rules: {
    layer: 'Info',
    clipped: 'Info',
    outside: 'Info',
    invisible: 'Info',
    transparent: 'Info',
    annotation: 'Info',
    obscured: 'Info',
  },
});
