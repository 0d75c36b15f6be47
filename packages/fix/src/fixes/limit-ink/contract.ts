import { percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Brings the total of the process inks below a limit: black takes the place of cyan, magenta and yellow. */
export const limitInk = defineFix({
  key: 'LimitInk',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  // After the conversion of colours, and before black is made pure or overprints.
  order: 45,
  checks: ['TotalInkCoverage'],
  mayChange: ['images', 'overprintColours'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    maxInk: percentField(300, { min: 150, max: 400 }),
    /** Most black that a changed colour may get. */
    maxBlack: percentField(100, { max: 100 }),
    /** Colours whose least of cyan, magenta and yellow is below get no more black than they have. */
    blackStart: percentField(0, { max: 100 }),
    /** Colour difference (CIE 1976) above which a change is reported. */
    tolerance: z.number().min(0).max(100).default(3).meta({ unit: 'ratio' }),
    /** By which colours are kept; null: that of the output intent, else the default one. */
    profile: z.string().max(200).nullable().default(null).meta({ unit: 'profile' }),
  }),
});
