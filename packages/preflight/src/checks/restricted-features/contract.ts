import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** PDF features that older or stricter workflows do not accept. */
export const restrictedFeatures = defineCheck({
  key: 'RestrictedFeatures',
  version: 1,
  group: 'standards',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({}),
  rules: {
    sixteenBit: 'Info',
    jpx: 'Info',
    jbig2: 'Info',
    lzw: 'Warn',
    alternateImages: 'Warn',
    opi: 'Warn',
    transferCurve: 'Warn',
    halftone: 'Info',
    blackGeneration: 'Info',
  },
  remedies: 'export',
});
