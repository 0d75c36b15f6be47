import { choiceField, flagField, lengthField, lengthOrOff, mm, onlyWhen, placeholderText } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

export const trimMarkKinds = [
  'crop',
  'bleed',
  'centre',
  'registration',
  'fold',
  'colorBar',
  'grayBar',
  'slug',
] as const;

/** Adds printer's marks around the trim, outside the bleed. The MediaBox grows; trim and bleed stay. */
export const addTrimMarks = defineFix({
  key: 'AddTrimMarks',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 110,
  mayChange: ['boxes'],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    marks: z.array(z.enum(trimMarkKinds)).default(['crop']),
    /** Null: the size of the bleed, at least 3 mm. */
    offset: lengthOrOff(null, { max: mm(100) }),
    length: lengthField(mm(5), { min: mm(2), max: mm(30) }),
    weight: z.number().min(0.1).max(2).default(0.25).meta({ unit: 'points' }),
    colour: choiceField('All', ['All', 'K']),
    knockout: flagField(false),
    slugText: onlyWhen(
      { marks: 'slug' },
      placeholderText({ scope: 'page' }).default('{{file.name}}  {{page.no}}/{{page.count}}  {{trim.size}}  {{date}}'),
    ),
    slugSize: onlyWhen(
      { marks: ['slug', 'colorBar', 'grayBar'] },
      z.number().min(3).max(72).default(6).meta({ unit: 'points' }),
    ),
    /** Fold positions, measured from the left edge of the trim. */
    folds: onlyWhen(
      { marks: 'fold' },
      z
        .array(z.number().min(0).max(mm(5000)))
        .max(20)
        .default([])
        .meta({ unit: 'length' }),
    ),
    growMedia: flagField(true),
    removeExisting: choiceField('No', ['No', 'OutsideBleed']),
  }),
});
