import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { checkContracts, checkKeys, remedyOf } from '../checks/contracts.ts';
import { isRemedy, type Mending, mendingOf, programs, type RemedyKey, remedies } from './remedies.ts';

const keys = Object.keys(remedies) as RemedyKey[];
const rules = checkKeys.flatMap((check) => Object.keys(checkContracts[check].rules).map((rule) => `${check}.${rule}`));

/** Rules that report nothing that a customer could have made otherwise. */
const notTheCustomers = ['Bleed.notNeeded', 'DocumentIntegrity.syntaxMinor', 'Plates.colourPage'];

test('every rule that a customer can cause names a remedy, and every remedy is named', () => {
  expect(rules.filter((rule) => remedyOf(rule) === null).sort()).toEqual([...notTheCustomers].sort());
  expect([...new Set(rules.map(remedyOf))].filter((remedy) => remedy !== null).sort()).toEqual([...keys].sort());
  expect(keys.filter((key) => !isRemedy(key))).toEqual([]);
});

test('a rule that this release does not have has no remedy', () => {
  for (const rule of ['Bleed.unheard', 'Unheard.short', 'Preflight.failed', 'toString.name', ''])
    expect(remedyOf(rule), rule).toBeNull();
});

const shapeOf = (mending: Mending) => (typeof mending === 'string' ? 'cannot' : mending.length);

test.each(keys)('%s has the same steps in every program and language', async (key) => {
  const english = await mendingOf(key, 'en');
  for (const locale of locales) {
    const words = await mendingOf(key, locale);
    expect(Object.keys(words)).toEqual(programs);
    for (const program of programs) {
      const told = words[program];
      expect(shapeOf(told), `${locale} ${program}`).toBe(shapeOf(english[program]));
      for (const sentence of [told].flat()) {
        expect(sentence.trim(), `${locale} ${program}`).not.toBe('');
        // The names of menus are between two asterisks each.
        expect(sentence.split('*').length % 2, `${locale} ${program}: ${sentence}`).toBe(1);
        expect(sentence.split('*').length, `${locale} ${program}: ${sentence}`).toBe(
          [english[program]].flat()[[told].flat().indexOf(sentence)]?.split('*').length,
        );
      }
    }
  }
});

test('no language repeats the English words', async () => {
  for (const key of keys) {
    const english = await mendingOf(key, 'en');
    for (const locale of locales.filter((one) => one !== 'en')) {
      const words = await mendingOf(key, locale);
      for (const program of programs)
        expect(words[program], `${key} ${locale} ${program}`).not.toEqual(english[program]);
    }
  }
});
