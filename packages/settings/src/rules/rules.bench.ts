import { type BenchRow, median } from '@pdf2press/config/bench';
import { factsOf } from '../facts/facts.ts';
import { knownNames } from '../facts/known-names.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { loadRegularExpressions } from './regular-expressions.ts';
import type { Rule, RuleGroup } from './rules.ts';

/** What a condition of 100 rules of every type costs, two of them counting 10,000 findings. */
export async function bench(): Promise<BenchRow[]> {
  const regular = await loadRegularExpressions();
  const known = knownNames({ scope: 'rule', variables: [] });
  const kinds: Rule[] = [
    { fact: 'file.name', operator: 'contains', value: 'final' },
    { fact: 'file.name', operator: 'matchesWildcard', value: '*a4*.pdf' },
    { fact: 'pdf.trimWidth', operator: 'between', value: ['200mm', '220mm'] },
    { fact: 'pdf.pageCount', operator: 'multipleOf', value: 4 },
    { fact: 'pdf.hasTransparency', operator: 'is', value: true },
    { fact: 'now', operator: 'weekdayIn', value: [1, 2, 3, 4, 5] },
    { fact: 'now', operator: 'timeWindow', value: ['22:00', '06:00'] },
    { fact: 'pdf.inks', operator: 'containsAny', value: ['Gold', 'Silver'] },
    { fact: 'preflight.result', operator: 'in', value: ['Warning', 'Error'] },
    { fact: 'file.name', operator: 'matchesRegex', value: '^[a-z]+-a\\d' },
  ];
  const rules = Array.from({ length: 98 }, (_, at) => kinds[at % kinds.length] as Rule);
  const counted: Rule = {
    fact: 'preflight.findings',
    operator: 'greater',
    value: 3,
    findings: { severity: 'Warn', pages: '2-' },
  };
  const group: RuleGroup = { match: 'all', rules: [...rules, counted, counted] };
  const about = {
    facts: factsOf(
      {
        'file.name': 'flyer-A4_final.pdf',
        'pdf.trimWidth': 595.28,
        'pdf.pageCount': 8,
        'pdf.hasTransparency': true,
        'pdf.inks': ['Cyan', 'Gold'],
        'preflight.result': 'Warning',
        now: new Date(),
      },
      (name) => known.get(name)?.type,
    ),
    findings: Array.from({ length: 10_000 }, (_, at) => ({
      checkKey: 'Bleed',
      ruleKey: 'Bleed.missing',
      severity: 'Warn' as const,
      page: 1 + (at % 8),
    })),
    pageCount: 8,
    now: new Date(),
    unit: 'Millimeters',
    timeZone: 'Europe/Berlin',
    regular,
  } as const;
  const times = Array.from({ length: 61 }, () => {
    const start = performance.now();
    evaluateRules(group, about);
    return performance.now() - start;
  });
  return [{ name: 'a condition of 100 rules', ours: median(times), unit: 'ms', limit: 5 }];
}
