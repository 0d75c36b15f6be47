import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, countField, flagField } from '../fields.ts';
import { messages } from './messages.ts';

export const multiplePages = defineCheck({
  key: 'MultiplePages',
  version: 1,
  group: 'document',
  messages,
  renamed: { multiple: 'n' },
  settings: z.strictObject({
    mode: choiceField('MultipleOf', ['MultipleOf', 'SinglePageOnly', 'MultiPageRequired']),
    n: countField(4, { min: 2, max: 64 }),
    /** The imposition fills up with blank pages: then it is a warning. */
    padAllowed: flagField(false),
  }),
  rules: { notMultiple: 'Measured', notSingle: 'Fail', onlyOne: 'Fail' },
});
