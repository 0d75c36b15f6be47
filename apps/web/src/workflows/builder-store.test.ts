import { type Workflow, workflowDefinitionSchema } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { createBuilder } from './builder-store.ts';

const draft = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject', position: { x: 0, y: 0 } },
    { id: 'complete', kind: 'Complete', position: { x: 300, y: 0 } },
  ],
  edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
});
const workflow: Workflow = {
  id: 'wfl_1',
  name: 'Cards',
  description: '',
  isEnabled: true,
  publishedVersion: null,
  organization: null,
  hasUnpublishedChanges: true,
  createdAt: '2026-11-22T10:00:00.000Z',
  updatedAt: '2026-11-22T10:00:00.000Z',
  sessionCount: 0,
  sketch: { steps: [], edges: [] },
  variables: [],
  takes: { uploads: true, types: ['PDF'], zips: 'sessions', sidecars: false, named: [] },
  draft,
  draftRevision: 1,
  issues: [],
};
const open = (isReadOnly = false) => createBuilder(workflow, { isReadOnly });
const present = (builder: ReturnType<typeof open>) => builder.store.getState().history.present;
const kindsIn = (builder: ReturnType<typeof open>) => present(builder).draft.steps.map(({ kind }) => kind);

describe('the builder', () => {
  test('a burst of typing is one entry, and another field another', () => {
    const builder = open();
    for (const name of ['B', 'Bo', 'Box']) builder.setHead({ name });
    builder.rename('inject', 'Files');
    expect(builder.store.getState().history.past).toHaveLength(2);
    builder.undo();
    expect(present(builder).name).toBe('Box');
    builder.undo();
    expect(present(builder)).toEqual({ name: 'Cards', description: '', draft });
    builder.redo();
    expect(present(builder).name).toBe('Box');
  });

  test('a new step is chosen, its form opens, and what is wrong with it is known at once', async () => {
    const builder = open();
    await builder.startChecks();
    builder.addStep('Preflight', { kind: 'on', edgeId: 'a' });
    const { chosen, panel, issues } = builder.store.getState();
    expect(chosen).toEqual(['preflight']);
    expect(panel).toBe('step');
    expect(issues.map(({ code, stepId, field }) => [code, stepId, field])).toContainEqual([
      'workflow.profileMissing',
      'preflight',
      'profileId',
    ]);
  });

  test('a hundred gestures are undone one by one, and done again', () => {
    const builder = open();
    const states = [present(builder)];
    const gestures = [
      () => builder.addStep('Hold', null),
      () => builder.rename('hold', `Hold ${states.length}`),
      () => builder.move(new Map([['hold', { x: states.length * 20, y: 0 }]])),
      () => builder.setHead({ name: `Cards ${states.length}` }),
      () => builder.remove(['hold']),
    ];
    for (let count = 0; count < 100; count += 1) {
      gestures[count % gestures.length]?.();
      states.push(present(builder));
    }
    expect(new Set(states).size).toBe(101);
    for (const state of states.slice(0, -1).reverse()) {
      builder.undo();
      expect(present(builder)).toBe(state);
    }
    builder.undo();
    expect(present(builder)).toBe(states[0]);
    for (const state of states.slice(1)) {
      builder.redo();
      expect(present(builder)).toBe(state);
    }
  });

  test('until the rules are there the issues are those that the server found', async () => {
    const told = { code: 'workflow.nameMissing', field: 'name' };
    const builder = createBuilder({ ...workflow, issues: [told] }, { isReadOnly: false });
    builder.addStep('Preflight', { kind: 'on', edgeId: 'a' });
    expect(builder.store.getState().issues).toEqual([told]);
    await builder.startChecks();
    expect(builder.store.getState().issues.map(({ code }) => code)).toEqual(['workflow.profileMissing']);
  });

  test('moving steps checks nothing again, and whatever else is changed is checked', async () => {
    const builder = open();
    await builder.startChecks();
    const { issues, flow } = builder.store.getState();
    builder.move(new Map([['inject', { x: 40, y: 80 }]]));
    expect(present(builder).draft.steps[0]?.position).toEqual({ x: 40, y: 80 });
    expect(builder.store.getState().flow).toBe(flow);
    expect(builder.store.getState().issues).toBe(issues);
    builder.undo();
    expect(builder.store.getState().flow).toBe(flow);
    builder.disconnect(['a']);
    expect(builder.store.getState().flow).toBe(present(builder).draft);
    expect(builder.store.getState().issues).not.toEqual(issues);
  });

  test('a broken rule is told and changes nothing', () => {
    const builder = open();
    builder.addStep('Inject', null);
    builder.connect({ from: 'complete', outcome: 'done', to: 'inject' });
    expect(builder.store.getState().refused?.codes).toEqual(['workflow.portUnknown']);
    expect(kindsIn(builder)).toEqual(['Inject', 'Complete']);
    expect(builder.store.getState().history.past).toEqual([]);
  });

  test('of a pasted workflow each rule is told that keeps one of its steps out', () => {
    const builder = open();
    const fragment = builder.copy(['inject', 'complete']);
    expect(fragment).not.toBeNull();
    if (fragment) builder.paste(fragment);
    expect(builder.store.getState().refused?.codes).toEqual(['workflow.twoInjections', 'workflow.twoCompletions']);
    expect(kindsIn(builder)).toEqual(['Inject', 'Complete']);
  });

  test('with a step chosen the next one comes behind it', () => {
    const builder = open();
    builder.choose(['inject']);
    builder.addStep('Hold', null);
    expect(present(builder).draft.edges.map(({ from, to }) => `${from}>${to}`)).toEqual([
      'inject>hold',
      'hold>complete',
    ]);
  });

  test('an issue leads to its step and field; that of a variable to the variables', () => {
    const builder = open();
    builder.openIssue({ code: 'workflow.profileMissing', stepId: 'complete', field: 'profileId' });
    expect(builder.store.getState()).toMatchObject({ chosen: ['complete'], panel: 'step', field: 'profileId' });
    builder.openIssue({ code: 'workflow.variableTwice', variable: 'copies' });
    expect(builder.store.getState()).toMatchObject({ panel: 'variables', field: 'copies' });
  });

  test('while a connection is drawn every step that cannot be its end has the reason', () => {
    const builder = open();
    builder.beginConnection({ from: 'inject', outcome: 'done' });
    expect(Object.fromEntries(builder.store.getState().drawing?.refusals ?? [])).toEqual({
      inject: 'workflow.toPrevious',
      complete: 'workflow.alreadyConnected',
    });
  });

  test('who may only look changes nothing', () => {
    const builder = open(true);
    builder.addStep('Hold', null);
    builder.setHead({ name: 'Other' });
    builder.remove(['inject']);
    builder.pick({ for: 'port', from: 'inject', at: null });
    expect(present(builder)).toEqual({ name: 'Cards', description: '', draft });
    expect(builder.store.getState().picker).toBeNull();
  });
});
