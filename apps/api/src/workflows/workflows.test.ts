import {
  addRefusal,
  connectRefusal,
  contractMessages,
  locales,
  starterKeys,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowIssue,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { checkWorkflow, stepContracts } from '@pdf2press/steps/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let subscriberId: string;
/** A preflight profile of the caller's print house, and one of another. */
let profileId: string;
let foreignId: string;

const makeProfile = (of: string): Promise<string> =>
  lab.deps.db.withSubscriber({ subscriberId: of }, async (tx) => {
    const id = newId('profile');
    await tx.profile.create({ data: { id, kind: 'preflight', name: `Of ${of}` } });
    await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId: id, no: 1, settings: {} } });
    return id;
  });

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  profileId = await makeProfile(subscriberId);
  foreignId = await makeProfile(await lab.makeSubscriber('Elsewhere'));
}, 120_000);
afterAll(() => lab.stop());

const when = { match: 'all', rules: [{ fact: 'pdf.pageCount', operator: 'atLeast', value: 2 }] };
type Part = Partial<WorkflowDefinition['steps'][number]>;

/** Inject, preflight, condition, hold, route, complete: a valid workflow. */
function sound(): WorkflowDefinition {
  const edges = [
    'inject done preflight',
    'preflight done condition',
    'condition true route',
    'condition false hold',
    'hold continue complete',
    'route many complete',
    'route otherwise complete',
  ];
  return workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'preflight', kind: 'Preflight', settings: { profileId } },
      { id: 'condition', kind: 'Condition', settings: { when } },
      { id: 'hold', kind: 'Hold', settings: { reason: 'Ask about {{paper}}' } },
      { id: 'route', kind: 'Route', settings: { rules: [{ id: 'many', when, action: 'continue' }] } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: edges.map((text, at) => {
      const [from, outcome, to] = text.split(' ');
      return { id: `e${at}`, from, outcome, to };
    }),
    variables: [{ name: 'paper', type: 'String' }],
  });
}

/** The valid workflow with other settings of one step. */
const withSettings = (id: string, settings: Record<string, unknown>): WorkflowDefinition => {
  const definition = sound();
  return { ...definition, steps: definition.steps.map((step) => (step.id === id ? { ...step, settings } : step)) };
};
const withStep = (step: Part, ...edges: [string, string, string][]): WorkflowDefinition => {
  const definition = sound();
  return workflowDefinitionSchema.parse({
    ...definition,
    steps: [...definition.steps, step],
    edges: [...definition.edges, ...edges.map(([from, outcome, to], at) => ({ id: `n${at}`, from, outcome, to }))],
  });
};
const without = (...ids: string[]): WorkflowDefinition => {
  const definition = sound();
  return {
    ...definition,
    steps: definition.steps.filter(({ id }) => !ids.includes(id)),
    edges: definition.edges.filter(({ id, from, to }) => ![id, from, to].some((each) => ids.includes(each))),
  };
};
const rerouted = (edgeId: string, to: string): WorkflowDefinition => {
  const definition = sound();
  return { ...definition, edges: definition.edges.map((edge) => (edge.id === edgeId ? { ...edge, to } : edge)) };
};
const acting = (settings: Record<string, unknown>) =>
  withStep({ id: 'action', kind: 'Action', settings: { url: 'https://mis.example/', ...settings } });
const withRule = (rule: object) => withSettings('route', { rules: [{ id: 'many', when, ...rule }] });
const withVariable = (...variables: object[]): WorkflowDefinition =>
  workflowDefinitionSchema.parse({ ...sound(), variables: [{ name: 'paper', type: 'String' }, ...variables] });
const onlyRule = (rule: object) => withSettings('condition', { when: { match: 'all', rules: [rule] } });
const deep = (levels: number): object =>
  levels === 0 ? (when.rules[0] ?? {}) : { match: 'all', rules: [deep(levels - 1)] };

