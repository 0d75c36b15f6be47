import { pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const line = { max: 20 };

/** Width of strokes, and of filled shapes that are as thin as a line (GWG 2022 I00004). */
export const thinLines = defineCheck({
  key: 'ThinLines',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    failBelow: pointsOrOff(0.125, line),
    warnBelow: pointsOrOff(0.25, line),
    whiteBelow: pointsOrOff(0.25, line),
    multiInkBelow: pointsOrOff(0.25, line),
  }),
  rules: { thin: 'Measured', white: 'Warn', multiInk: 'Warn' },
  remedies: 'thinLines',
});
