import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const languages = ['en', 'zh', 'fr', 'es', 'pt', 'it-IT'] as const;
type Words = Record<string, string>;

const folders = execFileSync('git', ['ls-files', '*messages.en.json'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
  .map((file) => path.dirname(file));

/** The messages of a folder in a language. */
const wordsOf = (folder: string, language: string): Words =>
  JSON.parse(readFileSync(path.join(root, folder, `messages.${language}.json`), 'utf8')) as Words;

const pluralSuffix = /_(zero|one|two|few|many|other)$/;
const bare = (key: string): string => key.replace(pluralSuffix, '');
const places = (text = ''): string[] => [...text.matchAll(/\{+[\w.:|]+\}+/g)].map(([place]) => place).sort();

test('there are message files', () => expect(folders.length).toBeGreaterThan(40));

test.each(folders)('%s has the same messages with the same placeholders in every language', (folder) => {
  const english = wordsOf(folder, 'en');
  const keys = [...new Set(Object.keys(english).map(bare))].sort();
  for (const language of languages) {
    const words = wordsOf(folder, language);
    expect([...new Set(Object.keys(words).map(bare))].sort(), language).toEqual(keys);
    for (const [key, text] of Object.entries(words)) {
      expect(text, `${language} ${key}`).not.toBe('');
      const same = english[key] ?? english[`${bare(key)}_other`] ?? english[bare(key)];
      expect(places(text), `${language} ${key}`).toEqual(places(same));
    }
  }
});

test.each(folders)('%s: a message with plural forms has those that each language needs, and no others', (folder) => {
  for (const language of languages) {
    const words = wordsOf(folder, language);
    const needed = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort();
    const plurals = Object.keys(words).filter((key) => pluralSuffix.test(key) && !key.endsWith('_zero'));
    for (const key of new Set(plurals.map(bare))) {
      const forms = plurals.filter((one) => bare(one) === key).map((one) => one.slice(key.length + 1));
      expect(forms.sort(), `${language} ${key}`).toEqual(needed);
      // A message is either plain or in plural forms.
      expect(words[key], `${language} ${key}`).toBeUndefined();
    }
  }
});
