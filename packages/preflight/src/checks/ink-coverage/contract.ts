import { dpiField, groupField, lengthField, mm, percentOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

const total = { max: 1600 };

/** Total area coverage: the highest mean over a square window (GWG 2022 R0025, R0026). */
export const inkCoverage = defineCheck({
  key: 'TotalInkCoverage',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  settings: z.strictObject({
    cmyk: groupField({ warnAbove: percentOrOff(300, { max: 400 }), failAbove: percentOrOff(null, { max: 400 }) }),
    allInks: groupField({ warnAbove: percentOrOff(null, total), failAbove: percentOrOff(null, total) }),
    windowSide: lengthField(mm(15), { min: 0.1, max: mm(200) }),
    dpi: dpiField(100),
  }),
  rules: { cmyk: 'Measured', allInks: 'Measured' },
  remedies: 'totalInk',
});
