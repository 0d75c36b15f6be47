import { defineLayout } from '../layout.ts';
import { planNUp } from '../n-up.ts';
import { acrossDownSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';

/** N-up in sequence, row by row. One-sided: page = sheet · cells + row · columns + column + 1. */
export const acrossDown = defineLayout({
  type: 'AcrossDown',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: acrossDownSettingsSchema,
  plan: (input, settings) => planNUp(input, settings, 'AcrossDown', 'RightDownDeep'),
});
