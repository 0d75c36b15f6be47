import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isNight, sampled } from '@pdf2press/config/by-day';
import { expect, test } from 'vitest';
import { type CheckKey, checkContracts, checkKeys } from '../checks/contracts.ts';
import { ruleCases } from './cases.ts';
import { measure, qualityTable, type Score, type Trial } from './quality.ts';
import type { RuleCase } from './rule-case.ts';

/** The table as a document; running the test at night with PREFLIGHT_QUALITY=write writes it. */
const document = fileURLToPath(new URL('../../../../docs/preflight-quality.md', import.meta.url));
const all = new Map<string, Score>();

const casesOf = (key: CheckKey) => ruleCases[key] as readonly RuleCase<CheckKey>[];
/** Checks of which this run tries some cases only, because each takes seconds: their scores are written at night. */
const isPartly = (key: CheckKey): boolean => !isNight && casesOf(key).some(({ atNight }) => atNight);
/**
 * Of a check whose trials take seconds each: the documents themselves, and one in three of their variants, which all checks
 * share.
 */
const someOf = (trials: readonly Trial[]) => sampled(trials, 3, ({ variant }) => variant === 'plain');
/** A document without the rows of these checks. */
const withoutPartly = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !checkKeys.some((key) => isPartly(key) && line.startsWith(`| ${key}.`)))
    .join('\n');

test.each(checkKeys)('%s reports the documents that break its rules and no others', async (key) => {
  const cases = casesOf(key).filter(({ atNight }) => isNight || !atNight);
  const { scores, misses } = await measure(key, cases, isPartly(key) ? someOf : undefined);
  for (const [rule, score] of scores) all.set(rule, score);
  expect(misses).toEqual([]);
});

test('every rule has a case, by day, too', () => {
  const untried = checkKeys.flatMap((key) => {
    const tried = new Set(casesOf(key).flatMap(({ rule, atNight }) => (atNight ? [] : [rule as string])));
    return Object.keys(checkContracts[key].rules).flatMap((rule) => (tried.has(rule) ? [] : [`${key}.${rule}`]));
  });
  expect(untried).toEqual([]);
});

test('docs/preflight-quality.md has the results of this run', () => {
  const table = qualityTable(all);
  console.log(table);
  const text = `# Preflight: precision and recall, rule by rule\n\nEvery rule is tested on generated PDFs just above and just below its limit. Rules about objects are also tested with the object nested in a form, on a rotated page, with UserUnit and with a negative origin, where the result must be the same, and with the object on a hidden layer, clipped, in white on unprinted paper and inside a soft mask, where it must not be reported (unless the rule also applies to objects that do not print). The cases are in \`cases.ts\` in the folder of each check. To regenerate this file run\n\`PREFLIGHT_QUALITY=write NIGHT=1 npx vitest run --config packages/config/vitest.config.ts --project preflight quality.test\`.\n\n${table}\n`;
  const before = existsSync(document) ? readFileSync(document, 'utf8') : '';
  // The part after it is that of the random pages.
  const [own = '', ...random] = before.split(/(?=\n## Random pages\n)/);
  if (isNight && process.env.PREFLIGHT_QUALITY === 'write') writeFileSync(document, [text, ...random].join(''));
  else expect(withoutPartly(own)).toBe(withoutPartly(text));
});
