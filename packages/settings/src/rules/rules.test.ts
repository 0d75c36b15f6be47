import { beforeAll, describe, expect, test } from 'vitest';
import { type Fact, type FactType, factsOf } from '../facts/facts.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { operatorsByType } from './operators.ts';
import { loadRegularExpressions, type RegularExpressions } from './regular-expressions.ts';
import { aboutSession, mm } from './rule-examples.ts';
import type { Rule, RuleGroup } from './rules.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});
const about = () => aboutSession(regular);
const holds = (fact: string, operator: string, value?: Rule['value'], more: Partial<Rule> = {}) =>
  evaluateRules({ match: 'all', rules: [{ fact, operator, ...(value !== undefined && { value }), ...more }] }, about())
    .verdict;

describe('operators', () => {
  test.each<[string, string, Rule['value'], boolean]>([
    ['file.name', 'equals', 'größe-a4_FINAL.pdf', true],
    ['file.name', 'notEquals', 'x', true],
    ['file.name', 'contains', 'FINAL', true],
    ['file.name', 'notContains', 'draft', true],
    ['FILE.NAME', 'startsWith', 'grö', true],
    ['file.name', 'endsWith', '.pdf', true],
    ['file.name', 'matchesWildcard', '*a4*.pdf', true],
    ['file.name', 'matchesWildcard', 'a4*', false],
    ['file.name', 'matchesRegex', '^gr.{2}e-a\\d_(final|draft)', true],
    ['file.name', 'matchesRegex', '(', false],
    ['file.name', 'inList', ['x', 'größe-a4_final.pdf'], true],
    ['pdf.title', 'isEmpty', undefined, true],
    ['file.name', 'isEmpty', undefined, false],
    ['pdf.pageCount', 'equals', 8, true],
    ['pdf.pageCount', 'notEquals', 8, false],
    ['pdf.pageCount', 'less', 8, false],
    ['pdf.pageCount', 'atMost', 8, true],
    ['pdf.pageCount', 'greater', '7', true],
    ['pdf.pageCount', 'atLeast', 9, false],
    ['pdf.pageCount', 'between', [8, 10], true],
    ['pdf.pageCount', 'between', [8], false],
    ['pdf.pageCount', 'multipleOf', 4, true],
    ['pdf.pageCount', 'multipleOf', 3, false],
    ['pdf.pageCount', 'multipleOf', 0, false],
    ['pdf.trimWidth', 'equals', '210mm', true],
    ['pdf.trimWidth', 'equals', 210 * mm, true],
    ['pdf.trimWidth', 'equals', '210', true],
    ['pdf.trimWidth', 'greater', '210mm', false],
    ['pdf.trimWidth', 'greater', '20.9cm', true],
    ['pdf.trimWidth', 'equals', { variable: 'width' }, true],
    ['pdf.trimWidth', 'multipleOf', '105mm', true],
    ['pdf.hasTransparency', 'is', true, true],
    ['pdf.hasTransparency', 'isNot', { variable: 'isRush' }, true],
    ['pdf.hasTransparency', 'is', 'true', false],
    ['order.dueDate', 'before', '2026-11-28', true],
    ['order.dueDate', 'after', '2026-11-27', false],
    ['order.dueDate', 'between', ['2026-11-27', '2026-11-27'], true],
    ['order.dueDate', 'weekdayIn', [5], true],
    ['order.dueDate', 'timeWindow', ['00:00', '23:59'], false],
    // Half past eleven at night in London is already the next day in Berlin, a Monday.
    ['session.createdAt', 'after', '2026-11-22', true],
    ['session.createdAt', 'before', '2026-11-23', false],
    ['session.createdAt', 'between', ['2026-11-23', '2026-11-23'], true],
    ['session.createdAt', 'weekdayIn', [1, 2], true],
    ['session.createdAt', 'timeWindow', ['22:00', '6:00'], true],
    ['session.createdAt', 'timeWindow', ['06:00', '22:00'], false],
    ['session.createdAt', 'olderThan', '2d', true],
    ['session.createdAt', 'olderThan', '1w', false],
    ['preflight.result', 'is', 'warning', true],
    ['preflight.result', 'in', ['Success', 'Error'], false],
    ['stock', 'is', 'silk', true],
    ['preflight.check.Bleed.result', 'is', 'Error', true],
    ['preflight.check.Bleed.value', 'greater', 3, true],
    ['pdf.inks', 'containsAny', ['gold', 'Silver'], true],
    ['pdf.inks', 'containsAll', ['gold', 'Silver'], false],
    ['pdf.inks', 'containsNone', ['Silver'], true],
    ['pdf.inks', 'countEquals', 2, true],
    ['pdf.inks', 'countNotEquals', 2, false],
    ['pdf.inks', 'countLess', 3, true],
    ['pdf.inks', 'countAtMost', 1, false],
    ['pdf.inks', 'countGreater', 1, true],
    ['pdf.inks', 'countAtLeast', 3, false],
    ['pdf.fontsMissing', 'countEquals', 0, true],
    ['pdf.fontsMissing', 'exists', undefined, true],
    ['order.id', 'exists', undefined, false],
    ['file.name', 'exists', undefined, true],
  ])('%s %s %j is %s', (fact, operator, value, expected) => expect(holds(fact, operator, value)).toBe(expected));

  test('case counts where it is asked for', () => {
    expect(holds('file.name', 'contains', 'FINAL', { isCaseSensitive: true })).toBe(false);
    expect(holds('file.name', 'matchesRegex', 'FINAL', { isCaseSensitive: true })).toBe(false);
    expect(holds('file.name', 'contains', 'final', { isCaseSensitive: true })).toBe(true);
  });

  test('without a value every rule is false, and so is one with an operator of another type', () => {
    for (const [type, operators] of Object.entries(operatorsByType))
      for (const [name, { count }] of Object.entries(operators)) {
        const value = count === 'none' ? undefined : count === 'two' ? [1, 2] : count === 'many' ? [1] : 1;
        const missing = { ...about(), facts: new Map<string, Fact>([['x', { type: type as FactType, value: null }]]) };
        const rule = { fact: 'x', operator: name, ...(value !== undefined && { value }) };
        expect(evaluateRules({ match: 'all', rules: [rule] }, missing).verdict).toBe(false);
      }
    expect(holds('nothing', 'notEquals', 'x')).toBe(false);
    expect(holds('file.name', 'notEquals', { variable: 'note' })).toBe(false);
    expect(holds('pdf.pageCount', 'contains', '8')).toBe(false);
    expect(holds('pdf.pageCount', 'toString', '8')).toBe(false);
    expect(holds('__proto__', 'exists')).toBe(false);
  });

  test('findings are counted by check, rule, severity and pages', () => {
    const count = (findings: Rule['findings']) => {
      const { table } = evaluateRules(
        { match: 'all', rules: [{ fact: 'preflight.findings', operator: 'atLeast', value: 1, findings }] },
        about(),
      );
      return table[0]?.actual;
    };
    expect(count(undefined)).toBe(5);
    expect(count({ severity: 'Warn' })).toBe(4);
    expect(count({ severity: 'Fail', check: 'Bleed' })).toBe(3);
    expect(count({ severity: 'Info', rule: 'Bleed.small', pages: '3-' })).toBe(1);
    expect(count({ severity: 'Info', pages: '4-' })).toBe(0);
    expect(count({ severity: 'Info', pages: 'first' })).toBe(3);
    const { findings: _, ...unchecked } = about();
    const rule = { fact: 'preflight.findings', operator: 'equals', value: 0 };
    expect(evaluateRules({ match: 'all', rules: [rule] }, unchecked).verdict).toBe(false);
  });
});

