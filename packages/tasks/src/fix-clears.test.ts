/** Every fix that a finding suggests is run with the suggested settings; afterwards the rule must not report the file. */

import { readdirSync, readFileSync } from 'node:fs';
import { isNight, sampled } from '@pdf2press/config/by-day';
import { type FixKey, fixKeys } from '@pdf2press/fix/contracts';
import { fixedBy, writePdf } from '@pdf2press/fix/testing';
import { type CheckKey, checkKeys } from '@pdf2press/preflight/contracts';
import type { RuleCase } from '@pdf2press/preflight/testing';
import { pdfOf, reportOf, ruleCases } from '@pdf2press/preflight/testing';
import { expect, test } from 'vitest';

/** Rules whose suggested fix cannot correct the document of the case, with the reason. */
const beyond: Readonly<Record<string, string>> = {};

/** Actions that no finding suggests, with the reason. */
const unasked: Partial<Record<FixKey, string>> = {
  AddText: 'no check requires a text',
  AddTrimMarks: 'no check requires trim marks',
  ImagesToPdf: 'its input is an image, and preflight reads only PDFs',
  PlaceBarcode: 'no check requires a barcode',
};

/** Tested pairs of check and action. */
const tried = new Set<string>();

/** The first case of every rule. */
const casesOf = (key: CheckKey): RuleCase<CheckKey>[] => {
  const cases = ruleCases[key] as readonly RuleCase<CheckKey>[];
  return cases.filter(({ rule }, index) => cases.findIndex((other) => other.rule === rule) === index);
};

test.each(sampled(checkKeys, 4))('the fixes that %s suggests remove its findings', async (key) => {
  const unhelped: string[] = [];
  for (const ruleCase of casesOf(key)) {
    const rule = `${key}.${ruleCase.rule}`;
    const before = writePdf(pdfOf(ruleCase.breaks));
    const report = await reportOf(key, ruleCase, before);
    const fix = report.findings.find(({ ruleKey }) => ruleKey === rule)?.fixableBy;
    if (!fix || rule in beyond) continue;
    tried.add(`${key} ${fix.action}`);
    const { path, report: fixReport } = await fixedBy(before, fix.action as never, fix.params);
    const after = await reportOf(key, ruleCase, path);
    const remains = after.findings.some(({ ruleKey }) => ruleKey === rule);
    if (remains) unhelped.push(`${rule} by ${JSON.stringify(fix)}: ${JSON.stringify(fixReport).slice(0, 600)}`);
  }
  expect(unhelped).toEqual([]);
});

/** Actions that a source file names. */
const actionsIn = (source: string): FixKey[] => fixKeys.filter((action) => source.includes(`action: '${action}'`));
const sourcesIn = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));

const checks = new URL('../../preflight/src/checks/', import.meta.url);

/** Functions outside the folders of checks that return a suggestion, with their source text. */
const hintHelpers = [checks, new URL('../reading/', checks)]
  .flatMap(sourcesIn)
  .flatMap((source) =>
    [...source.matchAll(/export function (\w+)\([^)]*\): FixHint/g)].map(([, name = '']) => [name, source] as const),
  );

/** Every check with every action named in its folder or in a function that it calls. */
function namedPairs(): string[] {
  const folders = readdirSync(checks, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const own = sourcesIn(new URL(`${name}/`, checks));
    const key = checkKeys.find((candidate) => own.some((source) => source.includes(`key: '${candidate}'`)));
    const helpers = hintHelpers.filter(([name]) => own.some((source) => source.includes(`${name}(`)));
    return [...new Set([...own, ...helpers.map(([, source]) => source)].flatMap(actionsIn))].map(
      (action) => `${key} ${action}`,
    );
  });
}

// Must follow the tests above, which fill `tried`; by day three quarters of them are left out.
test.skipIf(!isNight)('every pair of check and action is tested', () => {
  expect(namedPairs().filter((pair) => !tried.has(pair))).toEqual([]);
});

test('every action is suggested or has a reason', () => {
  const named = namedPairs();
  expect(named.length).toBeGreaterThan(25);
  const actions = new Set(named.map((pair) => pair.split(' ')[1]));
  expect(fixKeys.filter((action) => !actions.has(action)).sort()).toEqual(Object.keys(unasked).sort());
});
