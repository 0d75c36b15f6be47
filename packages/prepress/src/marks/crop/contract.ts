import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';

export const cropSettings = z
  .object({
    enabled: flag(true),
    /** Between trim and line; never less than the bleed. */
    offset: length('3mm'),
    length: length('5mm', { min: 3, max: 300 }),
    width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
    /** Also in gutters wide enough for them. */
    inner: flag(true),
  })
  .prefault({});
