import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { messages as frameMessages } from '../findings/messages.ts';
import { checkContracts, checkKeys } from './contracts.ts';

const places = (sentence: string) => [...sentence.matchAll(/\{(\w+(?::\w+)?)\}/g)].map(([, place]) => place).sort();

/** Paths of every setting and group, as the message files name them. */
function settingPaths(schema: z.ZodType): string[] {
  type Node = { properties?: Record<string, Node> };
  const paths: string[] = [];
  const walk = (node: Node, path: readonly string[]) => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      // The names of the four edges are in findings/messages.
      if (['left', 'right', 'top', 'bottom'].includes(name)) continue;
      paths.push([...path, name].join('.'));
      walk(child, [...path, name]);
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input' }) as Node, []);
  return paths;
}

test('every check has a label, labels of its settings and two sentences per rule in six languages', () => {
  const missing = checkKeys.flatMap((key) => {
    const codes = [
      'label',
      'help',
      ...settingPaths(checkContracts[key].settings).map((path) => `settings.${path}.label`),
      ...Object.keys(checkContracts[key].rules).flatMap((rule) => [`rules.${rule}.customer`, `rules.${rule}.operator`]),
    ];
    return locales.flatMap((locale) =>
      codes.filter((code) => !checkContracts[key].messages[locale][code]).map((code) => `${key} ${locale} ${code}`),
    );
  });
  expect(missing).toEqual([]);
});

test('a sentence has the same placeholders in every language', () => {
  for (const files of [...checkKeys.map((key) => checkContracts[key].messages), frameMessages]) {
    for (const [code, english] of Object.entries(files.en)) {
      for (const locale of locales)
        expect([code, locale, places(files[locale][code] ?? '')]).toEqual([code, locale, places(english)]);
    }
  }
});

test('every language has the same codes as English', () => {
  for (const files of [...checkKeys.map((key) => checkContracts[key].messages), frameMessages]) {
    for (const locale of locales) expect(Object.keys(files[locale]).sort()).toEqual(Object.keys(files.en).sort());
  }
});