/** Each rule with a workflow that breaks it, and the step and field it reports. */
const broken: [code: string, definition: () => WorkflowDefinition, where: Partial<WorkflowIssue>, name?: string][] = [
  ['workflow.nameMissing', sound, { field: 'name' }, ' '],
  ['workflow.injectionMissing', () => without('inject'), {}],
  ['workflow.twoInjections', () => withStep({ id: 'second', kind: 'Inject' }), { stepId: 'second' }],
  ['workflow.completionMissing', () => without('complete'), {}],
  ['workflow.twoCompletions', () => withStep({ id: 'second', kind: 'Complete' }), { stepId: 'second' }],
  ['workflow.profileMissing', () => withSettings('preflight', {}), { stepId: 'preflight', field: 'profileId' }],
  [
    'workflow.profileGone',
    () => withSettings('preflight', { profileId: 'prf_gone' }),
    { stepId: 'preflight', field: 'profileId' },
  ],
  [
    'workflow.profileGone',
    () => withSettings('preflight', { profileId: foreignId }),
    { stepId: 'preflight', field: 'profileId' },
  ],
  [
    'workflow.moreThanOneStep',
    () => withStep({ id: 'cancel', kind: 'Cancel' }, ['hold', 'continue', 'cancel']),
    { stepId: 'hold', edgeId: 'n0' },
  ],
  ['workflow.toPrevious', () => rerouted('e4', 'preflight'), { stepId: 'hold', edgeId: 'e4' }],
  ['workflow.toPrevious', () => rerouted('e4', 'inject'), { stepId: 'hold', edgeId: 'e4' }],
  ['workflow.toPrevious', () => rerouted('e4', 'hold'), { stepId: 'hold', edgeId: 'e4' }],
  ['workflow.notConnected', () => without('e4'), { stepId: 'hold' }],
  ['workflow.notConnected', () => withStep({ id: 'alone', kind: 'Cancel' }), { stepId: 'alone' }],
  ['workflow.conditionPaths', () => without('e3'), { stepId: 'condition' }],
  [
    'workflow.preflightBefore',
    () => ({
      ...without('preflight'),
      edges: [...without('preflight').edges, { id: 'x', from: 'inject', outcome: 'done', to: 'condition' }],
    }),
    { stepId: 'condition' },
  ],
  ['workflow.rulesMissing', () => withSettings('condition', {}), { stepId: 'condition', field: 'when' }],
  ['workflow.rulesMissing', () => withSettings('route', {}), { stepId: 'route', field: 'rules' }],
  [
    'workflow.overwriteMissing',
    () => withRule({ action: 'overwriteVariables', variables: {} }),
    { stepId: 'route', field: 'rules.0.variables' },
  ],
  [
    'workflow.variableUnknown',
    () => withRule({ action: 'overwriteVariables', variables: { ink: 'Gold' } }),
    { stepId: 'route', field: 'rules.0.variables.ink' },
  ],
  [
    'workflow.variableInvalid',
    () => ({
      ...withRule({ action: 'overwriteVariables', variables: { copies: 'many' } }),
      variables: withVariable({ name: 'copies', type: 'Number' }).variables,
    }),
    { stepId: 'route', field: 'rules.0.variables.copies' },
  ],
  [
    'workflow.targetGone',
    () => withRule({ action: 'redirect', workflowId: 'wfl_gone' }),
    { stepId: 'route', field: 'rules.0.workflowId' },
  ],
  ['workflow.idTwice', () => withStep({ id: 'hold', kind: 'Cancel' }), { stepId: 'hold' }],
  [
    'workflow.idTwice',
    () =>
      withSettings('route', {
        rules: [
          { id: 'many', when, action: 'continue' },
          { id: 'many', when, action: 'cancel' },
        ],
      }),
    { stepId: 'route', field: 'rules.1.id' },
  ],
  [
    'workflow.portUnknown',
    () => withStep({ id: 'cancel', kind: 'Cancel' }, ['hold', 'gone', 'cancel']),
    { edgeId: 'n0' },
  ],
  ['workflow.settingUnknown', () => withSettings('hold', { profileId }), { stepId: 'hold', field: 'profileId' }],
  [
    'workflow.sourceUnknown',
    () => withSettings('inject', { sources: [{ kind: 'pigeon' }] }),
    { stepId: 'inject', field: 'sources.0.kind' },
  ],
  [
    'value.required',
    () => withSettings('inject', { sources: [{ kind: 'folder', settings: {} }] }),
    { stepId: 'inject', field: 'sources.0.settings.path' },
  ],
  ['value.max', () => withSettings('hold', { timeoutHours: 9000 }), { stepId: 'hold', field: 'timeoutHours' }],
  ['value.decimal', () => withSettings('hold', { timeoutHours: 'soon' }), { stepId: 'hold', field: 'timeoutHours' }],
  ['value.invalid', () => withSettings('hold', { when: 'Sometimes' }), { stepId: 'hold', field: 'when' }],
  ['value.required', () => acting({ url: '' }), { stepId: 'action', field: 'url' }],
  ['workflow.addressInvalid', () => acting({ url: 'https://{{paper}}.example/' }), { stepId: 'action', field: 'url' }],
  [
    'workflow.headerRefused',
    () => acting({ headers: [{ name: 'Host', value: 'other.example' }] }),
    { stepId: 'action', field: 'headers.0.name' },
  ],
  ['workflow.bodyNotJson', () => acting({ body: '{"copies": {{paper}}}' }), { stepId: 'action', field: 'body' }],
  [
    'workflow.variableUnknown',
    () => acting({ answer: [{ path: 'id', variable: 'ink' }] }),
    { stepId: 'action', field: 'answer.0.variable' },
  ],
  ['workflow.secretGone', () => acting({ secretId: 'sec_gone' }), { stepId: 'action', field: 'secretId' }],
  [
    'value.email',
    () => acting({ does: 'message', to: ['nobody'], subject: 'S', text: 'T' }),
    { stepId: 'action', field: 'to.0' },
  ],
  ['workflow.kindNotRunnable', () => withStep({ id: 'proof', kind: 'Proof' }), { stepId: 'proof' }],
  ['workflow.featureNotInPlan', () => withStep({ id: 'impose', kind: 'Impose' }), { stepId: 'impose' }],
  [
    'rule.factUnknown',
    () => onlyRule({ fact: 'pdf.weight', operator: 'equals', value: 1 }),
    { stepId: 'condition', field: 'when.rules.0.fact' },
  ],
  [
    'rule.operatorNotForFact',
    () => onlyRule({ fact: 'pdf.pageCount', operator: 'startsWith', value: 1 }),
    { stepId: 'condition', field: 'when.rules.0.operator' },
  ],
  [
    'rule.valueMissing',
    () => onlyRule({ fact: 'pdf.pageCount', operator: 'equals' }),
    { stepId: 'condition', field: 'when.rules.0.value' },
  ],
  [
    'rule.expressionInvalid',
    () => onlyRule({ fact: 'file.name', operator: 'matchesRegex', value: '(a' }),
    { stepId: 'condition', field: 'when.rules.0.value' },
  ],
  [
    'rule.variableUnknown',
    () => onlyRule({ fact: 'file.name', operator: 'equals', value: { variable: 'ink' } }),
    { stepId: 'condition', field: 'when.rules.0.value' },
  ],
  ['rule.tooDeep', () => withSettings('condition', { when: deep(4) }), { stepId: 'condition', field: 'when' }],
  [
    'placeholder.unknownName',
    () => withSettings('hold', { reason: 'Ask {{clinet}}' }),
    { stepId: 'hold', field: 'reason' },
  ],
  ['placeholder.unclosed', () => withSettings('hold', { reason: 'Ask {{paper' }), { stepId: 'hold', field: 'reason' }],
  ['workflow.variableTwice', () => withVariable({ name: 'PAPER', type: 'String' }), { variable: 'PAPER' }],
  ['workflow.variableReserved', () => withVariable({ name: 'file.name', type: 'String' }), { variable: 'file.name' }],
  ['workflow.optionsMissing', () => withVariable({ name: 'size', type: 'Select' }), { variable: 'size' }],
  [
    'workflow.variableDefault',
    () => withVariable({ name: 'copies', type: 'Number', default: 'many' }),
    { variable: 'copies' },
  ],
  [
    'workflow.variableLoop',
    () =>
      withVariable({ name: 'a', type: 'String', default: '{{b}}' }, { name: 'b', type: 'String', default: '{{a}}' }),
    {},
  ],
];

