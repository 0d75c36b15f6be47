import { beforeAll, describe, expect, test } from 'vitest';
import { checkRules, needsRegularExpressions } from './check-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { loadRegularExpressions, type RegularExpressions } from './regular-expressions.ts';
import { aboutSession, known } from './rule-examples.ts';
import { type Rule, type RuleGroup, ruleGroupSchema } from './rules.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});

describe('what is wrong with rules', () => {
  const issues = (group: RuleGroup) =>
    checkRules(group, { known, regular }).map(({ code, field }) => [code.slice(5), field]);
  const one = (rule: Rule) => issues({ match: 'all', rules: [rule] });
  test.each<[Rule, string | null, string?]>([
    [{ fact: 'pdf.pageCount', operator: 'greater', value: 4 }, null],
    [{ fact: 'pdf.trimWidth', operator: 'between', value: ['100mm', { variable: 'width' }] }, null],
    [{ fact: 'preflight.check.Fonts.result', operator: 'in', value: ['Error', 'warning'] }, null],
    [{ fact: 'now', operator: 'weekdayIn', value: [6, 7] }, null],
    [{ fact: 'now', operator: 'timeWindow', value: ['22:00', '06:00'] }, null],
    [{ fact: 'file.name', operator: 'matchesRegex', value: '^(a+)+$' }, null],
    [{ fact: 'note', operator: 'isEmpty' }, null],
    [{ fact: ' ', operator: 'equals', value: 1 }, 'factMissing', 'fact'],
    [{ fact: 'pdf.pages', operator: 'equals', value: 1 }, 'factUnknown', 'fact'],
    [{ fact: '__proto__', operator: 'exists' }, 'factUnknown', 'fact'],
    [{ fact: 'other', operator: 'exists' }, 'factUnknown', 'fact'],
    [{ fact: 'pdf.pageCount', operator: 'contains', value: '1' }, 'operatorNotForFact', 'operator'],
    [{ fact: 'pdf.pageCount', operator: 'constructor', value: 1 }, 'operatorNotForFact', 'operator'],
    [{ fact: 'pdf.pageCount', operator: 'equals' }, 'valueMissing', 'value'],
    [{ fact: 'pdf.pageCount', operator: 'equals', value: '' }, 'valueMissing', 'value'],
    [{ fact: 'pdf.pageCount', operator: 'equals', value: [1, 2] }, 'valueMissing', 'value'],
    [{ fact: 'file.name', operator: 'inList', value: [] }, 'valueMissing', 'value'],
    [{ fact: 'pdf.pageCount', operator: 'equals', value: 'eight' }, 'valueWrong', 'value'],
    [{ fact: 'pdf.trimWidth', operator: 'between', value: ['1mm', 'wide'] }, 'valueWrong', 'value.1'],
    [{ fact: 'pdf.hasTransparency', operator: 'is', value: 1 }, 'valueWrong', 'value'],
    [{ fact: 'now', operator: 'before', value: '24.12.2026' }, 'valueWrong', 'value'],
    [{ fact: 'now', operator: 'weekdayIn', value: [0] }, 'valueWrong', 'value.0'],
    [{ fact: 'now', operator: 'timeWindow', value: ['8', '24:00'] }, 'valueWrong', 'value.0'],
    [{ fact: 'now', operator: 'olderThan', value: '2 years' }, 'valueWrong', 'value'],
    [{ fact: 'preflight.result', operator: 'is', value: 'Bad' }, 'valueWrong', 'value'],
    [{ fact: 'pdf.inks', operator: 'countEquals', value: -1 }, 'valueWrong', 'value'],
    [{ fact: 'file.name', operator: 'matchesRegex', value: '(' }, 'expressionInvalid', 'value'],
    [{ fact: 'file.name', operator: 'matchesRegex', value: '(?<=a)b' }, 'expressionInvalid', 'value'],
    [{ fact: 'file.name', operator: 'equals', value: { variable: 'nots' } }, 'variableUnknown', 'value'],
    [{ fact: 'pdf.hasTransparency', operator: 'is', value: { variable: 'width' } }, 'variableNotForOperator', 'value'],
  ])('%j: %s', (rule, code, field) => {
    const found = one(rule);
    expect(found[0] ?? null).toEqual(code === null ? null : [code, `rules.0.${field}`]);
  });

  const nest = (depth: number): RuleGroup => ({
    match: 'all',
    rules: [depth > 1 ? nest(depth - 1) : { fact: 'now', operator: 'exists' }],
  });
  test('empty groups, too deep ones and too many rules', () => {
    expect(issues({ match: 'all', rules: [] })).toEqual([['empty', 'rules']]);
    expect(issues({ match: 'all', rules: [{ match: 'any', rules: [] }] })).toEqual([['empty', 'rules.0.rules']]);
    expect(issues(nest(3))).toEqual([]);
    expect(issues(nest(4))).toEqual([['tooDeep', 'rules.0.rules.0.rules.0']]);
    const many = Array.from({ length: 201 }, () => ({ fact: 'now', operator: 'exists' }));
    expect(issues({ match: 'all', rules: many })).toEqual([['tooMany', 'rules']]);
    expect(ruleGroupSchema.safeParse(nest(3)).success).toBe(true);
    const codes = (value: unknown) =>
      ruleGroupSchema
        .safeParse(value)
        .error?.issues.map((issue) => (issue as { params?: { code?: string } }).params?.code);
    expect(codes(nest(4))).toEqual(['rule.tooDeep']);
    expect(codes({ match: 'all', rules: many })).toEqual(['rule.tooMany']);
    // Nested ten thousand deep, as JSON text can be.
    const text = `${'{"match":"all","rules":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    expect(codes(JSON.parse(text))).toEqual(['rule.tooDeep']);
    for (const wrong of [
      null,
      1,
      [],
      {},
      { match: 'some', rules: [] },
      { match: 'all', rules: [1] },
      { match: 'all', rules: [{ fact: 'x' }] },
    ])
      expect(ruleGroupSchema.safeParse(wrong).success).toBe(false);
  });
  test('the engine for regular expressions is asked for only where one is used', () => {
    expect(needsRegularExpressions(nest(3))).toBe(false);
    const group: RuleGroup = {
      match: 'all',
      rules: [{ match: 'any', rules: [{ fact: 'file.name', operator: 'matchesRegex', value: 'x' }] }],
    };
    expect(needsRegularExpressions(group)).toBe(true);
    expect(() => evaluateRules(group, { ...aboutSession(regular), regular: null })).toThrow('loadRegularExpressions');
  });
});
