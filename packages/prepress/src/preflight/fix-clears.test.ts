/** What a finding suggests must help: the fix, set as suggested, is run, and the rule has nothing more to say. */
import { expect, test } from 'vitest';
import { type CheckKey, checkKeys } from '../checks/contracts.ts';
import { fixedBy, writePdf } from '../testing/fix-files.ts';
import { ruleCases } from './quality/cases.ts';
import { pdfOf } from './quality/doc.ts';
import { reportOf } from './quality/quality.ts';
import type { RuleCase } from './quality/rule-case.ts';

/** Rules whose fix cannot mend the page of the case, and why. */
const beyond: Readonly<Record<string, string>> = {};

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
    const { path, report: fixReport } = await fixedBy(before, fix.action as never, fix.params);
    const after = await reportOf(key, ruleCase, path);
    const remains = after.findings.some(({ ruleKey }) => ruleKey === rule);
    if (remains) unhelped.push(`${rule} by ${JSON.stringify(fix)}: ${JSON.stringify(fixReport).slice(0, 600)}`);
  }
  expect(unhelped).toEqual([]);
});
