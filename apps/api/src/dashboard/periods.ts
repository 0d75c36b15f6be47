import type { Dashboard, DashboardPeriod } from '@pdf2press/contract';

const day = 86_400_000;

/** A day of the calendar; month from 0, as in Date. Values beyond a month lead into the next one. */
interface Civil {
  year: number;
  month: number;
  day: number;
}

export interface PeriodBounds {
  /** Where its parts begin, and where the last one ends. */
  bounds: Date[];
  unit: Dashboard['unit'];
  isRunning: boolean;
  /** The period before; of one that has not ended, only as much as has passed of it. */
  previous: { from: Date; to: Date };
}

/** The clock of a time zone: local time as if it were UTC. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const told = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day: date, hour, minute, second } = told;
    return Date.UTC(year, month - 1, date, hour, minute, second);
  };
}

/**
 * The moment at which a day begins in a time zone: midnight, or what follows it where clocks are put forward at midnight;
 * the last midnight where they are put back to before it.
 */
function startOfDay(clock: (at: number) => number, { year, month, day: date }: Civil): Date {
  const midnight = Date.UTC(year, month, date);
  const offsets = [midnight - day, midnight + day].map((at) => clock(at) - at);
  const candidates = offsets.map((offset) => midnight - offset).sort((one, other) => one - other);
  const begins = candidates.find((at) => clock(at) >= midnight && clock(at - 1000) < midnight);
  return new Date(begins ?? midnight - (offsets[1] ?? 0));
}

/** 0 = Sunday. By the language's region, as calendars of that region are printed. */
function firstDayOfWeek(culture: string): number {
  const locale = new Intl.Locale(culture) as Intl.Locale & {
    weekInfo?: { firstDay: number };
    getWeekInfo?: () => { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

const monthsOf = { Week: 0, Month: 1, Quarter: 3, Year: 12 } as const;
type Length = keyof typeof monthsOf;

/** The first day of the period of this length that a day lies in. */
function firstOf(length: Length, { year, month, day: date }: Civil, firstDay: number): Civil {
  if (length === 'Week') {
    const weekday = new Date(Date.UTC(year, month, date)).getUTCDay();
    return { year, month, day: date - ((weekday - firstDay + 7) % 7) };
  }
  return { year, month: month - (month % monthsOf[length]), day: 1 };
}

const moved = (length: Length, { year, month, day: date }: Civil, by: number): Civil =>
  length === 'Week' ? { year, month, day: date + 7 * by } : { year, month: month + monthsOf[length] * by, day: date };

const numbered = ({ year, month, day: date }: Civil): number => Date.UTC(year, month, date);

/** First days of the parts of a period; those of a quarter are weeks, the first and the last of which may be shorter. */
function partsOf(
  length: Length,
  first: Civil,
  end: Civil,
  firstDay: number,
): { days: Civil[]; unit: Dashboard['unit'] } {
  const unit = length === 'Year' ? 'month' : length === 'Quarter' ? 'week' : 'day';
  const days = [first];
  for (;;) {
    const last = days.at(-1) ?? first;
    const next =
      unit === 'month'
        ? moved('Month', last, 1)
        : unit === 'week'
          ? moved('Week', firstOf('Week', last, firstDay), 1)
          : { ...last, day: last.day + 1 };
    if (numbered(next) >= numbered(end)) return { days, unit };
    days.push(next);
  }
}

/** The day that it is in a time zone, some days before. */
export function dayBefore(timeZone: string, now: Date, days: number): Date {
  const clock = clockOf(timeZone);
  const local = new Date(clock(now.getTime()));
  return startOfDay(clock, {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate() - days,
  });
}

/** A period of the calendar of a time zone; weeks begin as in the culture. */
export function boundsOf(
  period: DashboardPeriod,
  { timeZone, culture, now }: { timeZone: string; culture: string; now: Date },
): PeriodBounds {
  const clock = clockOf(timeZone);
  const firstDay = firstDayOfWeek(culture) % 7;
  const local = new Date(clock(now.getTime()));
  const today = { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() };
  const isRunning = period.startsWith('this');
  const length = period.slice(4) as Length;
  const first = moved(length, firstOf(length, today, firstDay), isRunning ? 0 : -1);
  const end = moved(length, first, 1);
  const { days, unit } = partsOf(length, first, end, firstDay);
  const bounds = [...days, end].map((each) => startOfDay(clock, each));
  const from = bounds[0] ?? now;
  const before = startOfDay(clock, moved(length, first, -1));
  const passed = before.getTime() + now.getTime() - from.getTime();
  const to = isRunning ? new Date(Math.min(passed, from.getTime())) : from;
  return { bounds, unit, isRunning, previous: { from: before, to } };
}
