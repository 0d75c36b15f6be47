import type { Ink } from '@pdf2press/contract';
import { z } from 'zod';
import { length } from '../layouts/settings.ts';

/** What marks in an ink for machines ask. */
export const technicalInk = (name: string) => ({
  /** Spot colour the cutter looks for. */
  name: z.string().min(1).max(100).default(name),
  width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
});

/** A technical ink shows as magenta where it is looked at, and prints nowhere. */
export const technical = (name: string): Ink => ({ spot: name, tint: 1, alternate: [0, 1, 0, 0] });
