import { z } from 'zod';
import { defineCheck, innerOfFacingPages } from '../define-check.ts';
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
} from '../fields.ts';
import { technicalNames } from '../technical-names.ts';
import { messages } from './messages.ts';

const side = { max: mm(100) };
const foldAndCut = technicalNames.filter(
  (name) => !['Braille', 'White', 'Varnish', 'Spot Varnish', 'Lack'].includes(name),
);

/** Text and pictures too near to where the knife or the fold will be. */
export const safetyDistance = defineCheck({
  key: 'SafetyDistance',
  version: 2,
  group: 'pages',
  usesTrim: true,
  messages,
  upgrades: {
    1: innerOfFacingPages(({ facingPages, warnWithin, failWithin }) => (facingPages ? { warnWithin, failWithin } : {})),
  },
  settings: z.strictObject({
    /** Per edge as one sees the page. */
    warnWithin: sidesField(mm(3), side),
    failWithin: sidesField(mm(1), side),
    /** Null: as the other edges. */
    innerEdge: groupField({ warnWithin: lengthOrOff(null, side), failWithin: lengthOrOff(null, side) }),
    bindingEdge: choiceField('Left', ['Left', 'Right']),
    mirrorEvenPages: flagField(true),
    objects: z.array(z.enum(['text', 'image', 'vector'])).default(['text', 'image']),
    exemptBleeding: flagField(true),
    /** What counts as bleeding: it must go on so far beyond the trim. */
    bleed: lengthField(mm(3), side),
    exemptCovering: percentField(80, { min: 1, max: 100 }),
    minObjectSide: lengthField(mm(0.3), { max: mm(50) }),
    ignoreOutsideTrim: flagField(true),
    dieLines: groupField(
      {
        areChecked: flagField(true),
        names: onlyWhen({ areChecked: true }, namesField(foldAndCut)),
        warnWithin: onlyWhen({ areChecked: true }, lengthField(mm(2), side)),
        failWithin: onlyWhen({ areChecked: true }, lengthField(mm(1), side)),
      },
      'areChecked',
    ),
  }),
  rules: { nearEdge: 'Measured', crossesEdge: 'Measured', nearDieLine: 'Measured' },
});