/** Reported by rules that need the database, or code that the browser loads later. */
const knownHere = new Set([
  'value.required',
  'workflow.profileGone',
  'workflow.targetGone',
  'workflow.featureNotInPlan',
  'workflow.sourceUnknown',
  'workflow.secretGone',
  'rule.expressionInvalid',
]);

describe('what keeps a workflow from being published', () => {
  let draft: Workflow;
  beforeAll(async () => {
    draft = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Broken' } })).result;
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.feature.deleteMany({ where: { featureKey: 'Imposition' } }),
    );
  });

  test('the workflow that the others differ from is valid', async () => {
    expect(checkWorkflow(sound(), { name: 'A' })).toEqual([]);
    const body = { name: 'A', definition: sound() };
    expect((await lab.call('POST', '/workflows/validate', { as: ana, body })).result).toEqual([]);
  });

  test.each(broken)('%s (%#)', async (code, make, where, name = 'Broken') => {
    const definition = make();
    const expected = expect.objectContaining({ code, ...where });
    for (const locale of locales) expect(contractMessages[locale]).toHaveProperty([code]);
    if (!knownHere.has(code)) expect(checkWorkflow(definition, { name })).toContainEqual(expected);
    const body = { name, definition };
    const told = (await lab.call<WorkflowIssue[]>('POST', '/workflows/validate', { as: ana, body })).result;
    expect(told).toContainEqual(expected);
    expect(told.find((issue) => issue.code === code)?.message).not.toMatch(/\{|^workflow\.|^rule\.|^placeholder\./);
    if (code === 'workflow.nameMissing') return;
    const { draftRevision } = draft;
    const saved = { name: 'Broken', draft: definition, draftRevision };
    draft = (await lab.call<Workflow>('PUT', `/workflows/${draft.id}`, { as: ana, body: saved })).result;
    const refused = await lab.call('POST', `/workflows/${draft.id}/publish`, { as: ana });
    expect(refused.statusCode).toBe(422);
    expect(refused.envelope.errors.map((error) => error.code)).toEqual(
      expect.arrayContaining(['workflow.invalid', code]),
    );
    const after = (await lab.call<Workflow>('GET', `/workflows/${draft.id}`, { as: ana })).result;
    expect(after.publishedVersion).toBeNull();
  });

  test('adding and connecting steps is refused with the same codes', () => {
    const definition = sound();
    expect(addRefusal(stepContracts, definition, 'Inject')).toBe('workflow.twoInjections');
    expect(addRefusal(stepContracts, definition, 'Complete')).toBe('workflow.twoCompletions');
    const connect = (from: string, outcome: string, to: string) =>
      connectRefusal(stepContracts, definition, { from, outcome, to });
    expect(connect('inject', 'done', 'preflight')).toBe('workflow.alreadyConnected');
    expect(connect('inject', 'done', 'hold')).toBe('workflow.moreThanOneStep');
    expect(connect('hold', 'gone', 'complete')).toBe('workflow.portUnknown');
    expect(connectRefusal(stepContracts, without('e4'), { from: 'hold', outcome: 'continue', to: 'preflight' })).toBe(
      'workflow.toPrevious',
    );
  });

  test('a workflow of 2,000 steps is refused with one error, and nothing is saved', async () => {
    const steps = Array.from({ length: 2000 }, (_, at) => ({ id: `s${at}`, kind: 'Hold' }));
    const body = { name: 'Broken', draft: { steps }, draftRevision: draft.draftRevision };
    const refused = await lab.call('PUT', `/workflows/${draft.id}`, { as: ana, body });
    expect(refused.statusCode).toBe(400);
    expect(refused.envelope.errors).toMatchObject([
      { code: 'workflow.tooManySteps', message: 'A workflow can have at most 500 steps', field: 'draft.steps' },
    ]);
    const after = (await lab.call<Workflow>('GET', `/workflows/${draft.id}`, { as: ana })).result;
    expect(after.draftRevision).toBe(draft.draftRevision);
  });

  test('a document of a newer release is refused with one error, and nothing is created', async () => {
    const document = { format: 'pdf2press-workflow', formatVersion: 7, name: 'Newer', definition: sound() };
    const refused = await lab.call('POST', '/workflows/import', { as: ana, body: document });
    expect(refused.statusCode).toBe(400);
    expect(refused.envelope.errors).toMatchObject([
      { code: 'workflow.exportNewer', params: { version: 7, newest: 1 } },
    ]);
    const { total } = (await lab.call<{ total: number }>('GET', '/workflows?search=Newer', { as: ana })).result;
    expect(total).toBe(0);
  });
});

describe('starters', () => {
  beforeAll(() =>
    lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.feature.createMany({ data: [{ featureKey: 'Imposition' }], skipDuplicates: true }),
    ),
  );

  test.each(starterKeys)('%s brings its profiles and is published with one call', async (template) => {
    const body = { name: `Starter ${template}`, template, isPublished: true };
    const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body })).result;
    expect(made).toMatchObject({ publishedVersion: 1, hasUnpublishedChanges: false, issues: [] });
    for (const locale of locales)
      expect([
        contractMessages[locale][`starter.${template}`],
        contractMessages[locale][`starter.${template}.text`],
      ]).not.toContain(undefined);
    // The second time the existing profiles are used.
    const count = () => lab.deps.db.withSubscriber({ subscriberId }, (tx) => tx.profile.count());
    const before = await count();
    await lab.call('POST', '/workflows', { as: ana, body: { ...body, name: `${body.name} again` } });
    expect(await count()).toBe(before);
  });
});
