import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type CheckKey, checkContracts, checkKeys } from '../../checks/contracts.ts';
import { ruleCases } from './cases.ts';
import { measure, qualityTable, type Score } from './quality.ts';
import type { RuleCase } from './rule-case.ts';

/** Kept for readers; `PREFLIGHT_QUALITY=write npx vitest run … quality` writes it anew. */
const document = fileURLToPath(new URL('../../../../../docs/preflight-quality.md', import.meta.url));
const all = new Map<string, Score>();

test.each(checkKeys)('the rules of %s hold on both sides of their limits', async (key) => {
  // The table ties each check's cases to its own rules; here they are only run.
  const { scores, misses } = await measure(key, ruleCases[key] as readonly RuleCase<CheckKey>[]);
  for (const [rule, score] of scores) all.set(rule, score);
  expect(misses).toEqual([]);
});

test('no rule is without a case', () => {
  const untried = checkKeys.flatMap((key) => {
    const tried = new Set(ruleCases[key].map(({ rule }) => rule as string));
    return Object.keys(checkContracts[key].rules).flatMap((rule) => (tried.has(rule) ? [] : [`${key}.${rule}`]));
  });
  expect(untried).toEqual([]);
});

test('the table of rules is printed and the one in the documents is the same', () => {
  const table = qualityTable(all);
  console.log(table);
  const text = `# Preflight: precision and recall, rule by rule\n\nEvery rule is tried on generated PDFs just over and just under its limit; rules about objects also nested in a form, on a rotated page, with UserUnit and with a negative origin, where the verdict must stay, and on a hidden layer, clipped away, in white on bare paper and inside a soft mask, where nothing may be found (unless the rule is about something else than what prints). The cases stand beside each check in \`cases.ts\`. Regenerate with\n\`PREFLIGHT_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project prepress quality\`.\n\n${table}\n`;
  if (process.env.PREFLIGHT_QUALITY === 'write') writeFileSync(document, text);
  expect(existsSync(document) ? readFileSync(document, 'utf8') : '').toBe(text);
});
