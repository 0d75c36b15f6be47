import { fromPoints, type Locale, lengthDecimals, type Unit } from '@pdf2press/contract';
import { type Fact, isMissing, readDate } from '../facts/facts.ts';
import { formatDate } from './date-pattern.ts';

/** Who reads the text: the language of words, the unit of lengths, the time zone (IANA name) of moments. */
export interface Reader {
  locale: Locale;
  unit: Unit;
  timeZone: string;
}

// Two words that texts without a message file at hand need.
const yesAndNo: Readonly<Record<Locale, readonly [string, string]>> = {
  en: ['Yes', 'No'],
  zh: ['是', '否'],
  fr: ['Oui', 'Non'],
  es: ['Sí', 'No'],
  pt: ['Sim', 'Não'],
  'it-IT': ['Sì', 'No'],
};

/** `1234.5`: no grouping, a point, at most six decimals, so that file names and bar codes are the same in every language. */
export const plainNumber = (value: number, decimals = 6): string =>
  new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: decimals }).format(value);

/**
 * A fact without any format. Lengths are the bare number in the reader's unit, bytes the bare number, days and moments
 * `2026-11-22` and `2026-11-22 18:33`, lists joined by commas; a missing value is an empty text.
 */
export function plainText({ type, value }: Fact, reader: Reader): string {
  if (isMissing(value) || value === null) return '';
  if (type === 'Date') {
    const date = readDate(value);
    if (!date) return String(value);
    return date.isDay
      ? formatDate(date.at, 'yyyy-MM-dd', { ...reader, timeZone: 'UTC' })
      : formatDate(date.at, 'yyyy-MM-dd HH:mm', reader);
  }
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return yesAndNo[reader.locale][value ? 0 : 1];
  if (typeof value !== 'number') return String(value);
  return type === 'Length'
    ? plainNumber(fromPoints(value, reader.unit), lengthDecimals[reader.unit])
    : plainNumber(value);
}
