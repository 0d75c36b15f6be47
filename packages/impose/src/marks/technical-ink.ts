import type { Ink } from '@pdf2press/contract';
import { z } from 'zod';
import { length } from '../sheet/settings.ts';

/** Settings of marks in a technical ink: a spot colour that a cutter reads and that is not printed. */
export const technicalInk = (name: string) => ({
  /** Name of the spot colour. */
  name: z.string().min(1).max(100).default(name),
  width: length('0.25pt', { min: 0.05, max: 10, unit: 'points' }),
});

/** A technical spot colour, shown as magenta on screen and on proofs. */
export const technical = (name: string): Ink => ({ spot: name, tint: 1, alternate: [0, 1, 0, 0] });
