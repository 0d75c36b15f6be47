import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { countField, countOrOff } from '../fields.ts';
import { messages } from './messages.ts';

const pages = { min: 1, max: 100_000 };

export const pageCount = defineCheck({
  key: 'PageCount',
  version: 1,
  group: 'document',
  messages,
  settings: z.strictObject({
    min: countField(1, pages),
    max: countOrOff(null, pages),
    exact: countOrOff(null, pages),
    /** Workflow variable that holds the page count of the order. */
    compareTo: z.string().max(60).nullable().default(null),
  }),
  rules: {
    tooFew: 'Fail',
    tooMany: 'Fail',
    notExact: 'Fail',
    notAsOrdered: 'Fail',
  },
});
