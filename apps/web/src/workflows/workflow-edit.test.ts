import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildableKinds, portsOf, whyNotConnect } from './step-kinds.ts';
import { boxOf, overlaps } from './step-places.ts';
import * as edit from './workflow-edit.ts';

const empty = workflowDefinitionSchema.parse({});
const chain = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject', position: { x: 0, y: 0 } },
    { id: 'preflight', kind: 'Preflight', settings: { profileId: 'p' }, position: { x: 300, y: 0 } },
    { id: 'complete', kind: 'Complete', position: { x: 600, y: 0 } },
  ],
  edges: [
    { id: 'a', from: 'inject', outcome: 'done', to: 'preflight' },
    { id: 'b', from: 'preflight', outcome: 'done', to: 'complete' },
  ],
});
const wayOf = ({ edges }: WorkflowDefinition) => edges.map(({ from, to }) => `${from}>${to}`).sort();
const made = <T extends object>(result: T | edit.Refused): T => {
  if ('refusal' in result) throw new Error(String(result.refusal));
  return result;
};

describe('adding', () => {
  test('a step is placed where nothing stands and moves no other', () => {
    const { definition, stepId } = made(edit.addStep(chain, { kind: 'Fix', position: { x: 305, y: 8 } }));
    expect(stepId).toBe('fix');
    for (const before of chain.steps) expect(definition.steps).toContain(before);
    const boxes = definition.steps.map(boxOf);
    expect(boxes.every((a, at) => boxes.every((b, other) => at === other || !overlaps(a, b)))).toBe(true);
  });

  test('a second injection and a second completion are refused in the words of the rule', () => {
    expect(edit.addStep(chain, { kind: 'Inject', position: { x: 0, y: 0 } })).toEqual({
      refusal: 'workflow.twoInjections',
    });
    expect(edit.addStep(chain, { kind: 'Complete', position: { x: 0, y: 0 } })).toEqual({
      refusal: 'workflow.twoCompletions',
    });
  });

  test('behind a step whose port is open it is connected, behind one that leads on it is put in between', () => {
    const open = edit.disconnect(chain, ['b']);
    const { definition } = made(edit.addAfter(open, { from: 'preflight', kind: 'Fix' }));
    expect(wayOf(definition)).toEqual(['inject>preflight', 'preflight>fix']);
    const between = made(edit.addAfter(chain, { from: 'preflight', kind: 'Fix' })).definition;
    expect(wayOf(between)).toEqual(['fix>complete', 'inject>preflight', 'preflight>fix']);
  });

  test('on a connection: both halves are there, and its ends are the same', () => {
    const { definition } = made(edit.insertOn(chain, { edgeId: 'a', kind: 'Hold' }));
    expect(wayOf(definition)).toEqual(['hold>preflight', 'inject>hold', 'preflight>complete']);
  });

  test('a step that ends the session is put on a connection with what came after left open', () => {
    const { definition } = made(edit.insertOn(chain, { edgeId: 'b', kind: 'Cancel' }));
    expect(wayOf(definition)).toEqual(['inject>preflight', 'preflight>cancel']);
  });
});

describe('connecting', () => {
  const refused = (from: string, to: string, outcome = 'done') => edit.connect(chain, { from, outcome, to });
  test.each([
    ['inject', 'preflight', 'workflow.alreadyConnected'],
    ['inject', 'complete', 'workflow.moreThanOneStep'],
    ['preflight', 'inject', 'workflow.toPrevious'],
    ['preflight', 'preflight', 'workflow.toPrevious'],
  ])('%s to %s is refused: %s', (from, to, refusal) => expect(refused(from, to)).toEqual({ refusal }));

  test('a connection is led to another step without being in its own way', () => {
    const { definition } = made(
      edit.reconnect(chain, { edgeId: 'a', from: 'inject', outcome: 'done', to: 'complete' }),
    );
    expect(wayOf(definition)).toEqual(['inject>complete', 'preflight>complete']);
  });
});

describe('changing', () => {
  test('a removed step takes its connections along', () =>
    expect(wayOf(edit.removeSteps(chain, ['preflight']))).toEqual([]));

  test('what changes nothing is the same object', () => {
    expect(edit.moveSteps(chain, new Map([['inject', { x: 0, y: 0 }]]))).toBe(chain);
    expect(edit.removeSteps(chain, ['nobody'])).toBe(chain);
    expect(edit.disconnect(chain, [])).toBe(chain);
    expect(edit.renameStep(chain, 'inject', '')).toBe(chain);
  });

  test('a definition is never changed in place', () => {
    const before = structuredClone(chain);
    edit.setSettings(chain, 'preflight', {});
    edit.removeSteps(chain, ['inject']);
    edit.paste(chain, edit.fragmentOf(chain, ['preflight']), { x: 10, y: 10 });
    expect(chain).toEqual(before);
  });
});

