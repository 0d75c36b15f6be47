import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const centreSettings = z
  .object({
    enabled: flag(false),
    /** Distance to the edge of the sheet. */
    offset: length('2mm'),
    length: length('5mm', { min: 3, max: 300 }),
    width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
  })
  .prefault({});
