import { nextClock } from '@pdf2press/settings';

export interface QuietHours {
  isOn: boolean;
  /** `20:00`; later than `until` when they go over midnight. */
  from: string;
  until: string;
}

/** When quiet hours that hold now are over; null when they do not hold. Clocks that change make them longer or shorter. */
export function quietUntil({ isOn, from, until }: QuietHours, now: Date, timeZone: string): Date | null {
  if (!isOn || from === until) return null;
  const begins = nextClock(now, from, timeZone);
  const ends = nextClock(now, until, timeZone);
  // While they hold, their end comes before they begin again.
  return begins && ends && ends.getTime() < begins.getTime() ? ends : null;
}
