import { z } from 'zod';
import { flagField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const points = (initial: number) => z.number().min(0).max(10).default(initial).meta({ unit: 'points' });

/** Lines thinner than a press can hold get the least width it can. */
export const thickenLines = defineFix({
  key: 'ThickenLines',
  version: 1,
  group: 'objects',
  messages,
  order: 52,
  checks: ['ThinLines'],
  mayChange: [],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    below: points(0.25),
    to: points(0.25),
    /** Lines of more than one ink, or white ones, may need more. */
    multiInkBelow: points(0.25),
    multiInkTo: points(0.25),
    includeFills: flagField(true),
  }),
});
