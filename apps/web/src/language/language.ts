import { type Locale, locales, nearestLocale } from '@pdf2press/contract';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { configureCalls } from '../client/call.ts';

type Words = Record<string, string>;
type Files = Promise<{ default: Words }[]>;

/** Each language is a chunk of its own: the app's words, the form fields' and the contract's sentences. */
const files: Record<Locale, () => Files> = {
  en: () =>
    Promise.all([
      import('@pdf2press/contract/messages/en'),
      import('@pdf2press/ui/messages/en'),
      import('../messages/en.json'),
      import('../impose/messages.en.json'),
      import('../fix/messages.en.json'),
    ]),
  zh: () =>
    Promise.all([
      import('@pdf2press/contract/messages/zh'),
      import('@pdf2press/ui/messages/zh'),
      import('../messages/zh.json'),
      import('../impose/messages.zh.json'),
      import('../fix/messages.zh.json'),
    ]),
  fr: () =>
    Promise.all([
      import('@pdf2press/contract/messages/fr'),
      import('@pdf2press/ui/messages/fr'),
      import('../messages/fr.json'),
      import('../impose/messages.fr.json'),
      import('../fix/messages.fr.json'),
    ]),
  es: () =>
    Promise.all([
      import('@pdf2press/contract/messages/es'),
      import('@pdf2press/ui/messages/es'),
      import('../messages/es.json'),
      import('../impose/messages.es.json'),
      import('../fix/messages.es.json'),
    ]),
  pt: () =>
    Promise.all([
      import('@pdf2press/contract/messages/pt'),
      import('@pdf2press/ui/messages/pt'),
      import('../messages/pt.json'),
      import('../impose/messages.pt.json'),
      import('../fix/messages.pt.json'),
    ]),
  'it-IT': () =>
    Promise.all([
      import('@pdf2press/contract/messages/it-IT'),
      import('@pdf2press/ui/messages/it-IT'),
      import('../messages/it-IT.json'),
      import('../impose/messages.it-IT.json'),
      import('../fix/messages.it-IT.json'),
    ]),
};

/** Names of the languages in themselves. */
export const languageNames: Record<Locale, string> = {
  en: 'English',
  zh: '中文',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  'it-IT': 'Italiano',
};

/** English with accents, brackets and 40 % more length: shows what is not translated and what is cut off. */
export const pseudoLocale = 'en-XA';

/** All words of a language. */
export const wordsOf = async (locale: Locale): Promise<Words> =>
  Object.assign({}, ...(await files[locale]()).map((file) => file.default)) as Words;

async function load(language: string): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  if (language === pseudoLocale) {
    const [{ pseudo }, words] = await Promise.all([import('./pseudo.ts'), wordsOf('en')]);
    i18next.addResourceBundle(language, 'translation', pseudo(words));
    return;
  }
  i18next.addResourceBundle(language, 'translation', await wordsOf(nearestLocale(language)));
}

/** The language by the address (`lang`), else by preference, else by the browser; anything unknown is English. */
export const chosenLanguage = (wishes: {
  address: string | null;
  preference: string | null;
  browser: string;
}): string => {
  const wish = wishes.address ?? wishes.preference ?? wishes.browser;
  return wish === pseudoLocale ? pseudoLocale : nearestLocale(wish);
};

export async function startLanguage(language: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    supportedLngs: [...locales, pseudoLocale],
    load: 'currentOnly',
    resources: {},
    // Keys are flat sentences' names, as in the contract.
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  });
  await setLanguage(language);
}

export async function setLanguage(language: string): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'it-IT' ? 'it' : language;
  configureCalls({ language: language === pseudoLocale ? 'en' : language });
}
