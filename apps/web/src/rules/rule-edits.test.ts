import { checkRules, type RuleGroup } from '@pdf2press/settings';
import { expect, test } from 'vitest';
import { factChoices, groupOf, namesAt } from './fact-groups.ts';
import {
  canNest,
  emptyRule,
  groupsIn,
  operandsIn,
  readGroup,
  withEntry,
  withFact,
  withMore,
  withOperand,
  withOperator,
  withoutEntry,
} from './rule-edits.ts';

const pages = { fact: 'pdf.pageCount', operator: 'between', value: [2, 4] };
const group: RuleGroup = { match: 'all', rules: [pages, { match: 'any', rules: [emptyRule] }] };

test('groups change without the one that was given', () => {
  expect(withEntry(group, 0, emptyRule).rules[0]).toEqual(emptyRule);
  expect(withoutEntry(group, 0).rules).toHaveLength(1);
  expect(withMore(group, emptyRule).rules).toHaveLength(3);
  expect(group.rules).toHaveLength(2);
  expect([1, 2, 3].map(canNest)).toEqual([true, true, false]);
  expect(readGroup(undefined)).toEqual({ match: 'all', rules: [] });
});

test('another comparison keeps the values that it can use', () => {
  const atLeast = { fact: 'pdf.pageCount', operator: 'atLeast', value: 2 };
  expect(withOperator(atLeast, 'Number', 'less')).toEqual({ ...atLeast, operator: 'less' });
  expect(withOperator(atLeast, 'Number', 'between')).toEqual({ fact: 'pdf.pageCount', operator: 'between' });
  expect(withOperator(pages, 'Number', 'exists')).toEqual({ fact: 'pdf.pageCount', operator: 'exists' });
});

test('something else to look at keeps comparison and values where it is of the same type', () => {
  expect(withFact(pages, 'pdf.spotCount', 'Number', 'Number')).toEqual({ ...pages, fact: 'pdf.spotCount' });
  expect(withFact(pages, 'file.name', 'Number', 'String')).toEqual({ fact: 'file.name', operator: 'equals' });
});

test('each value of a rule is changed by itself', () => {
  const one = { fact: 'pdf.pageCount', operator: 'atLeast' };
  expect(withOperand(one, 0, 'one', 3)).toEqual({ ...one, value: 3 });
  expect(withOperand({ ...one, value: 3 }, 0, 'one', undefined)).toEqual(one);
  expect(withOperand(pages, 1, 'two', { variable: 'limit' }).value).toEqual([2, { variable: 'limit' }]);
  expect(operandsIn(withOperand(one, 0, 'two', 2))).toEqual([2, '']);
});

test('groups are found wherever settings hold them', () => {
  expect(groupsIn({ when: group, other: { text: 'x' } }).map(({ path }) => path)).toEqual(['when']);
  expect(
    groupsIn({
      rules: [
        { id: 'a', when: group },
        { id: 'b', when: group },
      ],
    }).map(({ path }) => path),
  ).toEqual(['rules.0.when', 'rules.1.when']);
  expect(groupsIn(null)).toEqual([]);
});

test('every name of a place is in the list once, and can be looked at', () => {
  const variables = [
    { name: 'grade', type: 'String', default: null, isRequired: false, isPublic: false, options: [] } as const,
  ].map((one) => ({ ...one, options: [] }));
  const known = namesAt('rule', variables);
  const names = factChoices(known, { variables, checks: ['Bleed'] }).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(known.list.length + 2);
  expect(names[0]).toBe('grade');
  const rules = names.map((fact) => ({ fact, operator: 'exists' }));
  expect(checkRules({ match: 'all', rules }, { known, regular: null })).toEqual([]);
  expect(['date', 'preflight.check.Bleed.value', 'pdf.title', 'sheet.no'].map(groupOf)).toEqual([
    'time',
    'checks',
    'pdf',
    'scope',
  ]);
});
