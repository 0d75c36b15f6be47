import type { Locale } from '@pdf2press/contract';

/** Kept because creating a formatter is slow. */
const formats = new Map<Locale, Intl.NumberFormat>();

export function numberFormat(locale: Locale): Intl.NumberFormat {
  const known = formats.get(locale);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  formats.set(locale, made);
  return made;
}
