import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractMessages, locales, pluralSuffix, stepKinds } from '@pdf2press/contract';
import { checkContracts, checkKeys } from '@pdf2press/preflight/contracts';
import { stepContracts } from '@pdf2press/steps/contracts';
import { uiMessages } from '@pdf2press/ui';
import { expect, test } from 'vitest';
import { wordsOf } from './language.ts';
import { pseudo } from './pseudo.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
type Words = Record<string, string>;
/** The messages of every folder in a language. */
const filesOf = (locale: string): { file: string; words: Words }[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(`/messages.${locale}.json`))
    .map((file) => ({ file, words: JSON.parse(readFileSync(source + file, 'utf8')) as Words }));
const own = Object.fromEntries(
  locales.map((locale) => [locale, Object.assign({}, ...filesOf(locale).map(({ words }) => words)) as Words]),
) as Record<(typeof locales)[number], Words>;

const bare = (key: string) => key.replace(pluralSuffix, '');
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((name) => readFileSync(`${source}${name}`, 'utf8'))
  .join('\n');

/** Message keys in the source, and the prefixes of keys that are composed. */
const literals = new Set(
  [...text.matchAll(/['"`]([a-z][A-Za-z]*(?:\.[A-Za-z0-9_-]+)+)['"`]/g)].map(([, key]) => key ?? ''),
);
const begun = [
  ...new Set([...text.matchAll(/`([a-z][A-Za-z]*\.(?:[A-Za-z]+\.)*)\$\{/g)].map(([, start]) => start ?? '')),
];
const asked = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key ?? '');

test('every used key has a message', () => {
  const known = new Set([own.en, contractMessages.en, uiMessages.en].flatMap((words) => Object.keys(words).map(bare)));
  expect([...new Set(asked)].filter((key) => !known.has(key))).toEqual([]);
});

test('every message is used', () => {
  const unused = Object.keys(own.en)
    .map(bare)
    .filter((key) => !literals.has(key) && !begun.some((start) => key.startsWith(start)));
  expect([...new Set(unused)]).toEqual([]);
});

test('no key is in two folders', () => {
  const all = filesOf('en').flatMap(({ words }) => Object.keys(words));
  expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([]);
});

/** Messages that a screen loads by itself, because few visitors see it; they stand in a folder `words`. */
const isLoadedLater = (file: string): boolean => file.split('/').includes('words');

test('the loader finds the messages of every folder but those that a screen loads by itself', async () => {
  for (const locale of locales) {
    const words = await wordsOf(locale);
    for (const { file, words: found } of filesOf(locale))
      isLoadedLater(file)
        ? expect(
            Object.keys(found).filter((key) => key in words),
            file,
          ).toEqual([])
        : expect(words, file).toMatchObject(found);
  }
});

test.each(locales)(
  'in %s every check and every kind of step has the label that its contract gives it',
  async (locale) => {
    const words = await wordsOf(locale);
    for (const key of checkKeys) expect(words[`check.${key}`], key).toBe(checkContracts[key].messages[locale].label);
    for (const { kind, messages } of Object.values(stepContracts))
      expect(words[`step.${kind}`], kind).toBe(messages[locale].label);
    for (const kind of stepKinds) expect(words[`step.${kind}`], kind).toBeTruthy();
  },
);

test('the pseudo-locale keeps placeholders and makes every message longer', () => {
  const words = pseudo(own.en);
  for (const [key, sentence] of Object.entries(own.en)) {
    expect(places(words[key] ?? '')).toEqual(places(sentence));
    expect((words[key] ?? '').length).toBeGreaterThanOrEqual(sentence.length * 1.4);
  }
});
