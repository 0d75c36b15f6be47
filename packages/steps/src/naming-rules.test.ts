import { expect, test } from 'vitest';
import { expressionIssues } from './name-file.ts';
import { renameProfileSchema } from './naming-rules.ts';

const faults = (settings: object): string[] =>
  (renameProfileSchema.safeParse(settings).error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')} ${issue.code === 'custom' ? issue.params?.code : issue.code}`,
  );

test('nothing given is a profile that keeps the name', () => {
  expect(renameProfileSchema.parse({})).toEqual({
    pattern: '{{file.baseName}}',
    operations: [],
    collision: 'version',
    scope: 'production',
  });
});

test('a profile serves workflows of any variables, and refuses names that no workflow can have', () => {
  expect(faults({ pattern: '{{Grammage}}_{{order.id|slug}}' })).toEqual([]);
  expect(faults({ pattern: '{{order.number}}' })).toEqual(['pattern placeholder.unknownName']);
  expect(faults({ operations: [{ action: 'case' }, { action: 'suffix', text: '{{file.name|big}}' }] })).toEqual([
    'operations.1.text placeholder.unknownFormat',
  ]);
});

test('an operation without what it needs is refused with its place', async () => {
  const operations = [
    { action: 'replace' },
    { action: 'keepSegment', separator: '' },
    { action: 'date', datePattern: 'qqq' },
    { action: 'regex', expression: '(' },
  ];
  expect(faults({ operations })).toEqual([
    'operations.0.find value.required',
    'operations.1.separator value.required',
    'operations.2.datePattern placeholder.argumentInvalid',
  ]);
  const rules = renameProfileSchema.parse({ operations: [operations[3]] });
  expect(await expressionIssues(rules)).toEqual([{ code: 'rule.expressionInvalid', field: 'operations.0.expression' }]);
});
