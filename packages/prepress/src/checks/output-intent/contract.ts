import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { namesField } from '../fields.ts';
import { messages } from './messages.ts';

/** What the file says about the press it was made for. */
export const outputIntent = defineCheck({
  key: 'OutputIntent',
  version: 1,
  group: 'standards',
  messages,
  settings: z.strictObject({
    /** Accepted condition identifiers; empty: any. */
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
});
