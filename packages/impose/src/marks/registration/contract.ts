import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const registrationSettings = z
  .object({
    enabled: flag(false),
    /** Width and height of the mark. */
    size: length('5mm', { min: 4, max: 100 }),
    /** Distance to the edge of the sheet. */
    offset: length('2mm'),
    width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
  })
  .prefault({});
