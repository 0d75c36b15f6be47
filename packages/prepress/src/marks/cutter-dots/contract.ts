import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';

export const cutterDotsSettings = z
  .object({
    enabled: flag(false),
    /** Diameter of a dot. */
    size: length('5mm', { min: 3, max: 60 }),
    /** How many, not counting the one that tells which way up the sheet lies. */
    count: z.coerce.number().int().min(3).max(200).default(4),
    /** From the bleed of the outermost pages to the middle of a dot. */
    offset: length('8mm', { min: 6 }),
  })
  .prefault({});
