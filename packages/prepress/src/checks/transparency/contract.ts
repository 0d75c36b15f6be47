import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField } from '../fields.ts';
import { messages } from './messages.ts';

export const transparency = defineCheck({
  key: 'Transparency',
  version: 1,
  group: 'objects',
  messages,
  settings: z.strictObject({
    policy: choiceField('Allow', ['Allow', 'Disallow']),
    /** Space in which transparent colours are mixed (GWG 2022 R0030). */
    blendSpace: choiceField('DeviceCMYK', ['Any', 'DeviceCMYK', 'CMYK']),
  }),
  rules: { notAllowed: 'Fail', blendSpace: 'Fail', noPageGroup: 'Info' },
});
