import { choiceField, flagField, lengthField, mm, onlyWhen, placeholderText } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ink = (initial: number) => z.number().min(0).max(100).default(initial).meta({ unit: 'percent' });

/** Where the text stands in the trim: which edge, and where along it. */
export const textPositions = [
  'TopLeft',
  'TopCentre',
  'TopRight',
  'MiddleLeft',
  'Middle',
  'MiddleRight',
  'BottomLeft',
  'BottomCentre',
  'BottomRight',
] as const;

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
    position: choiceField('BottomCentre', textPositions),
    /** From the left or right edge of the trim; without effect in the centre. */
    distanceX: lengthField(mm(10), { max: mm(1000) }),
    /** From the upper edge to the height of capitals, or from the lower edge to the baseline; without effect in the middle. */
    distanceY: lengthField(mm(10), { max: mm(1000) }),
    /** Left and right change places on even pages. */
    facingPages: flagField(false),
    direction: choiceField('Across', ['Across', 'Up', 'Down']),
    size: z.number().min(3).max(500).default(9).meta({ unit: 'points' }),
    colour: choiceField('K', ['K', 'White', 'Own']),
    inks: onlyWhen({ colour: 'Own' }, z.strictObject({ c: ink(0), m: ink(0), y: ink(0), k: ink(100) }).prefault({})),
    /** Number that the first of the pages gets; null: its own. */
    startNumber: z.number().int().min(0).max(1_000_000).nullable().default(null),
  }),
});
