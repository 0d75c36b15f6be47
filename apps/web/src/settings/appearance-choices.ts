import { appearanceSchema } from '@pdf2press/contract';

/** What of the appearance is one of several. */
export const appearanceChoices = ['theme', 'layout', 'contentWidth', 'skin'] as const;
/** The values that a choice may have, by the contract. */
export const appearanceOptions = (key: (typeof appearanceChoices)[number]): readonly string[] =>
  appearanceSchema.shape[key].unwrap().options;
