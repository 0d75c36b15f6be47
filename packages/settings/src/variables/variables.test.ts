import { contractMessages, type WorkflowVariable } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { factsOf } from '../facts/facts.ts';
import { checkVariables, variableFacts } from './variables.ts';

const variable = (name: string, more: Partial<WorkflowVariable> = {}): WorkflowVariable => ({
  name,
  type: 'String',
  default: null,
  isRequired: false,
  isPublic: false,
  options: [],
  ...more,
});
const codes = (...variables: WorkflowVariable[]) =>
  checkVariables(variables).map(({ code, variable }) => `${code.split('.')[1]} ${variable}`);
const reader = { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' } as const;

test('each rule of variables is found', () => {
  expect(codes(variable('a'), variable('b', { default: '' }), variable('n', { type: 'Number', default: 3 }))).toEqual(
    [],
  );
  expect(codes(variable('a'), variable('A'))).toEqual(['variableTwice A']);
  expect(codes(variable('File.Name'), variable('order.sku'))).toEqual([
    'variableReserved File.Name',
    'variableReserved order.sku',
  ]);
  expect(codes(variable('a', { type: 'Select' }))).toEqual(['optionsMissing a']);
  expect(
    codes(
      variable('a', { type: 'Select', options: ['x'], default: 'y' }),
      variable('b', { type: 'Number', default: 'six' }),
    ),
  ).toEqual(['variableDefault a', 'variableDefault b']);
  expect(codes(variable('a', { default: '{{file.nam}} {{' }))).toEqual(['unknownName a', 'unclosed a']);
});

test('a variable that is filled from itself is named with the way round', () => {
  expect(codes(variable('a', { default: '{{A|upper}}' }))).toEqual(['variableLoop a']);
  const [issue] = checkVariables([
    variable('a', { default: '{{b}}' }),
    variable('b', { default: '{{c}} {{file.name}}' }),
    variable('c', { default: '{{a}}' }),
    variable('d', { default: '{{a}}' }),
  ]);
  expect(issue).toMatchObject({ code: 'workflow.variableLoop', params: { path: 'a → b → c → a' } });
  // A long chain is no loop, and many ways to one variable are looked at once.
  const chain = Array.from({ length: 200 }, (_, at) => variable(`v${at}`, { default: `{{v${at + 1}}}{{v${at + 2}}}` }));
  expect(codes(...chain, variable('v200'), variable('v201'))).toEqual([]);
});

test('every issue has a sentence', () => {
  for (const code of ['variableTwice', 'variableReserved', 'optionsMissing', 'variableDefault', 'variableLoop'])
    for (const messages of Object.values(contractMessages))
      expect(messages[`workflow.${code}`]).toContain('{variable}');
});

test('defaults are filled in from the session and from each other; what was handed in stays as it is', () => {
  const variables = [
    variable('title', { default: '{{label|upper}}!' }),
    variable('label', { default: '{{file.baseName}}-{{n}}' }),
    variable('n', { type: 'Number', default: 3 }),
    variable('loop', { default: 'x{{loop}}' }),
    variable('given', { default: '{{file.baseName}}' }),
  ];
  const facts = variableFacts({
    variables,
    values: {
      title: '{{label|upper}}!',
      label: '{{file.baseName}}-{{n}}',
      n: 3,
      loop: 'x{{loop}}',
      given: '{{n}}',
      'file.baseName': 'spoofed',
      side: 'spoofed',
      extra: 'e',
    },
    facts: factsOf({ 'file.baseName': 'flyer' }),
    reader,
  });
  expect(Object.fromEntries([...facts].map(([name, { value }]) => [name, value]))).toEqual({
    title: 'FLYER-3!',
    label: 'flyer-3',
    n: 3,
    loop: 'xx{{loop}}',
    given: '{{n}}',
    'file.basename': 'flyer',
    extra: 'e',
  });
});
