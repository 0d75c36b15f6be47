import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { matchesWildcard } from './operators.ts';
import { loadRegularExpressions, type RegularExpressions } from './regular-expressions.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});

describe('patterns that are made to take long', () => {
  test.each([
    '^(a+)+$',
    '(a|a)*$',
    '(a*)*b',
    '(?:a?){30}a{30}',
    '((a{0,30}){0,30})',
    '(.*)(.*)(.*)(.*)(.*)x',
    `${'('.repeat(200)}${')'.repeat(200)}`,
  ])('%s', (pattern) => {
    const matches = regular.compile(pattern, { isCaseSensitive: false });
    expect(matches === null || typeof matches(`${'a'.repeat(20_000)}!`) === 'boolean').toBe(true);
  });
  test('repetitions that would need a huge program are refused', () => {
    expect(regular.compile('((a{1000}){1000}){1000}', { isCaseSensitive: true })).toBeNull();
    expect(regular.compile('a'.repeat(501), { isCaseSensitive: true })).toBeNull();
  });
  test('wildcards find what a pattern of the language finds, and take no longer for many stars', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }), letters, (text, wildcard) => {
        const source = wildcard.replace(/\*+/g, '.*');
        expect(matchesWildcard(text, wildcard)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
    expect(matchesWildcard('a'.repeat(100_000), `${'*a'.repeat(1000)}*b`)).toBe(false);
  });
});

test('a regular expression replaces each match, with groups of its own only', () => {
  const replace = regular.replacer('(\\d+)-(\\d+)', { isCaseSensitive: true });
  expect(replace?.('1-2 and 3-4', '$2:$1 $9 $$')).toBe('2:1 $9 $ and 4:3 $9 $');
  expect(regular.replacer('X', { isCaseSensitive: false })?.('axX', '')).toBe('a');
  for (const pattern of ['', '(', '(?=a)', 'a'.repeat(501)])
    expect(regular.replacer(pattern, { isCaseSensitive: true })).toBeNull();
});
