import type { Locale } from '@pdf2press/contract';

/** A language's own words where it differs from its name on the wire. */
export const localeTag = (locale: Locale): string => (locale === 'it-IT' ? 'it' : locale);

/** A formatter takes longer to make than a whole log to write. */
const formats = new Map<Locale, Intl.NumberFormat>();

export function numberFormat(locale: Locale): Intl.NumberFormat {
  const known = formats.get(locale);
  if (known) return known;
  const made = new Intl.NumberFormat(localeTag(locale), { maximumFractionDigits: 2 });
  formats.set(locale, made);
  return made;
}
