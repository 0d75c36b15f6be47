import { choiceField, onlyWhen, placeholderText } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { placementFields } from '../../kind/placement.ts';
import { messages } from './messages.ts';

const ink = (initial: number) => z.number().min(0).max(100).default(initial).meta({ unit: 'percent' });

/** Adds a line of text to each page, inside the trim: page numbers, names, dates, variables of the order. */
export const addText = defineFix({
  key: 'AddText',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  // After the bleed, which would mirror a text near the edge, and before the marks.
  order: 105,
  mayChange: [],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    text: placeholderText({ scope: 'page', min: 1 }).default('{{page.no}}'),
    /** The distance from above is that to the height of capitals, the one from below that to the baseline. */
    ...placementFields('BottomCentre'),
    size: z.number().min(3).max(500).default(9).meta({ unit: 'points' }),
    colour: choiceField('K', ['K', 'White', 'Own']),
    inks: onlyWhen({ colour: 'Own' }, z.strictObject({ c: ink(0), m: ink(0), y: ink(0), k: ink(100) }).prefault({})),
    /** Number that the first of the pages gets; null: its own. */
    startNumber: z.number().int().min(0).max(1_000_000).nullable().default(null),
  }),
});
