import { nextClock } from '@pdf2press/settings';

export interface DigestSettings {
  mode: 'off' | 'hours' | 'daily';
  hours: number;
  /** `08:00`. */
  at: string;
}

/** When a message that gathers what happens from now on is due; null where nothing is gathered. */
export function digestDue({ mode, hours, at }: DigestSettings, now: Date, timeZone: string): Date | null {
  if (mode === 'off') return null;
  return mode === 'hours' ? new Date(now.getTime() + hours * 3_600_000) : nextClock(now, at, timeZone);
}
