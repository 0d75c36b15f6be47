import { namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** The output intents of the document (ISO 32000-1:2008, 14.11.5). */
export const outputIntent = defineCheck({
  key: 'OutputIntent',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    /** Accepted OutputConditionIdentifier or OutputCondition, with `*`; empty: any. */
    allowed: namesField(),
  }),
  rules: {
    missing: 'Warn',
    notCmyk: 'Fail',
    notAllowed: 'Fail',
    noProfile: 'Info',
    brokenProfile: 'Fail',
    several: 'Warn',
  },
  remedies: {
    missing: 'export',
    notCmyk: 'cmyk',
    notAllowed: 'cmyk',
    noProfile: 'export',
    brokenProfile: 'export',
    several: 'export',
  },
});
