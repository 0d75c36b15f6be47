import { defineLayout } from '../layout.ts';
import { planNUp } from '../n-up.ts';
import { downAcrossSettingsSchema } from './contract.ts';

/** N-up in sequence, columns first: page = s·n + c·R + r + 1 (spec/impose §4.1). */
export const downAcross = defineLayout({
  type: 'DownAcross',
  version: 1,
  settings: downAcrossSettingsSchema,
  plan: (input, settings) => planNUp(input, settings, 'DownAcross', 'DownRightDeep'),
});
