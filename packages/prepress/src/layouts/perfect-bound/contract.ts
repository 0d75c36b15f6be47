import { z } from 'zod';
import { boundSettings } from '../bound-settings.ts';
import { length } from '../settings.ts';

export const perfectBoundSettingsSchema = z.object({
  ...boundSettings,
  signatureSize: z.coerce.number().int().min(1).max(1024).default(16),
  /** Folded sheets put into each other per section. */
  sheetsPerSection: z.coerce.number().int().min(1).max(32).default(1),
  /** Milled off the spine before gluing, on each side. */
  millingDepth: length('3mm', { max: 100 }),
});
export type PerfectBoundSettings = z.output<typeof perfectBoundSettingsSchema>;
