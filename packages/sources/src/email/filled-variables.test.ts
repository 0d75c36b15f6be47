import { expect, test } from 'vitest';
import { mailboxSettingsSchema } from './contract.ts';
import { newlyUnfilledVariables, unfilledVariables } from './filled-variables.ts';

const variables = [
  { name: 'order', type: 'String' },
  { name: 'copies', type: 'Number' },
  { name: 'express', type: 'YesNo' },
  { name: 'customer', type: 'Select' },
] as const;
const settingsOf = (change: object) =>
  mailboxSettingsSchema.parse({ host: 'h', username: 'u', workflowId: 'wfl_one', ...change });
const pattern = (text: string) => ({ part: 'subject', pattern: text });
const told = (change: object) =>
  unfilledVariables(settingsOf(change), variables).map(({ field, code, params }) => [field, code, params.name]);

test.each([
  [{}, []],
  [{ subjectVariable: 'Order', senderVariable: 'customer', bodyVariable: 'copies' }, []],
  [{ patterns: [pattern('* {{ORDER}}, {{copies}} {{express}} *')] }, []],
  [{ subjectVariable: 'ordre' }, [['subjectVariable', 'mail.variableUnknown', 'ordre']]],
  [{ senderVariable: 'copies' }, [['senderVariable', 'mail.variableNotAddress', 'copies']]],
  [{ senderVariable: 'express' }, [['senderVariable', 'mail.variableNotAddress', 'express']]],
  [
    { bodyVariable: 'text', patterns: [pattern('{{order}}'), pattern('{{coppies}} of {{ordr}}')] },
    [
      ['bodyVariable', 'mail.variableUnknown', 'text'],
      ['patterns.1.pattern', 'mail.variableUnknown', 'coppies'],
      ['patterns.1.pattern', 'mail.variableUnknown', 'ordr'],
    ],
  ],
])('of %j is told: %j', (change, faults) => {
  expect(told(change)).toEqual(faults);
});

test('what stood there before is not told again, unless it goes to another workflow', () => {
  const before = settingsOf({ patterns: [pattern('{{gone}}')] });
  const names = (change: object) =>
    newlyUnfilledVariables(settingsOf(change), before, variables).map(({ params }) => params.name);
  expect(names({ patterns: [pattern('{{order}}'), pattern('No. {{GONE}}')] })).toEqual([]);
  expect(names({ patterns: [pattern('{{gone}} {{new}}')] })).toEqual(['new']);
  expect(names({ patterns: [pattern('{{gone}}')], workflowId: 'wfl_two' })).toEqual(['gone']);
  expect(newlyUnfilledVariables(before, undefined, variables)).toHaveLength(1);
});
