import { choiceField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const transparency = defineCheck({
  key: 'Transparency',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    policy: choiceField('Allow', ['Allow', 'Disallow']),
    /** Blending colour space that groups must have (GWG 2022 R0030). `CMYK` also accepts ICC-based CMYK. */
    blendSpace: choiceField('DeviceCMYK', ['Any', 'DeviceCMYK', 'CMYK']),
  }),
  rules: { notAllowed: 'Fail', blendSpace: 'Fail', noPageGroup: 'Info' },
  remedies: { notAllowed: 'transparency', blendSpace: 'cmyk', noPageGroup: 'transparency' },
});
