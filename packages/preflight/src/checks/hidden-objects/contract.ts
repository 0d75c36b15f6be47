import { flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Objects that do not print. */
export const hiddenObjects = defineCheck({
  key: 'HiddenObjects',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    /** Report objects that a later object covers completely. */
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
  remedies: 'layers',
});
