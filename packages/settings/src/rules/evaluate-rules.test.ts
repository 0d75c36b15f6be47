import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { factsOf } from '../facts/facts.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { loadRegularExpressions, type RegularExpressions } from './regular-expressions.ts';
import { aboutSession } from './rule-examples.ts';
import { type Rule, type RuleGroup, ruleGroupSchema } from './rules.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
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
      const { verdict, table } = evaluateRules(root, { ...aboutSession(regular), facts: factsOf(given) });
      expect(verdict).toBe(naive(root, given));
      expect(ruleGroupSchema.parse(root)).toEqual(root);
      expect(new Set(table.map(({ path }) => path)).size).toBe(table.length);
    }),
    { numRuns: 500 },
  );
});
