import type { Locale } from '@pdf2press/contract';

/** The help text of a kind in each language. */
export type KindHelp = Readonly<Record<Locale, string>>;
