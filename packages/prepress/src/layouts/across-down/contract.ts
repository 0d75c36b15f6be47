import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { flag, gridSettings, startCornerSchema } from '../settings.ts';

/** Also the settings of DownAcross: the two differ in which way the count runs first. */
export const nUpSettingsSchema = z.object({
  ...gridSettings,
  startCorner: startCornerSchema,
  /** The front takes a sheet's worth of pages and the back the next, instead of leaf by leaf. */
  sequentialSides: flag(false),
  marks: marksSchema,
});
export type NUpSettings = z.output<typeof nUpSettingsSchema>;
