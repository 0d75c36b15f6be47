import { z } from 'zod';
import { flag } from '../../sheet/settings.ts';
import { barPlace } from '../bar.ts';

export const grayBarSettings = z
  .object({
    enabled: flag(false),
    ...barPlace,
    edge: barPlace.edge.default('Bottom'),
    steps: z.coerce.number().int().min(2).max(51).default(11),
  })
  .prefault({});
