import { word } from '@pdf2press/settings';
import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';
import { boundSettings } from '../bound-settings.ts';

export const saddleStitchSettingsSchema = z.object({
  ...boundSettings,
  /** Put the first two and the last two pages on a separate sheet. */
  coverSeparate: flag(false),
  /** Extra paper at the face of one half, where the stitcher's gripper opens the section. */
  lip: z
    .object({ half: word(['LowFolio', 'HighFolio']).default('HighFolio'), size: length('0mm', { max: 300 }) })
    .prefault({}),
  /** Spreads of consecutive sheets below each other on one sheet, cut apart and stacked before folding. */
  spreads: z.object({ count: z.coerce.number().int().min(1).max(8).default(1), turned: flag(true) }).prefault({}),
});
export type SaddleStitchSettings = z.output<typeof saddleStitchSettingsSchema>;
