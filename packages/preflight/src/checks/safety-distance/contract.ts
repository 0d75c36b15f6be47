import {
  choiceField,
  flagField,
  groupField,
  lengthField,
  lengthOrOff,
  mm,
  namesField,
  onlyWhen,
  percentField,
  sidesField,
} from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck, innerOfFacingPages } from '../define-check.ts';
import { lineNames } from '../technical-names.ts';
import { messages } from './messages.ts';

const side = { max: mm(100) };
/** Distance of text and images from the trim and from cutting and folding lines. */
export const safetyDistance = defineCheck({
  key: 'SafetyDistance',
  version: 2,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  upgrades: {
    1: innerOfFacingPages(({ facingPages, warnWithin, failWithin }) => (facingPages ? { warnWithin, failWithin } : {})),
  },
  settings: z.strictObject({
    /** Per edge of the displayed page. */
    warnWithin: sidesField(mm(3), side),
    failWithin: sidesField(mm(1), side),
    /** Null: the limits of the edge in `warnWithin` and `failWithin`. */
    innerEdge: groupField({ warnWithin: lengthOrOff(null, side), failWithin: lengthOrOff(null, side) }),
    bindingEdge: choiceField('Left', ['Left', 'Right']),
    mirrorEvenPages: flagField(true),
    objects: z.array(z.enum(['text', 'image', 'vector'])).default(['text', 'image']),
    exemptBleeding: flagField(true),
    /** An object that extends so far beyond the trim counts as bleeding. */
    bleed: lengthField(mm(3), side),
    exemptCovering: percentField(80, { min: 1, max: 100 }),
    minObjectSide: lengthField(mm(0.3), { max: mm(50) }),
    ignoreOutsideTrim: flagField(true),
    dieLines: groupField(
      {
        areChecked: flagField(true),
        names: onlyWhen({ areChecked: true }, namesField(lineNames)),
        warnWithin: onlyWhen({ areChecked: true }, lengthField(mm(2), side)),
        failWithin: onlyWhen({ areChecked: true }, lengthField(mm(1), side)),
      },
      'areChecked',
    ),
  }),
  rules: { nearEdge: 'Measured', crossesEdge: 'Measured', nearDieLine: 'Measured' },
  remedies: 'safety',
});