test('the table names every rule with what was expected and what is there', () => {
  const group: RuleGroup = {
    match: 'any',
    rules: [
      { fact: 'pdf.pageCount', operator: 'greater', value: 100 },
      { match: 'none', rules: [{ fact: 'order.id', operator: 'exists' }] },
      { fact: 'pdf.trimWidth', operator: 'between', value: [{ variable: 'note' }, '300mm'] },
    ],
  };
  expect(evaluateRules(group, about())).toEqual({
    verdict: true,
    table: [
      {
        path: 'rules.0',
        fact: 'pdf.pageCount',
        type: 'Number',
        operator: 'greater',
        expected: [100],
        actual: 8,
        verdict: false,
      },
      {
        path: 'rules.1.rules.0',
        fact: 'order.id',
        type: 'String',
        operator: 'exists',
        expected: [],
        actual: null,
        verdict: false,
      },
      {
        path: 'rules.2',
        fact: 'pdf.trimWidth',
        type: 'Length',
        operator: 'between',
        expected: [null, '300mm'],
        actual: 595.32,
        verdict: false,
      },
    ],
  });
  const long = evaluateRules(
    { match: 'all', rules: [{ fact: 'a', operator: 'contains', value: 'x' }] },
    { ...about(), facts: factsOf({ a: 'x'.repeat(100_000) }) },
  );
  expect(JSON.stringify(long).length).toBeLessThan(1000);
});
