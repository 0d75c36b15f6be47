import { defineLayout } from '../layout.ts';
import { planNUp } from '../n-up.ts';
import { downAcrossSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';

/** N-up in sequence, column by column. One-sided: page = sheet · cells + column · rows + row + 1. */
export const downAcross = defineLayout({
  type: 'DownAcross',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: downAcrossSettingsSchema,
  plan: (input, settings) => planNUp(input, settings, 'DownAcross', 'DownRightDeep'),
});
