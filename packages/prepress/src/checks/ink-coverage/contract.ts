import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { dpiField, groupField, lengthField, mm, percentOrOff } from '../fields.ts';
import { messages } from './messages.ts';

const total = { max: 1600 };

/** Total area coverage where it stays wet: the mean over a square window (GWG 2022 R0025, R0026), not one pixel. */
export const inkCoverage = defineCheck({
  key: 'TotalInkCoverage',
  version: 1,
  group: 'colour',
  messages,
  settings: z.strictObject({
    cmyk: groupField({ warnAbove: percentOrOff(300, { max: 400 }), failAbove: percentOrOff(null, { max: 400 }) }),
    allInks: groupField({ warnAbove: percentOrOff(null, total), failAbove: percentOrOff(null, total) }),
    windowSide: lengthField(mm(15), { min: 0.1, max: mm(200) }),
    dpi: dpiField(100),
  }),
  rules: { cmyk: 'Measured', allInks: 'Measured' },
});
