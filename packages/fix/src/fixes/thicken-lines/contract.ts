import { flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const points = (initial: number) => z.number().min(0).max(10).default(initial).meta({ unit: 'points' });

/** Widens lines that are too thin to print to a minimum width. */
export const thickenLines = defineFix({
  key: 'ThickenLines',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 52,
  checks: ['ThinLines'],
  mayChange: [],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    below: points(0.25),
    to: points(0.25),
    /** Lines of several inks and white lines may need more. */
    multiInkBelow: points(0.25),
    multiInkTo: points(0.25),
    includeFills: flagField(true),
  }),
});
