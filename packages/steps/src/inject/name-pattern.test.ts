import { type WorkflowVariable, workflowDefinitionSchema } from '@pdf2press/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkWorkflow } from '../contracts.ts';
import { matchName } from './name-pattern.ts';

const { variables } = workflowDefinitionSchema.parse({
  variables: [
    { name: 'order', type: 'String' },
    { name: 'copies', type: 'Number' },
    { name: 'paper', type: 'Select', options: ['Gloss', 'Matt'] },
  ],
});
const match = (pattern: string, name: string, of: readonly WorkflowVariable[] = variables) =>
  matchName(pattern, name, of);

test.each([
  ['{{order}}_{{copies}}_*.pdf', '4711_500_flyer.pdf', { order: '4711', copies: '500' }],
  ['{{order}}_{{copies}}_*.pdf', '4711_500_flyer.PDF', { order: '4711', copies: '500' }],
  // A number takes digits only, so the order has the underscore.
  ['{{order}}_{{copies}}_*.pdf', '47_x_500_.pdf', { order: '47_x', copies: '500' }],
  ['{{order}}_{{copies}}_*.pdf', '4711_many_flyer.pdf', null],
  ['{{order}}_{{copies}}_*.pdf', '_500_flyer.pdf', null],
  ['{{order}}_{{copies}}_*.pdf', '4711_500_flyer.jpg', null],
  ['{{ORDER}} {{paper}}', '12 Matt.tif', { order: '12', paper: 'Matt' }],
  ['{{order}} {{paper}}', '12 Linen.tif', null],
  ['*', 'anything at all', {}],
  ['Job-*', 'job-1.pdf', {}],
  ['{{order}}.*', 'Übergröße.pdf', { order: 'Übergröße' }],
])('%s on %s', (pattern, name, values) => {
  expect(match(pattern, name)).toEqual(values);
  // Composed and decomposed letters are the same name.
  expect(match(pattern, name.normalize('NFD'))).toEqual(values);
});

test('what is put in by a pattern is read out of the name again', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
  fc.assert(
    fc.property(part, fc.nat(99_999), part, (order, copies, rest) => {
      const found = match('{{order}}_{{copies}}_*.pdf', `${order}_${copies}_${rest}.pdf`);
      expect(found).toEqual({ order, copies: String(copies) });
    }),
  );
});

test('no pattern takes long, however it is made', () => {
  const pattern = `${'*a'.repeat(140)}b`;
  const texts = variables.slice(0, 1);
  expect(match(pattern, `${'a'.repeat(199)}c`)).toBeNull();
  expect(match(`${'{{order}}a*'.repeat(20)}b`, `${'a'.repeat(199)}c`, texts)).toBeNull();
});

test.each([
  ['{{order}}_{{copies}}_*.pdf', []],
  ['{{nobody}}.pdf', [['placeholder.unknownName', 0]]],
  ['a_{{file.name}}.pdf', [['workflow.patternVariable', 2]]],
  ['{{order}}_{{ORDER}}.pdf', [['workflow.patternTwice', 10]]],
  ['{{order|upper}}.pdf', [['workflow.patternFormat', 0]]],
  ['{{order}}{{copies}}.pdf', [['workflow.patternUnclear', 9]]],
  ['{{order_{{copies}}.pdf', [['placeholder.unclosed', 0]]],
])('publishing %s tells %j', (namePattern, wanted) => {
  const definition = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', settings: { namePattern } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
    variables,
  });
  const issues = checkWorkflow(definition, { name: 'Names' });
  expect(issues.map(({ code, params }) => [code, params?.offset])).toEqual(wanted);
  for (const issue of issues) expect(issue).toMatchObject({ stepId: 'inject', field: 'namePattern' });
});
