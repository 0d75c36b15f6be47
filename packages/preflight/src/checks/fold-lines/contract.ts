import {
  choiceField,
  countField,
  flagField,
  groupField,
  lengthField,
  lengthOrOff,
  mm,
  onlyWhen,
} from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { foldTemplates } from './folds.ts';
import { messages } from './messages.ts';

const length = { max: mm(1000) };
const near = { max: mm(100) };
const position = lengthOrOff(null, length);

/**
 * Text and small objects on or too near a fold, or in the gutter of a spread. 3 mm is what finishers ask for at a fold; within
 * 1 mm what stands beside it runs over it, because folding machines keep ± 1 mm.
 */
export const foldLines = defineCheck({
  key: 'FoldLines',
  version: 1,
  group: 'pages',
  usesTrim: true,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: z.strictObject({
    fold: choiceField('HalfFold', foldTemplates),
    /** Upright: from the upper to the lower edge of the page as one sees it. */
    direction: choiceField('Upright', ['Upright', 'Lying']),
    panels: onlyWhen({ fold: ['RollFold', 'ZigzagFold'] }, countField(3, { min: 3, max: 8 })),
    /** A panel that is folded inside is shorter than the one around it by so much. */
    shorter: onlyWhen({ fold: ['RollFold', 'GateFold', 'ClosedGateFold'] }, lengthField(mm(2), near)),
    /** From the left or upper edge of the trim. */
    positions: onlyWhen(
      { fold: 'Positions' },
      groupField({ first: position, second: position, third: position, fourth: position }),
    ),
    /** On even pages, the back of the paper, the panels lie the other way round. */
    mirrorEvenPages: flagField(true),
    warnWithin: lengthField(mm(3), near),
    failWithin: lengthField(mm(1), near),
    objects: z.array(z.enum(['text', 'image', 'vector'])).default(['text', 'image']),
    /** Pictures and drawings that are larger across the fold are the ground of panels. */
    ignoreLargerThan: lengthField(mm(30), length),
  }),
  rules: { nearFold: 'Measured', crossesFold: 'Measured' },
  remedies: 'folds',
});
