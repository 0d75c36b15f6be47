import { type FactValue, readDate } from '../facts/facts.ts';

/** A moment, or a calendar day with both its ends, in milliseconds since 1970. */
export interface Span {
  start: number;
  /** Of a moment the moment itself, of a day the start of the next. */
  end: number;
  isDay: boolean;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
/** A wall clock of a time zone, made once: making one takes longer than a hundred rules. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** What the wall clock shows, as if it were UTC. */
function wallClock(at: number, timeZone: string): Date {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(at)) part[type] = Number(value);
  return new Date(
    Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1, part.hour ?? 0, part.minute ?? 0, part.second ?? 0),
  );
}

/** The moment at which a wall clock shows a time that is given as if it were UTC. */
function momentOf(shown: number, timeZone: string): number {
  // The offset may differ between the guess and the answer, on days when clocks change.
  const guess = shown - (wallClock(shown, timeZone).getTime() - shown);
  return guess - (wallClock(guess, timeZone).getTime() - shown);
}

const dayLength = 86_400_000;

/** A fact or an operand as a span of time; null when it is not a date. */
export function spanOf(value: FactValue, timeZone: string): Span | null {
  const date = readDate(value);
  if (!date) return null;
  const at = date.at.getTime();
  return date.isDay
    ? { start: momentOf(at, timeZone), end: momentOf(at + dayLength, timeZone), isDay: true }
    : { start: at, end: at, isDay: false };
}

/** 1 for Monday to 7 for Sunday (ISO 8601). */
export const weekdayOf = (span: Span, timeZone: string): number => wallClock(span.start, timeZone).getUTCDay() || 7;

/** Minutes after midnight on the wall clock. */
export function minutesOf(span: Span, timeZone: string): number {
  const clock = wallClock(span.start, timeZone);
  return clock.getUTCHours() * 60 + clock.getUTCMinutes();
}

/** `08:30` as minutes after midnight; null for anything else. */
export function readClock(text: FactValue): number | null {
  const match = typeof text === 'string' ? /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) : null;
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** The next moment after `now` at which the clock shows a time such as `18:00`; null when that is no time. */
export function nextClock(now: Date, text: string, timeZone: string): Date | null {
  const minutes = readClock(text);
  if (minutes === null) return null;
  const today = Math.floor(wallClock(now.getTime(), timeZone).getTime() / dayLength) * dayLength;
  const at = (day: number) => momentOf(day + minutes * 60_000, timeZone);
  return new Date(at(today) > now.getTime() ? at(today) : at(today + dayLength));
}

const perUnit: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayLength, w: 7 * dayLength };
/** `30m`, `2h`, `3d`, `1w` in milliseconds; null for anything else. */
export function readDuration(text: FactValue): number | null {
  const match = typeof text === 'string' ? /^(\d{1,6})\s*([mhdw])$/.exec(text.trim().toLowerCase()) : null;
  return match ? Number(match[1]) * (perUnit[match[2] ?? ''] ?? 0) : null;
}
