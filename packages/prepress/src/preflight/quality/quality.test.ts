import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { objectCases } from './object-cases.ts';
import { pageCases, renderedCases } from './page-cases.ts';
import { measure, qualityTable, type Score } from './quality.ts';

/** Kept for readers; `PREFLIGHT_QUALITY=write npx vitest run … quality` writes it anew. */
const document = fileURLToPath(new URL('../../../../../docs/preflight-quality.md', import.meta.url));
const all = new Map<string, Score>();

async function judge(cases: Parameters<typeof measure>[0]): Promise<void> {
  const { scores, misses } = await measure(cases);
  for (const [rule, score] of scores) all.set(rule, score);
  expect(misses).toEqual([]);
}

test(
  'rules about objects hold on both sides of their limits, wherever the object stands',
  () => judge(objectCases),
  120_000,
);
test('rules about pages and documents hold on both sides of their limits', () => judge(pageCases), 120_000);
test('rules about ink hold on both sides of their limits', () => judge(renderedCases), 120_000);

test('the table of rules is printed and the one in the documents is the same', () => {
  const table = qualityTable(all);
  console.log(table);
  const text = `# Preflight: precision and recall, rule by rule\n\nEvery rule is tried on generated PDFs just over and just under its limit; rules about objects also nested in a form, on a rotated page, with UserUnit, with a negative origin, and on a hidden layer, clipped away and inside a soft mask, where nothing may be found. Regenerate with\n\`PREFLIGHT_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project prepress quality\`.\n\n${table}\n`;
  if (process.env.PREFLIGHT_QUALITY === 'write') writeFileSync(document, text);
  expect(existsSync(document) ? readFileSync(document, 'utf8') : '').toBe(text);
});
