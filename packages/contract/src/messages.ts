import type { Locale } from './locales.ts';
import { formatBytes } from './units.ts';

/**
 * Message files are flat: code → sentence with `{name}` placeholders. Plural forms are in the JSON form of i18next: keys
 * with the suffixes of `pluralSuffix`.
 */
export type Messages = Readonly<Record<string, string>>;
export type MessageFiles = Readonly<Record<Locale, Messages>>;

type Params = Readonly<Record<string, unknown>>;

/**
 * Replaces the placeholders of a sentence; one without a parameter becomes empty. Hand-written because it must run in every
 * package without a dependency, and does no more than this.
 */
export const fillIn = (sentence: string, params: Params = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined || value === null ? '' : String(value);
  });

/** End of the key of a plural form. `_zero` is for 0 in every language, the others are categories of Intl.PluralRules. */
export const pluralSuffix = /_(?:zero|one|two|few|many|other)$/;

const rulesOf = new Map<Locale, Intl.PluralRules>();

function categoryOf(count: number, locale: Locale): string {
  const rules = rulesOf.get(locale) ?? new Intl.PluralRules(locale);
  rulesOf.set(locale, rules);
  return rules.select(count);
}

/** The number that chooses the plural form: `count` where the sentence shows it, else the first number it shows. */
function countShown(sentence: string, params: Params): number | undefined {
  const numbers = [...sentence.matchAll(/\{(\w+)/g)].flatMap(([, name = '']) => {
    const value = params[name];
    return typeof value === 'number' ? [{ name, value }] : [];
  });
  return (numbers.find(({ name }) => name === 'count') ?? numbers[0])?.value;
}

/**
 * The text of a code in a language before its placeholders are filled, in the plural form for the numbers among `params`;
 * in English where that language has none; undefined where English has none. Numbers decide in the order of the English
 * text, so that all languages choose by the same one.
 */
export function messageOf(files: MessageFiles, locale: Locale, code: string, params: Params = {}): string | undefined {
  const english = files.en[`${code}_other`] ?? files.en[code] ?? '';
  const count = countShown(english, params);
  const textIn = (language: Locale): string | undefined => {
    const file = files[language];
    return (
      (count === 0 ? file[`${code}_zero`] : undefined) ??
      file[code] ??
      (count === undefined ? undefined : file[`${code}_${categoryOf(count, language)}`]) ??
      file[`${code}_other`]
    );
  };
  return textIn(locale) ?? textIn('en');
}

/** Placeholders whose numbers are bytes, by code: the API sends the number, the sentence shows a readable size. */
const sizes: Readonly<Record<string, readonly string[]>> = {
  'file.tooLarge': ['limit'],
  'file.tooSmall': ['limit'],
  'quota.storage': ['limit'],
};

const readable = (code: string, params: Params): Params => {
  const shown = { ...params };
  for (const place of sizes[code] ?? []) {
    const bytes = params[place];
    if (typeof bytes === 'number') shown[place] = formatBytes(bytes);
  }
  return shown;
};

/** The text of `messageOf` with its placeholders filled; the code itself where there is none. */
export const sentence = (files: MessageFiles, locale: Locale, code: string, params: Params = {}): string =>
  fillIn(messageOf(files, locale, code, params) ?? code, readable(code, params));
