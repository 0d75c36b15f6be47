import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, dpiField, flagField, groupField, lengthField, lengthOrOff, mm, sidesField } from '../fields.ts';
import { messages } from './messages.ts';

const side = { max: mm(100) };

/** Whether what reaches the edge goes on beyond it, judged by ink on the plates and confirmed by the objects. */
export const bleed = defineCheck({
  key: 'Bleed',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  settings: z.strictObject({
    /** Per edge as one sees the page. */
    required: sidesField(mm(3), side),
    /** Null: the required bleed, and half of it. */
    warnBelow: lengthOrOff(null, side),
    failBelow: lengthOrOff(null, side),
    inner: groupField({
      facingPages: flagField(false),
      edge: choiceField('NotRequired', ['Required', 'NotRequired']),
      bindingEdge: choiceField('Left', ['Left', 'Right']),
    }),
    triggerDistance: lengthField(mm(1), { max: mm(20) }),
    method: choiceField('Both', ['Content', 'Boxes', 'Both']),
    ignoreWhite: flagField(true),
    minObjectSide: lengthField(mm(0.3), { max: mm(50) }),
    tolerance: lengthField(mm(0.1), { max: mm(5) }),
    dpi: dpiField(150),
  }),
  rules: { short: 'Measured', gap: 'Warn', boxOnly: 'Warn', boxLies: 'Fail', notNeeded: 'Info' },
});
