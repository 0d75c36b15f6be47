/** Reads the values of arguments; a wrong value is wrong usage. */
import { type Locale, locales, nearestLocale } from '@pdf2press/contract/locales';
import { HelpAsked, UsageError } from './file-work.ts';

/** A number above zero. @throws UsageError */
export function positiveNumber(value: string | undefined, option: string, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new UsageError(`--${option}: ${value}`);
  return number;
}

/** A page number from 1. @throws UsageError */
export function pageNumber(value: string | undefined): number {
  const number = positiveNumber(value, 'page', 1);
  if (!Number.isInteger(number)) throw new UsageError(`--page: ${value}`);
  return number;
}

/** One of a few words. @throws UsageError */
export function oneOf<T extends string>(value: string | undefined, option: string, words: readonly T[]): T | undefined {
  const word = words.find((known) => known === value);
  if (value !== undefined && word === undefined) throw new UsageError(`--${option}: ${value} (${words.join(', ')})`);
  return word;
}

/** The language of `--lang`, or the other one. @throws UsageError for one that nothing is translated into. */
export function localeOption(wish: string | undefined, otherwise: Locale = 'en'): Locale {
  if (wish === undefined) return otherwise;
  const nearest = nearestLocale(wish);
  if (nearest === 'en' && !/^en\b/i.test(wish)) throw new UsageError(`--lang: ${wish} (${locales.join(', ')})`);
  return nearest;
}

/** Arguments that `parseArgs` refuses are wrong usage; `--help` or `-h` is not. @throws UsageError */
export function parsed<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/^Unknown option '(--help|-h)'/.test(message)) throw new HelpAsked(usage);
    // Only the parser's first sentence; the rest is advice for programmers.
    throw new UsageError(`${message.split(/\.\s/)[0]} (${usage.split(' ').slice(1, 3).join(' ')} --help)`, {
      cause: error,
    });
  }
}
