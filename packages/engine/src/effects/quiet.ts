import { quietUntil } from '@pdf2press/steps/communication-profile';
import { z } from 'zod';

/** Quiet hours of the profile that wrote a message, kept with it for when it is tried again. */
export const quietSchema = z.object({ from: z.string(), until: z.string(), timeZone: z.string() });

/** When the quiet hours of a message that hold at a time are over; null when none hold. */
export const quietEnd = (quiet: z.output<typeof quietSchema> | undefined, at: Date): Date | null =>
  quiet ? quietUntil({ isOn: true, ...quiet }, at, quiet.timeZone) : null;
