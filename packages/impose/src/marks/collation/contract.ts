import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const collationSettings = z
  .object({
    enabled: flag(false),
    width: length('2mm', { min: 1, max: 100 }),
    height: length('6mm', { min: 2, max: 300 }),
    /** Distance from the head of the section to the first mark. */
    start: length('15mm'),
  })
  .prefault({});
