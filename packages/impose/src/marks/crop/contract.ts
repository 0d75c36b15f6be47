import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const cropSettings = z
  .object({
    enabled: flag(true),
    /** Distance between trim and line; at least the bleed. */
    offset: length('3mm'),
    length: length('5mm', { min: 3, max: 300 }),
    width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
    /** Also draw in gutters that are wide enough. */
    inner: flag(true),
  })
  .prefault({});
