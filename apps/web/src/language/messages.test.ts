import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractMessages, locales } from '@pdf2press/contract';
import { uiMessages } from '@pdf2press/ui';
import { expect, test } from 'vitest';
import { pseudo } from './pseudo.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
type Words = Record<string, string>;
/** The app's own sentences and those of the areas that bring theirs along. */
const filesOf = (locale: string) => [
  `messages/${locale}.json`,
  ...readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(`/messages.${locale}.json`),
  ),
];
const own = Object.fromEntries(
  locales.map((locale) => [
    locale,
    Object.assign({}, ...filesOf(locale).map((name) => JSON.parse(readFileSync(source + name, 'utf8')))) as Words,
  ]),
) as Record<(typeof locales)[number], Words>;

const plural = /_(zero|one|two|few|many|other)$/;
const bare = (key: string) => key.replace(plural, '');
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((name) => readFileSync(`${source}${name}`, 'utf8'))
  .join('\n');

/** Message keys that stand in the source as they are, and the beginnings of those that are put together. */
const literals = new Set(
  [...text.matchAll(/['"`]([a-z][A-Za-z]*(?:\.[A-Za-z0-9_-]+)+)['"`]/g)].map(([, key]) => key ?? ''),
);
const begun = [
  ...new Set([...text.matchAll(/`([a-z][A-Za-z]*\.(?:[A-Za-z]+\.)*)\$\{/g)].map(([, start]) => start ?? '')),
];
const asked = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key ?? '');

test('every key that a screen asks for has a sentence', () => {
  const known = new Set([own.en, contractMessages.en, uiMessages.en].flatMap((words) => Object.keys(words).map(bare)));
  expect([...new Set(asked)].filter((key) => !known.has(key))).toEqual([]);
});

test('no sentence is kept that nothing asks for', () => {
  const unused = Object.keys(own.en)
    .map(bare)
    .filter((key) => !literals.has(key) && !begun.some((start) => key.startsWith(start)));
  expect([...new Set(unused)]).toEqual([]);
});

test.each(locales)(
  '%s has every sentence, with the places of the English one and every plural form of its own',
  (locale) => {
    const words = own[locale];
    const keys = (language: Words) => [...new Set(Object.keys(language).map(bare))].sort();
    expect(keys(words)).toEqual(keys(own.en));
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const key of Object.keys(words)) {
      const english = own.en[key] ?? own.en[`${bare(key)}_other`] ?? '';
      expect(places(words[key] ?? ''), key).toEqual(places(english));
      expect(words[key], key).not.toBe('');
      if (plural.test(key))
        for (const form of forms) expect(words[`${bare(key)}_${form}`], `${bare(key)}_${form}`).toBeDefined();
    }
  },
);

test('the pseudo-locale keeps places and makes every sentence longer', () => {
  const words = pseudo(own.en);
  for (const [key, sentence] of Object.entries(own.en)) {
    expect(places(words[key] ?? '')).toEqual(places(sentence));
    expect((words[key] ?? '').length).toBeGreaterThanOrEqual(sentence.length * 1.4);
  }
});
