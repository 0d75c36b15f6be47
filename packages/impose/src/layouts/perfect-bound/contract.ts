import { z } from 'zod';
import { length } from '../../sheet/settings.ts';
import { boundSettings } from '../bound-settings.ts';

export const perfectBoundSettingsSchema = z.object({
  ...boundSettings,
  signatureSize: z.coerce.number().int().min(1).max(1024).default(16),
  /** Folded sheets nested into each other per section. */
  sheetsPerSection: z.coerce.number().int().min(1).max(32).default(1),
  /** Paper milled off on each side of the spine before gluing. */
  millingDepth: length('3mm', { max: 100 }),
});
export type PerfectBoundSettings = z.output<typeof perfectBoundSettingsSchema>;
