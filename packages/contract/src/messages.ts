import type { Locale } from './locales.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };
import { formatBytes } from './units.ts';

/** Message files are flat: code → sentence with `{name}` placeholders. */
export type Messages = Readonly<Record<string, string>>;
export type MessageFiles = Readonly<Record<Locale, Messages>>;

export const contractMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

/**
 * Replaces the placeholders of a sentence; one without a parameter becomes empty. Hand-written because it must run in every
 * package without a dependency, and does no more than this.
 */
export const fillIn = (sentence: string, params: Readonly<Record<string, unknown>> = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined || value === null ? '' : String(value);
  });

/** Placeholders whose numbers are bytes, by code: the API sends the number, the sentence shows a readable size. */
const sizes: Readonly<Record<string, readonly string[]>> = { 'file.tooLarge': ['limit'] };

const readable = (code: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const shown = { ...params };
  for (const place of sizes[code] ?? []) {
    const bytes = params[place];
    if (typeof bytes === 'number') shown[place] = formatBytes(bytes);
  }
  return shown;
};

/**
 * The sentence for a code in a language; in English where that language has none, the code itself where English has none.
 */
export const sentence = (
  files: MessageFiles,
  locale: Locale,
  code: string,
  params: Readonly<Record<string, unknown>> = {},
): string => fillIn(files[locale][code] ?? files.en[code] ?? code, readable(code, params));
