import type { Locale } from '@pdf2press/contract';

/**
 * Dates by a pattern of letters (Unicode Technical Standard #35, part 4, the letters that print shops use), in a time zone
 * and a language. On `Intl`, because it is there in browser and server with all languages and time zones, and a date
 * library would bring its own.
 */
type Style = Intl.DateTimeFormatOptions;

/** How each group of letters is made: options of `Intl`, and the part of its answer that is meant. */
const letters: Readonly<Record<string, readonly [Style, Intl.DateTimeFormatPartTypes]>> = {
  yyyy: [{ year: 'numeric' }, 'year'],
  yy: [{ year: '2-digit' }, 'year'],
  MMMM: [{ month: 'long', day: 'numeric' }, 'month'],
  MMM: [{ month: 'short', day: 'numeric' }, 'month'],
  MM: [{ month: '2-digit' }, 'month'],
  M: [{ month: 'numeric' }, 'month'],
  dd: [{ day: '2-digit' }, 'day'],
  d: [{ day: 'numeric' }, 'day'],
  EEEE: [{ weekday: 'long' }, 'weekday'],
  EEE: [{ weekday: 'short' }, 'weekday'],
  HH: [{ hour: '2-digit', hourCycle: 'h23' }, 'hour'],
  H: [{ hour: 'numeric', hourCycle: 'h23' }, 'hour'],
  hh: [{ hour: '2-digit', hourCycle: 'h12' }, 'hour'],
  h: [{ hour: 'numeric', hourCycle: 'h12' }, 'hour'],
  mm: [{ minute: '2-digit' }, 'minute'],
  ss: [{ second: '2-digit' }, 'second'],
  a: [{ hour: 'numeric', hourCycle: 'h12' }, 'dayPeriod'],
};
/** Letters that are numbers, and their least digits: `Intl` pads some of them only beside others, and some always. */
const digits: Readonly<Record<string, number>> = {
  yyyy: 4,
  yy: 2,
  MM: 2,
  M: 1,
  dd: 2,
  d: 1,
  HH: 2,
  H: 1,
  hh: 2,
  h: 1,
  mm: 2,
  ss: 2,
};

const styles = ['short', 'medium', 'long', 'full'] as const;
type DateStyle = (typeof styles)[number];
const isStyle = (pattern: string): pattern is DateStyle => (styles as readonly string[]).includes(pattern);

const token = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/gy;

/** Whether a pattern is one of `short`, `medium`, `long`, `full`, or made of the letters above, signs and 'quoted text'. */
export function isDatePattern(pattern: string): boolean {
  if (isStyle(pattern)) return true;
  if (pattern === '' || pattern.length > 100) return false;
  let length = 0;
  for (const match of pattern.matchAll(token)) {
    if (match[2] !== undefined && !Object.hasOwn(letters, match[0])) return false;
    length += match[0].length;
  }
  return length === pattern.length;
}

/** To make a formatter takes a hundred times as long as to use it, and every step of every session asks for the date. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** Languages, zones and letters in use at once are few; the limit is for a server that meets every zone there is. */
const mostFormatters = 1000;

function formatterOf(locale: string, options: Style): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  if (formatters.size >= mostFormatters) formatters.clear();
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** What the letters of `digits` are in UTC. The first formatter of a process takes longer than placing a small file on sheets. */
const inUtc: Readonly<Record<string, (at: Date) => number>> = {
  yyyy: (at) => at.getUTCFullYear(),
  yy: (at) => at.getUTCFullYear() % 100,
  MM: (at) => at.getUTCMonth() + 1,
  M: (at) => at.getUTCMonth() + 1,
  dd: (at) => at.getUTCDate(),
  d: (at) => at.getUTCDate(),
  HH: (at) => at.getUTCHours(),
  H: (at) => at.getUTCHours(),
  hh: (at) => at.getUTCHours() % 12 || 12,
  h: (at) => at.getUTCHours() % 12 || 12,
  mm: (at) => at.getUTCMinutes(),
  ss: (at) => at.getUTCSeconds(),
};

/** A moment by a pattern that `isDatePattern` accepts. */
export function formatDate(
  at: Date,
  pattern: string,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): string {
  if (isStyle(pattern)) return formatterOf(locale, { dateStyle: pattern, timeZone }).format(at);
  return pattern.replace(token, (whole: string, quoted: string | undefined, letter: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    const made = letter === undefined ? undefined : letters[whole];
    if (!made) return whole;
    const [options, part] = made;
    const width = digits[whole];
    const plain = timeZone === 'UTC' && at.getUTCFullYear() > 0 ? inUtc[whole]?.(at) : undefined;
    if (width !== undefined && plain !== undefined) return String(plain).padStart(width, '0');
    // Numbers are written in Latin digits of the Gregorian calendar in every language: file names sort by them.
    const language = width === undefined ? locale : 'en-GB';
    const parts = formatterOf(language, { ...options, timeZone }).formatToParts(at);
    const value = parts.find(({ type }) => type === part)?.value ?? '';
    return width === undefined ? value : String(Number(value)).padStart(width, '0');
  });
}
