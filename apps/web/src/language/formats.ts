import { formatBytes, formatLength, type Unit } from '@pdf2press/contract';
import i18next from 'i18next';

/** Dates, numbers and sizes in the reader's language. */
const language = () => (i18next.language === 'en-XA' ? 'en' : i18next.language || 'en');

/** Caches Intl formatters, which are slow to create. */
const kept = <Format, Options>(make: (language: string, options?: Options) => Format) => {
  const made = new Map<string, Format>();
  return (options?: Options): Format => {
    const key = language() + JSON.stringify(options);
    const format = made.get(key) ?? make(language(), options);
    made.set(key, format);
    return format;
  };
};
const times = kept((of, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(of, options));
const numbers = kept((of, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(of, options));
const spans = kept((of, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(of, options));

export const formatTime = (iso: string, style: 'short' | 'long' = 'short'): string =>
  times({
    dateStyle: style === 'short' ? 'medium' : 'full',
    timeStyle: style === 'short' ? 'short' : 'medium',
  }).format(new Date(iso));

/** Time of day with seconds, and the day; separate for table columns. */
export const formatClock = (iso: string): string => times({ timeStyle: 'medium' }).format(new Date(iso));
export const formatDay = (iso: string): string => times({ month: 'short', day: 'numeric' }).format(new Date(iso));

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  numbers(options).format(value);

export const formatPercent = (share: number): string =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
];

/** Seconds from now, in the largest unit that has one. */
function formatSpan(seconds: number): string {
  const relative = spans({ numeric: 'auto', style: 'short' });
  let value = seconds;
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return '';
}

const secondsFrom = (iso: string, now: number): number => (new Date(iso).getTime() - now) / 1000;

/** `2 minutes ago`; `now` for what a clock that goes ahead has dated later. */
export const formatAgo = (iso: string, now = Date.now()): string => formatSpan(Math.min(0, secondsFrom(iso, now)));

/** `in 2 minutes`; `now` for what is due. */
export const formatDue = (iso: string, now = Date.now()): string => formatSpan(Math.max(0, secondsFrom(iso, now)));

/** `0.4 s`, `6.1 s`, `2 min 5 s`, `1 h 2 min`. */
export function formatDuration(milliseconds: number): string {
  const unit = (value: number, name: string, digits = 0) =>
    formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: digits });
  const seconds = milliseconds / 1000;
  if (seconds < 60) return unit(seconds, 'second', seconds < 10 ? 1 : 0);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${unit(minutes, 'minute')} ${unit(Math.round(seconds % 60), 'second')}`;
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

export const formatSize = formatBytes;
export const formatPoints = (points: number, unit: Unit): string => formatLength(points, unit, language());
