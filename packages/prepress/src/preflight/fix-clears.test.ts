/** What a finding suggests must help: the fix, set as suggested, is run, and the rule has nothing more to say. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CheckKey, checkKeys } from '../checks/contracts.ts';
import { type FixKey, fixKeys } from '../fixes/contracts.ts';
import { fixedBy, writePdf } from '../testing/fix-files.ts';
import { ruleCases } from './quality/cases.ts';
import { pdfOf } from './quality/doc.ts';
import { reportOf } from './quality/quality.ts';
import type { RuleCase } from './quality/rule-case.ts';

/** Rules whose fix cannot mend the page of the case, and why. */
const beyond: Readonly<Record<string, string>> = {};

/** Actions that no finding can ask for. */
const unasked: Partial<Record<FixKey, string>> = {
  AddTrimMarks: 'no check wants marks: whoever prints the sheet does',
  ImagesToPdf: 'a picture is no PDF yet, and preflight reads PDFs only',
};

/** Pairs that were tried: check and action. */
const tried = new Set<string>();

/** The first case of every rule. */
const casesOf = (key: CheckKey): RuleCase<CheckKey>[] => {
  const cases = ruleCases[key] as readonly RuleCase<CheckKey>[];
  return cases.filter(({ rule }, index) => cases.findIndex((other) => other.rule === rule) === index);
};

test.each(checkKeys)('the fixes that %s suggests clear its findings', async (key) => {
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

/** Actions a source names. */
const actionsIn = (source: string): FixKey[] => fixKeys.filter((action) => source.includes(`action: '${action}'`));
const sourcesIn = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** Functions that several checks take their suggestion from, with the source they stand in. */
const hintHelpers = sourcesIn(new URL('./', import.meta.url)).flatMap((source) =>
  [...source.matchAll(/export function (\w+)\([^)]*\): FixHint/g)].map(([, name = '']) => [name, source] as const),
);

/** Every check with every action its code names, in its own folder or in a helper it calls. */
function namedPairs(): string[] {
  const checks = new URL('../checks/', import.meta.url);
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

// Stands last: the tests above have tried the pairs.
test('no pair of check and action is left out, and no action without a reason', () => {
  const named = namedPairs();
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((pair) => !tried.has(pair))).toEqual([]);
  const actions = new Set(named.map((pair) => pair.split(' ')[1]));
  expect(fixKeys.filter((action) => !actions.has(action)).sort()).toEqual(Object.keys(unasked).sort());
});
