import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepKinds } from './enumerations.ts';
import { contractMessages } from './messages.ts';
import { addRefusal, connectRefusal, outcomesOf, validateWorkflow } from './workflow-rules.ts';
import { type WorkflowDefinition, workflowDefinitionSchema } from './workflows.ts';

const graph = (steps: string[], edges: string[], extra: Partial<WorkflowDefinition> = {}) =>
  workflowDefinitionSchema.parse({
    steps: steps.map((text) => {
      const [id = '', kind = id] = text.split(':');
      const settings = ['Preflight', 'Fix', 'Impose', 'Proof'].includes(kind)
        ? { profileId: 'p1' }
        : kind === 'Condition'
          ? { rules: [{ fact: 'x' }] }
          : kind === 'Route'
            ? { rules: [{ id: 'r1', action: 'continue' }] }
            : {};
      return { id, kind, settings };
    }),
    edges: edges.map((text, at) => {
      const [from, outcome, to] = text.split(' ');
      return { id: `e${at}`, from, outcome, to };
    }),
    ...extra,
  });

const codes = (definition: WorkflowDefinition, name = 'A', more = {}) => [
  ...new Set(validateWorkflow(definition, { name, ...more }).map((issue) => issue.code)),
];

const sound = graph(
  ['Inject', 'Preflight', 'Condition', 'Fix', 'Complete'],
  [
    'Inject done Preflight',
    'Preflight done Condition',
    'Condition true Complete',
    'Condition false Fix',
    'Fix done Complete',
  ],
);

test('a sound graph breaks no rule', () => {
  expect(codes(sound)).toEqual([]);
});

test('each rule of the specification is found', () => {
  expect(codes(graph([], []))).toEqual(['workflow.injectionMissing', 'workflow.completionMissing']);
  expect(codes(sound, '  ')).toEqual(['workflow.nameMissing']);
  expect(codes(graph(['Inject', 'b:Inject', 'Complete'], ['Inject done Complete', 'b done Complete']))).toContain(
    'workflow.twoInjections',
  );
  expect(codes(graph(['Inject', 'Complete', 'c:Complete'], ['Inject done Complete']))).toContain(
    'workflow.twoCompletions',
  );
  expect(codes(graph(['Inject', 'Complete', 'Hold'], ['Inject done Complete']))).toEqual(['workflow.notConnected']);
  const noProfile = graph(['Inject', 'Preflight', 'Complete'], ['Inject done Preflight', 'Preflight done Complete']);
  for (const step of noProfile.steps) step.settings = {};
  expect(codes(noProfile)).toEqual(['workflow.profileMissing']);
  expect(codes(sound, 'A', { profileIds: { Preflight: new Set(['other']) } })).toEqual(['workflow.profileMissing']);
  const half = graph(
    ['Inject', 'Preflight', 'Condition', 'Complete'],
    ['Inject done Preflight', 'Preflight done Condition', 'Condition true Complete'],
  );
  expect(codes(half)).toEqual(['workflow.conditionPaths']);
  const early = graph(
    ['Inject', 'Condition', 'Preflight', 'Complete'],
    ['Inject done Condition', 'Condition true Preflight', 'Condition false Complete', 'Preflight done Complete'],
  );
  expect(codes(early)).toEqual(['workflow.preflightBefore']);
  const route = graph(
    ['Inject', 'Preflight', 'Route', 'Complete'],
    ['Inject done Preflight', 'Preflight done Route', 'Route r1 Complete', 'Route otherwise Complete'],
  );
  expect(codes(route)).toEqual([]);
  const router = route.steps.find((step) => step.kind === 'Route');
  if (router) router.settings = { rules: [{ id: 'r1', action: 'overwriteVariables', variables: {} }] };
  expect(codes(route)).toEqual(['workflow.overwriteMissing']);
  if (router) router.settings = { rules: [] };
  expect(codes(route)).toEqual(['workflow.portUnknown', 'workflow.rulesMissing']);
  const loop = graph(
    ['Inject', 'Preflight', 'Hold', 'Complete'],
    ['Inject done Preflight', 'Preflight done Hold', 'Hold continue Preflight'],
  );
  expect(codes(loop)).toEqual(['workflow.toPrevious', 'workflow.notConnected']);
  const variable = { type: 'String' as const, default: null, isRequired: false, isPublic: false, options: [] };
  expect(
    codes({
      ...sound,
      variables: [
        { ...variable, name: 'a' },
        { ...variable, name: 'A' },
      ],
    }),
  ).toEqual(['workflow.variableTwice']);
  expect(codes({ ...sound, variables: [{ ...variable, name: 'file.name' }] })).toEqual(['workflow.variableReserved']);
  expect(codes({ ...sound, variables: [{ ...variable, name: 'a', type: 'Select' }] })).toEqual([
    'workflow.optionsMissing',
  ]);
  const impose = graph(['Inject', 'Impose', 'Complete'], ['Inject done Impose', 'Impose done Complete']);
  expect(codes(impose, 'A', { features: new Set() })).toEqual(['workflow.featureNotInPlan']);
  expect(codes(impose, 'A', { runnableKinds: new Set(['Inject', 'Complete']) })).toEqual(['workflow.kindNotRunnable']);
});

test('drawing is refused with the specification’s words', () => {
  expect(addRefusal(sound, 'Inject')).toBe('workflow.twoInjections');
  expect(addRefusal(sound, 'Complete')).toBe('workflow.twoCompletions');
  expect(addRefusal(sound, 'Fix')).toBeNull();
  const connect = (from: string, outcome: string, to: string) => connectRefusal(sound, { from, outcome, to });
  expect(connect('Inject', 'done', 'Preflight')).toBe('workflow.alreadyConnected');
  expect(connect('Inject', 'done', 'Fix')).toBe('workflow.moreThanOneStep');
  expect(connect('Fix', 'done', 'Preflight')).toBe('workflow.moreThanOneStep');
  const cut = { ...sound, edges: sound.edges.filter((edge) => edge.from !== 'Fix') };
  expect(connectRefusal(cut, { from: 'Fix', outcome: 'done', to: 'Preflight' })).toBe('workflow.toPrevious');
  expect(connectRefusal(cut, { from: 'Fix', outcome: 'done', to: 'Complete' })).toBeNull();
});

test('whatever one draws by the rules never loops and leaves each port once', () => {
  const steps = fc.array(fc.constantFrom(...stepKinds), { minLength: 2, maxLength: 12 });
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 60 });
  fc.assert(
    fc.property(steps, moves, (kinds, tries) => {
      const drawn = graph(
        kinds.map((kind, at) => `s${at}:${kind}`),
        [],
      );
      for (const [a, b, c] of tries) {
        const from = drawn.steps[a % drawn.steps.length];
        const to = drawn.steps[b % drawn.steps.length];
        const outcome = from && outcomesOf(from)[c % Math.max(1, outcomesOf(from).length)];
        if (!from || !to || !outcome || connectRefusal(drawn, { from: from.id, outcome, to: to.id })) continue;
        drawn.edges.push({ id: `e${drawn.edges.length}`, from: from.id, outcome, to: to.id });
      }
      const found = validateWorkflow(drawn, { name: 'A' }).map((issue) => issue.code);
      expect(found).not.toContain('workflow.toPrevious');
      expect(found).not.toContain('workflow.moreThanOneStep');
      for (const code of found) expect(contractMessages.en).toHaveProperty([code]);
    }),
  );
});
