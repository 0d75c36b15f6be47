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

/** Hours in which people work; over midnight where `until` is before `from`, all day where both are the same. */
export interface WorkingHours {
  from: string;
  until: string;
  hasWeekends: boolean;
}

const daysOff: ReadonlySet<string> = new Set(['Sat', 'Sun']);

/** When the next working hours begin; null during such hours. */
export function workBegins({ from, until, hasWeekends }: WorkingHours, now: Date, timeZone: string): Date | null {
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone });
  const isWork = (at: Date) =>
    (hasWeekends || !daysOff.has(weekday.format(at))) &&
    quietUntil({ isOn: true, from: until, until: from }, at, timeZone) === null;
  if (isWork(now)) return null;
  let at = nextClock(now, from, timeZone);
  while (at && !isWork(at)) at = nextClock(at, from, timeZone);
  return at;
}
