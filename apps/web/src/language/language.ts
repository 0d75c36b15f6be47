import { type Locale, locales, nearestLocale } from '@pdf2press/contract';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { configureCalls } from '../client/call.ts';

type Words = Record<string, string>;

/** A language is a chunk of its own: the messages of every folder here, those of the form fields and the contract's. */
const files: Record<Locale, () => Promise<{ words: Words }>> = {
  en: () => import('./words.en.ts'),
  zh: () => import('./words.zh.ts'),
  fr: () => import('./words.fr.ts'),
  es: () => import('./words.es.ts'),
  pt: () => import('./words.pt.ts'),
  'it-IT': () => import('./words.it-IT.ts'),
};

/** Each language's own name. */
export const languageNames: Record<Locale, string> = {
  en: 'English',
  zh: '中文',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  'it-IT': 'Italiano',
};

/** English with accents, brackets and 40 % more length: reveals untranslated and clipped texts. */
export const pseudoLocale = 'en-XA';

/** All words of a language. */
export const wordsOf = async (locale: Locale): Promise<Words> => (await files[locale]()).words;

type Load = (locale: Locale) => Promise<void>;
const others = new Set<Load>();

/** Loads words that only some pages need, now and with every change of the language. */
export async function alsoInLanguage(load: Load): Promise<void> {
  others.add(load);
  // Before the start there is no language yet: the start loads them.
  if (i18next.language) await load(nearestLocale(i18next.language));
}

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

let tellLanguage: () => void = () => undefined;
/** Resolves when it is known in which language is asked; its words may still be on their way. */
export const languageKnown = new Promise<void>((resolve) => {
  tellLanguage = resolve;
});

/** The language in which the server answers. */
const askIn = (language: string) => configureCalls({ language: language === pseudoLocale ? 'en' : language });

export async function startLanguage(language: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    supportedLngs: [...locales, pseudoLocale],
    load: 'currentOnly',
    resources: {},
    // Keys are flat; dots in them have no meaning.
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  });
  askIn(language);
  tellLanguage();
  await setLanguage(language);
}

export async function setLanguage(language: string): Promise<void> {
  await Promise.all([load(language), ...[...others].map((other) => other(nearestLocale(language)))]);
  // Before the words change: whatever is drawn anew then asks in the new language.
  askIn(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'it-IT' ? 'it' : language;
}
