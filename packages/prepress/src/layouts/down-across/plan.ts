import { nUpSettingsSchema } from '../across-down/contract.ts';
import { planNUp } from '../across-down/plan.ts';
import { defineLayout } from '../layout.ts';

/** N-up in sequence, columns first: page = s·n + c·R + r + 1 (spec/impose §4.1). */
export const downAcross = defineLayout({
  type: 'DownAcross',
  version: 1,
  settings: nUpSettingsSchema,
  plan: (input, settings) => planNUp(input, settings, 'DownAcross', 'DownRightDeep'),
});
