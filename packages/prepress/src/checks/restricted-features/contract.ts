import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

/** Features that older or stricter workflows do not take. */
export const restrictedFeatures = defineCheck({
  key: 'RestrictedFeatures',
  version: 1,
  group: 'standards',
  messages,
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
});
