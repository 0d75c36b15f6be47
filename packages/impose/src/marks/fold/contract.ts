import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const foldSettings = z
  .object({
    enabled: flag(true),
    offset: length('3mm'),
    length: length('8mm', { min: 3, max: 300 }),
    width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
    dashOn: length('3mm', { min: 0.5, max: 100 }),
    dashOff: length('2mm', { min: 0.5, max: 100 }),
  })
  .prefault({});
