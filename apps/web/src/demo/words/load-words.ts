import type { Locale } from '@pdf2press/contract';
import i18next from 'i18next';
import { alsoInLanguage } from '../../language/language.ts';

const files: Record<Locale, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('./messages.en.json'),
  zh: () => import('./messages.zh.json'),
  fr: () => import('./messages.fr.json'),
  es: () => import('./messages.es.json'),
  pt: () => import('./messages.pt.json'),
  'it-IT': () => import('./messages.it-IT.json'),
};

const load = async (locale: Locale) => {
  i18next.addResources(locale, 'translation', (await files[locale]()).default);
};

/** Brings the words of the tour in the language that is shown: no other page loads them. */
export const demoWords = (): Promise<void> => alsoInLanguage(load);
