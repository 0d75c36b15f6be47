import { z } from 'zod';
import { flag } from '../../layouts/settings.ts';
import { barPlace } from '../bar.ts';

export const colorBarSettings = z
  .object({
    enabled: flag(false),
    ...barPlace,
    edge: barPlace.edge.default('Top'),
    /** Repeated as often as the edge has room. */
    fill: flag(false),
  })
  .prefault({});
