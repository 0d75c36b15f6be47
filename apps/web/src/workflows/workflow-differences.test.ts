import { workflowDefinitionSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { differencesOf, draftDifferences, isSame } from './workflow-differences.ts';
import * as edit from './workflow-edit.ts';

const before = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'hold', kind: 'Hold', settings: { reason: 'Paper?', when: 'Always' } },
    { id: 'complete', kind: 'Complete' },
  ],
  edges: [
    { id: '1', from: 'inject', outcome: 'done', to: 'hold' },
    { id: '2', from: 'hold', outcome: 'continue', to: 'complete' },
  ],
  variables: [{ name: 'copies', type: 'Number', default: 100 }],
});
const said = (after: typeof before) => differencesOf(before, after).map(({ kind }) => kind);

test('a copy is the same, whatever the order of its keys and the ids of its edges', () => {
  const copy = structuredClone(before);
  expect(isSame(before, copy)).toBe(true);
  expect(said({ ...copy, edges: copy.edges.map((edge) => ({ ...edge, id: `new ${edge.id}` })) })).toEqual([]);
});

test('each kind of change is told once, and where steps stand comes last', () => {
  expect(said(edit.setSettings(before, 'hold', { reason: 'Ink?', when: 'Always' }))).toEqual(['settingChanged']);
  expect(said(edit.renameStep(before, 'hold', 'Ask'))).toEqual(['stepRenamed']);
  expect(said(edit.disconnect(before, ['2']))).toEqual(['connectionRemoved']);
  expect(said(edit.setVariables(before, []))).toEqual(['variableRemoved']);
  const moved = edit.moveSteps(edit.removeSteps(before, ['hold']), new Map([['complete', { x: 500, y: 0 }]]));
  expect(said(moved)).toEqual(['stepRemoved', 'connectionRemoved', 'connectionRemoved', 'stepMoved']);
});

test('another name is told, too: it may be all that differs between two drafts', () => {
  expect(draftDifferences({ name: 'Cards', draft: before }, { name: 'Flyers', draft: before })).toEqual([
    { kind: 'nameChanged', before: 'Cards', after: 'Flyers' },
  ]);
});

test('of a group of settings what differs in it is told, of a list the whole', () => {
  const [one, other] = [
    { deadline: { hours: 24, remind: true }, answers: ['continue'] },
    { deadline: { hours: 48, remind: true }, answers: ['continue', 'cancel'] },
  ].map((settings) => edit.setSettings(before, 'hold', settings));
  if (!one || !other) throw new Error('there are two');
  expect(
    differencesOf(one, other).map((told) => told.kind === 'settingChanged' && [told.setting, told.before, told.after]),
  ).toEqual([
    ['deadline.hours', 24, 48],
    ['answers', ['continue'], ['continue', 'cancel']],
  ]);
});
