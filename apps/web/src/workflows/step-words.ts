import { fill } from 'virtual:step-words';
import type { Locale } from '@pdf2press/contract';
import { alsoInLanguage } from '../language/language.ts';

const files: Record<Locale, () => Promise<{ default: Record<string, Record<string, string>> }>> = {
  en: () => import('virtual:step-words/en'),
  zh: () => import('virtual:step-words/zh'),
  fr: () => import('virtual:step-words/fr'),
  es: () => import('virtual:step-words/es'),
  pt: () => import('virtual:step-words/pt'),
  'it-IT': () => import('virtual:step-words/it-IT'),
};

const load = async (locale: Locale) => fill(locale, (await files[locale]()).default);

/** Brings the words of the kinds of step in the language that is shown; a page that shows them waits for it. */
export const stepWords = (): Promise<void> => alsoInLanguage(load);
