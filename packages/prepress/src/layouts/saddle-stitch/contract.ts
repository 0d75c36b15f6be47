import { z } from 'zod';
import { boundSettings } from '../bound-settings.ts';
import { flag, length } from '../settings.ts';
import { word } from '../word.ts';

export const saddleStitchSettingsSchema = z.object({
  ...boundSettings,
  /** The first and last two pages on a sheet of their own. */
  coverSeparate: flag(false),
  lip: z
    .object({ half: word(['LowFolio', 'HighFolio']).default('HighFolio'), size: length('0mm', { max: 300 }) })
    .prefault({}),
  /** Two-page spreads of following sheets under each other, cut apart and stacked before folding. */
  spreads: z.object({ count: z.coerce.number().int().min(1).max(8).default(1), turned: flag(true) }).prefault({}),
});
export type SaddleStitchSettings = z.output<typeof saddleStitchSettingsSchema>;
