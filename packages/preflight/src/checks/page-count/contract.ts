import { countField, countOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const pages = { min: 1, max: 100_000 };

export const pageCount = defineCheck({
  key: 'PageCount',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    min: countField(1, pages),
    max: countOrOff(null, pages),
    exact: countOrOff(null, pages),
    /** Workflow variable with the ordered number of pages. */
    compareTo: z.string().max(60).nullable().default(null),
  }),
  rules: {
    tooFew: 'Fail',
    tooMany: 'Fail',
    notExact: 'Fail',
    notAsOrdered: 'Fail',
  },
  remedies: 'pages',
});
