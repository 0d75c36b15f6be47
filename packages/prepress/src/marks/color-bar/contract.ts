import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';

export const barPlace = {
  edge: z.enum(['Top', 'Bottom', 'Left', 'Right']),
  align: z.enum(['Start', 'Centre', 'End']).default('Centre'),
  /** From the edge of the sheet. */
  offset: length('1mm'),
  patch: length('4mm', { min: 2, max: 100 }),
};

export const colorBarSettings = z
  .object({
    enabled: flag(false),
    ...barPlace,
    edge: barPlace.edge.default('Top'),
    /** Repeated as often as the edge has room. */
    fill: flag(false),
  })
  .prefault({});
