import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { pointsOrOff } from '../fields.ts';
import { messages } from './messages.ts';

const line = { max: 20 };

/** Lines that print broken or not at all; a filled shape so thin that it is a line counts as one (GWG 2022 I00004). */
export const thinLines = defineCheck({
  key: 'ThinLines',
  version: 1,
  group: 'objects',
  messages,
  settings: z.strictObject({
    failBelow: pointsOrOff(0.125, line),
    warnBelow: pointsOrOff(0.25, line),
    whiteBelow: pointsOrOff(0.25, line),
    multiInkBelow: pointsOrOff(0.25, line),
  }),
  rules: { thin: 'Measured', white: 'Warn', multiInk: 'Warn' },
});
