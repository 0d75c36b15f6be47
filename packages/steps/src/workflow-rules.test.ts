import {
  addRefusal,
  connectRefusal,
  contractMessages,
  outcomesOf,
  type StepKinds,
  stepKinds,
  validateWorkflow,
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { loadRegularExpressions } from '@pdf2press/settings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkWorkflow, hasRegularExpressions, stepContracts } from './contracts.ts';

const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'exists' }] };

const graph = (steps: string[], edges: string[], extra: Partial<WorkflowDefinition> = {}) =>
  workflowDefinitionSchema.parse({
    steps: steps.map((text) => {
      const [id = '', kind = id] = text.split(':');
      const settings = ['Preflight', 'Fix', 'Impose', 'Proof'].includes(kind)
        ? { profileId: 'p1' }
        : kind === 'Condition'
          ? { when }
          : kind === 'Route'
            ? { rules: [{ id: 'r1', when, action: 'continue' }] }
            : {};
      return { id, kind, settings };
    }),
    edges: edges.map((text, at) => {
      const [from, outcome, to] = text.split(' ');
      return { id: `e${at}`, from, outcome, to };
    }),
    ...extra,
  });

/** Kinds whose runner is still to come keep the graph from being published; that is not what these tests are about. */
const runnable = Object.fromEntries(
  stepKinds.map((kind) => [kind, { ...stepContracts[kind], isRunnable: true }]),
) as unknown as StepKinds;

const codes = (definition: WorkflowDefinition, name = 'A', more = {}) => [
  ...new Set(validateWorkflow(runnable, definition, { name, ...more }).map((issue) => issue.code)),
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

test('each rule of a graph is found', () => {
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
  expect(codes(sound, 'A', { profileIds: { preflight: new Set(['other']) } })).toEqual(['workflow.profileGone']);
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
  if (router) router.settings = { rules: [{ id: 'r1', when, action: 'overwriteVariables', variables: {} }] };
  expect(codes(route)).toEqual(['workflow.overwriteMissing']);
  if (router) router.settings = { rules: [] };
  expect(codes(route)).toEqual(['workflow.portUnknown', 'workflow.rulesMissing']);
  const loop = graph(
    ['Inject', 'Preflight', 'Hold', 'Complete'],
    ['Inject done Preflight', 'Preflight done Hold', 'Hold continue Preflight'],
  );
  expect(codes(loop)).toEqual(['workflow.toPrevious', 'workflow.notConnected']);
  const impose = graph(['Inject', 'Impose', 'Complete'], ['Inject done Impose', 'Impose done Complete']);
  expect(codes(impose, 'A', { features: new Set() })).toEqual(['workflow.featureNotInPlan']);
  const kinds: StepKinds = { ...stepContracts, Impose: { ...stepContracts.Impose, isRunnable: false } };
  expect(validateWorkflow(kinds, impose, { name: 'A' })).toEqual([
    { code: 'workflow.kindNotRunnable', stepId: 'Impose', params: { kind: 'Impose' } },
  ]);
});

test('drawing is refused with the words of the rules', () => {
  expect(addRefusal(stepContracts, sound, 'Inject')).toBe('workflow.twoInjections');
  expect(addRefusal(stepContracts, sound, 'Complete')).toBe('workflow.twoCompletions');
  expect(addRefusal(stepContracts, sound, 'Fix')).toBeNull();
  const connect = (from: string, outcome: string, to: string) =>
    connectRefusal(stepContracts, sound, { from, outcome, to });
  expect(connect('Inject', 'done', 'Preflight')).toBe('workflow.alreadyConnected');
  expect(connect('Inject', 'done', 'Fix')).toBe('workflow.moreThanOneStep');
  expect(connect('Fix', 'done', 'Preflight')).toBe('workflow.moreThanOneStep');
  const cut = { ...sound, edges: sound.edges.filter((edge) => edge.from !== 'Fix') };
  expect(connectRefusal(stepContracts, cut, { from: 'Fix', outcome: 'done', to: 'Preflight' })).toBe(
    'workflow.toPrevious',
  );
  expect(connectRefusal(stepContracts, cut, { from: 'Fix', outcome: 'done', to: 'Complete' })).toBeNull();
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
        const outcome =
          from && outcomesOf(stepContracts, from)[c % Math.max(1, outcomesOf(stepContracts, from).length)];
        if (!from || !to || !outcome || connectRefusal(stepContracts, drawn, { from: from.id, outcome, to: to.id }))
          continue;
        drawn.edges.push({ id: `e${drawn.edges.length}`, from: from.id, outcome, to: to.id });
      }
      const found = validateWorkflow(stepContracts, drawn, { name: 'A' }).map((issue) => issue.code);
      expect(found).not.toContain('workflow.toPrevious');
      expect(found).not.toContain('workflow.moreThanOneStep');
      for (const code of found) expect(contractMessages.en).toHaveProperty([code]);
    }),
  );
});

test('regular expressions are judged by their engine only: without it nothing is said of them', async () => {
  const withRule = (operator: string, value: string) =>
    workflowDefinitionSchema.parse({
      steps: [
        {
          id: 'condition',
          kind: 'Condition',
          settings: { when: { match: 'all', rules: [{ fact: 'file.name', operator, value }] } },
        },
      ],
    });
  const broken = withRule('matchesRegex', '(');
  expect(hasRegularExpressions(broken)).toBe(true);
  expect(hasRegularExpressions(withRule('contains', '('))).toBe(false);
  const codes = async (regular: Parameters<typeof checkWorkflow>[2]) =>
    checkWorkflow(broken, { name: 'x' }, regular).map(({ code, field }) => `${code} ${field}`);
  expect(await codes(null)).not.toContain('rule.expressionInvalid when.rules.0.value');
  expect(await codes(await loadRegularExpressions())).toContain('rule.expressionInvalid when.rules.0.value');
});