describe('changing places', () => {
  const two = made(edit.insertOn(chain, { edgeId: 'b', kind: 'Fix' })).definition;
  test('the connections lead through them the other way round, and twice is as it was', () => {
    const swapped = edit.swapSteps(two, 'preflight', 'fix');
    expect(wayOf(swapped)).toEqual(['fix>preflight', 'inject>fix', 'preflight>complete']);
    expect(wayOf(edit.swapSteps(swapped, 'preflight', 'fix'))).toEqual(wayOf(two));
  });
  test('the first and the last step of a workflow keep theirs', () => {
    expect(edit.swapSteps(two, 'inject', 'preflight')).toBe(two);
    expect(edit.swapSteps(two, 'fix', 'complete')).toBe(two);
  });
});

describe('the clipboard', () => {
  test('copies have ids of their own, their settings, and the connections among them', () => {
    const two = made(edit.insertOn(chain, { edgeId: 'b', kind: 'Fix' })).definition;
    const pasted = edit.paste(two, edit.fragmentOf(two, ['preflight', 'fix']), { x: 40, y: 40 });
    expect(pasted.stepIds).toEqual(['preflight-2', 'fix-2']);
    expect(wayOf(pasted.definition)).toContain('preflight-2>fix-2');
    expect(pasted.definition.steps.find(({ id }) => id === 'preflight-2')?.settings).toEqual({ profileId: 'p' });
  });

  test('steps that a workflow has one of are left out, and the rule is told', () => {
    const pasted = edit.paste(chain, edit.fragmentOf(chain, ['inject', 'preflight', 'complete']), { x: 0, y: 0 });
    expect(pasted.stepIds).toEqual(['preflight-2']);
    expect(pasted.refusals).toEqual(['workflow.twoInjections', 'workflow.twoCompletions']);
  });
});

/** What a person may do to a graph, drawn at random. */
const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom('add', 'after', 'connect', 'remove', 'insert', 'paste'),
    kind: fc.constantFrom(...buildableKinds),
    one: fc.nat(20),
    other: fc.nat(20),
    port: fc.nat(3),
  }),
  { maxLength: 30 },
);

test('whatever is done, nothing leads back, each port leads to one step at most and every id is its own', () => {
  fc.assert(
    fc.property(deeds, (list) => {
      let definition = empty;
      for (const { deed, kind, one, other, port } of list) {
        const step = definition.steps[one % Math.max(1, definition.steps.length)];
        const target = definition.steps[other % Math.max(1, definition.steps.length)];
        const edge = definition.edges[one % Math.max(1, definition.edges.length)];
        const result =
          deed === 'add' || !step || !target
            ? edit.addStep(definition, { kind, position: { x: one * 7, y: other * 7 } })
            : deed === 'after'
              ? edit.addAfter(definition, { from: step.id, kind })
              : deed === 'connect'
                ? edit.connect(definition, { from: step.id, outcome: portsOf(step)[port] ?? 'done', to: target.id })
                : deed === 'insert' && edge
                  ? edit.insertOn(definition, { edgeId: edge.id, kind })
                  : deed === 'remove'
                    ? { definition: edit.removeSteps(definition, [step.id]) }
                    : edit.paste(definition, edit.fragmentOf(definition, [step.id, target.id]), { x: 5, y: 5 });
        if ('definition' in result) definition = result.definition;
      }
      const ids = [...definition.steps, ...definition.edges].map(({ id }) => id);
      expect(new Set(definition.steps.map(({ id }) => id)).size).toBe(definition.steps.length);
      expect(new Set(definition.edges.map(({ id }) => id)).size).toBe(definition.edges.length);
      expect(ids.every((id) => id.length <= 60)).toBe(true);
      for (const edge of definition.edges) {
        // Taken away and drawn again: the rules allow every connection that is there.
        expect(whyNotConnect(edit.disconnect(definition, [edge.id]), edge)).toBeNull();
      }
      expect(workflowDefinitionSchema.safeParse(definition).success).toBe(true);
    }),
    { numRuns: 200 },
  );
});
