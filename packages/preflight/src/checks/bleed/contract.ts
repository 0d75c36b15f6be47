import { choiceField, dpiField, flagField, lengthField, lengthOrOff, mm, sidesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck, innerOfFacingPages } from '../define-check.ts';
import { messages } from './messages.ts';

const side = { max: mm(100) };

/** Whether ink that reaches the trim extends into the bleed. Measured on the plates and confirmed by the objects. */
export const bleed = defineCheck({
  key: 'Bleed',
  version: 2,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  upgrades: { 1: innerOfFacingPages(({ facingPages, edge }) => (facingPages ? (edge ?? 'NotRequired') : 'Required')) },
  settings: z.strictObject({
    /** Per edge of the displayed page. */
    required: sidesField(mm(3), side),
    /** Null: `warnBelow` is the required bleed, `failBelow` half of it. */
    warnBelow: lengthOrOff(null, side),
    failBelow: lengthOrOff(null, side),
    /** Null: not required if PageLayout shows facing pages. */
    innerEdge: z.enum(['Required', 'NotRequired']).nullable().default(null),
    bindingEdge: choiceField('Left', ['Left', 'Right']),
    mirrorEvenPages: flagField(true),
    triggerDistance: lengthField(mm(1), { max: mm(20) }),
    method: choiceField('Both', ['Content', 'Boxes', 'Both']),
    ignoreWhite: flagField(true),
    minObjectSide: lengthField(mm(0.3), { max: mm(50) }),
    tolerance: lengthField(mm(0.1), { max: mm(5) }),
    dpi: dpiField(150, 72),
  }),
  rules: { short: 'Measured', gap: 'Warn', boxOnly: 'Warn', boxLies: 'Fail', notNeeded: 'Info' },
  remedies: { short: 'bleed', gap: 'bleed', boxOnly: 'bleed', boxLies: 'bleed', notNeeded: null },
});
