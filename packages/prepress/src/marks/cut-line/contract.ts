import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';

export const technicalInk = (name: string) => ({
  /** Spot colour the cutter looks for. */
  name: z.string().min(1).max(100).default(name),
  width: length('0.25pt', { min: 0.05, max: 10 }),
});

export const cutLineSettings = z.object({ enabled: flag(false), ...technicalInk('CutContour') }).prefault({});
