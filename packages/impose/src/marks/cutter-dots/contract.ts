import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const cutterDotsSettings = z
  .object({
    enabled: flag(false),
    /** Diameter of a dot. */
    size: length('5mm', { min: 3, max: 60 }),
    /** Number of dots, without the extra one that shows the orientation of the sheet. */
    count: z.coerce.number().int().min(3).max(200).default(4),
    /** Distance from the bleed of the outermost pages to the centre of a dot. */
    offset: length('8mm', { min: 6 }),
  })
  .prefault({});
