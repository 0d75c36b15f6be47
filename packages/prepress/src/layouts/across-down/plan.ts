import { defineLayout } from '../layout.ts';
import { planNUp } from '../n-up.ts';
import { acrossDownSettingsSchema } from './contract.ts';

/** N-up in sequence, rows first: page = s·n + r·C + c + 1 (spec/impose §4.1). */
export const acrossDown = defineLayout({
  type: 'AcrossDown',
  version: 1,
  settings: acrossDownSettingsSchema,
  plan: (input, settings) => planNUp(input, settings, 'AcrossDown', 'RightDownDeep'),
});
