import type { Locale } from './locales.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };
import { formatBytes } from './units.ts';

/** Message files are flat: code → sentence with `{name}` places. */
export type Messages = Readonly<Record<string, string>>;
export type MessageFiles = Readonly<Record<Locale, Messages>>;

export const contractMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

/**
 * Puts parameters into a sentence. By hand because it must run in every room without a dependency: places only,
 * no logic. A place without a parameter is left out.
 */
export const fillIn = (sentence: string, params: Readonly<Record<string, unknown>> = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined || value === null ? '' : String(value);
  });

/** Places whose numbers are bytes, by code: the wire carries the number, a sentence the size that people read. */
const sizes: Readonly<Record<string, readonly string[]>> = { 'file.tooLarge': ['limit'] };

const readable = (code: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const shown = { ...params };
  for (const place of sizes[code] ?? []) {
    const bytes = params[place];
    if (typeof bytes === 'number') shown[place] = formatBytes(bytes);
  }
  return shown;
};

/** The sentence for a code in a language; English where a language lacks it, the code itself where all do. */
export const sentence = (
  files: MessageFiles,
  locale: Locale,
  code: string,
  params: Readonly<Record<string, unknown>> = {},
): string => fillIn(files[locale][code] ?? files.en[code] ?? code, readable(code, params));
