import { choiceField, countField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const multiplePages = defineCheck({
  key: 'MultiplePages',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  renamed: { multiple: 'n' },
  settings: z.strictObject({
    mode: choiceField('MultipleOf', ['MultipleOf', 'SinglePageOnly', 'MultiPageRequired']),
    n: countField(4, { min: 2, max: 64 }),
    /** Warning instead of error, because the imposition adds blank pages. */
    padAllowed: flagField(false),
  }),
  rules: { notMultiple: 'Measured', notSingle: 'Fail', onlyOne: 'Fail' },
  remedies: 'pages',
});
