import { groupField, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const width = { max: 1000 };

/**
 * Gradients whose tones change so slowly that each of the 256 tones of a plate is a band of its own. 2.16 pt is the width up
 * to which Adobe's table of blend lengths (Illustrator help, "calculate the maximum blend length") shows none: 7.7 inches
 * for a change of 100 %, 1.9 for 25 %.
 */
export const gradientSteps = defineCheck({
  key: 'GradientSteps',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    step: groupField({ failAbove: pointsOrOff(null, width), warnAbove: pointsOrOff(2.16, width) }),
  }),
  rules: { bands: 'Measured' },
  remedies: 'gradients',
});
