import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Fact, type FactType, factsOf } from '../facts/facts.ts';
import { knownNames } from '../facts/known-names.ts';
import { checkRules, needsRegularExpressions } from './check-rules.ts';
import { evaluateRules, type RuleFacts } from './evaluate-rules.ts';
import { operatorsByType } from './operators.ts';
import { loadRegularExpressions, type RegularExpressions } from './regular-expressions.ts';
import { type Rule, type RuleGroup, ruleGroupSchema } from './rules.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});

const mm = 72 / 25.4;
const known = knownNames({
  scope: 'rule',
  variables: [
    { name: 'width', type: 'Number', options: [] },
    { name: 'stock', type: 'Select', options: ['Silk', 'Matt'] },
    { name: 'isRush', type: 'YesNo', options: [] },
    { name: 'note', type: 'String', options: [] },
  ],
});
const facts = factsOf(
  {
    'file.name': 'Größe-A4_final.PDF',
    'pdf.pageCount': 8,
    'pdf.trimWidth': 595.32,
    'pdf.inks': ['Cyan', 'Gold'],
    'pdf.fontsMissing': [],
    'pdf.hasTransparency': true,
    'pdf.title': '',
    'order.dueDate': '2026-11-27',
    'session.createdAt': '2026-11-22T23:30:00Z',
    'preflight.result': 'Warning',
    'preflight.check.Bleed.result': 'Error',
    'preflight.check.Bleed.value': 3.5,
    'order.id': null,
    width: 210,
    stock: 'Silk',
    isRush: false,
    note: null,
  },
  (name) => known.get(name)?.type,
);
const about = (): RuleFacts => ({
  facts,
  findings: [
    { checkKey: 'Bleed', ruleKey: 'Bleed.missing', severity: 'Fail', page: 1, count: 3 },
    { checkKey: 'Bleed', ruleKey: 'Bleed.small', severity: 'Warn', page: null, pages: [2, 3] },
    { checkKey: 'Fonts', ruleKey: 'Fonts.embedded', severity: 'Info', page: null },
  ],
  pageCount: 8,
  now: new Date('2026-11-25T12:00:00Z'),
  unit: 'Millimeters',
  timeZone: 'Europe/Berlin',
  regular,
});
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
    expect(() => evaluateRules(group, { ...about(), regular: null })).toThrow('loadRegularExpressions');
  });
});

/** The rules once more, in another way: nested and short-circuit, by plain comparisons. */
function naive(node: Rule | RuleGroup, values: Record<string, unknown>): boolean {
  if ('match' in node) {
    const wanted = node.match !== 'all';
    for (const each of node.rules) if (naive(each, values) === wanted) return node.match === 'any';
    return node.match !== 'any';
  }
  const actual = values[node.fact];
  if (actual === null || actual === undefined) return false;
  const given = (Array.isArray(node.value) ? node.value : [node.value]).map((each) =>
    typeof each === 'object' ? values[each.variable] : each,
  );
  if (node.operator !== 'exists' && given.some((each) => each === null || each === undefined)) return false;
  const [one, two] = given as [number, number];
  const count = actual as number;
  const words = given.map((each) => `${each}`.toLowerCase());
  switch (node.operator) {
    case 'exists':
      return true;
    case 'less':
      return count < one;
    case 'atLeast':
      return count >= one;
    case 'between':
      return !(count < one) && !(count > two);
    case 'multipleOf':
      return one !== 0 && count % one === 0;
    case 'contains':
      return `${actual}`.toLowerCase().split(words[0] ?? '').length > 1 || words[0] === '';
    case 'inList':
      return words.some((word) => word === `${actual}`.toLowerCase());
    case 'is':
      return actual === given[0];
    case 'isNot':
      return actual !== given[0];
    case 'containsNone':
      return (actual as string[]).filter((entry) => words.includes(entry.toLowerCase())).length === 0;
    case 'containsAll':
      return words.filter((word) => !(actual as string[]).some((entry) => entry.toLowerCase() === word)).length === 0;
    default:
      throw new Error(node.operator);
  }
}

test('any group comes out as another way of looking at it says', () => {
  const small = fc.integer({ min: -6, max: 12 });
  const word = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'A'), minLength: 1, maxLength: 3 });
  const orVariable = <T>(value: fc.Arbitrary<T>, name: string) =>
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant({ variable: name }) });
  const rule: fc.Arbitrary<Rule> = fc.oneof(
    fc.record({ fact: fc.constantFrom('n', 'm', 't', 'l', 'y', 'none'), operator: fc.constant('exists') }),
    fc.record({
      fact: fc.constantFrom('n', 'm', 'none'),
      operator: fc.constantFrom('less', 'atLeast', 'multipleOf'),
      value: orVariable(small, 'm'),
    }),
    fc.record({
      fact: fc.constantFrom('n', 'm'),
      operator: fc.constant('between'),
      value: fc.tuple(small, orVariable(small, 'm')),
    }),
    fc.record({ fact: fc.constantFrom('t', 'none'), operator: fc.constant('contains'), value: orVariable(word, 'u') }),
    fc.record({
      fact: fc.constant('t'),
      operator: fc.constant('inList'),
      value: fc.array(orVariable(word, 'u'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ fact: fc.constant('y'), operator: fc.constantFrom('is', 'isNot'), value: fc.boolean() }),
    fc.record({
      fact: fc.constant('l'),
      operator: fc.constantFrom('containsNone', 'containsAll'),
      value: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
  );
  const group = (inner: fc.Arbitrary<Rule | RuleGroup>): fc.Arbitrary<RuleGroup> =>
    fc.record({ match: fc.constantFrom('all', 'any', 'none'), rules: fc.array(inner, { maxLength: 4 }) });
  const values = fc.record({
    n: small,
    m: fc.option(small),
    t: fc.option(word),
    u: fc.option(word),
    y: fc.option(fc.boolean()),
    l: fc.option(fc.array(word, { maxLength: 3 })),
  });
  const deep = group(fc.oneof(rule, group(fc.oneof(rule, group(rule)))));
  fc.assert(
    fc.property(deep, values, (root, given) => {
      const { verdict, table } = evaluateRules(root, { ...about(), facts: factsOf(given) });
      expect(verdict).toBe(naive(root, given));
      expect(ruleGroupSchema.parse(root)).toEqual(root);
      expect(new Set(table.map(({ path }) => path)).size).toBe(table.length);
    }),
    { numRuns: 500 },
  );
});
