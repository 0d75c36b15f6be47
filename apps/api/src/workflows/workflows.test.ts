import {
  addRefusal,
  connectRefusal,
  contractMessages,
  locales,
  starterKeys,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowIssue,
} from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { stepContracts } from '@pdf2press/steps/contracts';
import {
  brokenWorkflows,
  foreignProfileId,
  onlyRules,
  rerouted,
  soundProfileId,
  soundWorkflow,
  without,
  withSettings,
  withStep,
  withVariables,
} from '@pdf2press/steps/testing';
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

/** A case of the shared list with the profiles that this house has. */
const here = (definition: WorkflowDefinition): WorkflowDefinition => ({
  ...definition,
  steps: definition.steps.map((step) => {
    const id = { [soundProfileId]: profileId, [foreignProfileId]: foreignId }[String(step.settings.profileId)];
    return id ? { ...step, settings: { ...step.settings, profileId: id } } : step;
  }),
});

describe('what keeps a workflow from being published', () => {
  let draft: Workflow;
  beforeAll(async () => {
    draft = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Broken' } })).result;
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.feature.deleteMany({ where: { featureKey: 'Imposition' } }),
    );
  });

  test('the workflow that the others differ from is valid', async () => {
    const body = { name: 'A', definition: here(soundWorkflow()) };
    expect((await lab.call('POST', '/workflows/validate', { as: ana, body })).result).toEqual([]);
  });

  test.each(brokenWorkflows)('$code (%#)', async ({ code, definition: make, where, name = 'Broken' }) => {
    const definition = here(make());
    const expected = expect.objectContaining({ code, ...where });
    for (const locale of locales) expect(contractMessages[locale]).toHaveProperty([code]);
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
    const definition = soundWorkflow();
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
});

describe('bad input: one sentence each, and nothing half saved', () => {
  /** Puts a graph into the draft, which may be incomplete, and publishes it. */
  const publishing = async (definition: WorkflowDefinition) => {
    const body = { name: 'Bad', draft: here(definition), draftRevision: draft.draftRevision };
    draft = (await lab.call<Workflow>('PUT', `/workflows/${draft.id}`, { as: ana, body })).result;
    return () => lab.call('POST', `/workflows/${draft.id}/publish`, { as: ana });
  };
  const saving = async (steps: object[]) => {
    const body = { name: 'Bad', draft: { steps }, draftRevision: draft.draftRevision };
    return () => lab.call('PUT', `/workflows/${draft.id}`, { as: ana, body });
  };
  const importing = async (document: object) => () =>
    lab.call('POST', '/workflows/import', { as: ana, body: document });
  const exported = (more: object) => ({
    format: 'pdf2press-workflow',
    formatVersion: 1,
    name: 'Carried',
    definition: soundWorkflow(),
    ...more,
  });
  const asking = (pattern: string) => onlyRules({ fact: 'file.name', operator: 'matchesRegex', value: pattern });
  const profile = { id: soundProfileId, kind: 'preflight', name: 'Carried', settings: {} };

  /** All that a refused call could have left behind. */
  const stored = () =>
    lab.deps.db.withSubscriber({ subscriberId }, async (tx) => ({
      workflows: await tx.workflow.findMany({ orderBy: { id: 'asc' } }),
      versions: await tx.workflowVersion.count(),
      profiles: await tx.profile.count(),
      profileVersions: await tx.profileVersion.count(),
      audit: await tx.auditEntry.count(),
    }));

  let draft: Workflow;
  beforeAll(async () => {
    draft = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Bad' } })).result;
  });

  const table: [what: string, prepare: () => ReturnType<typeof publishing>, status: number, code: string][] = [
    ['a circle of steps', () => publishing(rerouted('e4', 'preflight')), 422, 'workflow.toPrevious'],
    [
      'two steps that take files in',
      () => publishing(withStep({ id: 'second', kind: 'Inject' }, ['second', 'done', 'preflight'])),
      422,
      'workflow.twoInjections',
    ],
    [
      '2,000 steps',
      () => saving(Array.from({ length: 2000 }, (_, at) => ({ id: `s${at}`, kind: 'Hold' }))),
      400,
      'workflow.tooManySteps',
    ],
    [
      'settings of another kind',
      () => publishing(withSettings('hold', { profileId: soundProfileId })),
      422,
      'workflow.settingUnknown',
    ],
    [
      'a document of a newer release, whatever else it holds',
      () => importing({ ...exported({ formatVersion: 7 }), definition: 'of another form', profiles: 4 }),
      400,
      'workflow.exportNewer',
    ],
    [
      'a document with a profile that cannot be read',
      () => importing(exported({ profiles: [{ ...profile, settings: { checks: 'all' } }] })),
      422,
      'value.invalid',
    ],
    [
      'a profile of another house',
      () => publishing(withSettings('preflight', { profileId: foreignProfileId })),
      422,
      'workflow.profileGone',
    ],
    [
      'a variable that is filled from itself',
      () => publishing(withVariables({ name: 'a', type: 'String', default: '{{a}}' })),
      422,
      'workflow.variableLoop',
    ],
    [
      'a regular expression that would need a machine of millions of states',
      () => publishing(asking('((a{1000}){1000}){1000}')),
      422,
      'rule.expressionInvalid',
    ],
  ];

  test.each(table)('%s', async (_, prepare, status, code) => {
    const send = await prepare();
    const before = await stored();
    const refused = await send();
    expect(refused.statusCode).toBe(status);
    // What is wrong is said once; before it may stand how many rules are broken, or which profile it is in.
    const told = refused.envelope.errors.filter(
      (error) => !['workflow.invalid', 'profile.invalid'].includes(error.code),
    );
    expect(told.map((error) => error.code)).toEqual([code]);
    for (const { message } of refused.envelope.errors) expect(message).toMatch(/^[^{}]+$/);
    expect(await stored()).toEqual(before);
  });

  // That they end at run time is held where the engine for them is: packages/settings, patterns.test.ts.
  test.each(['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)(.*)x'])(
    'a regular expression that would never end in the language’s own engine is published: %s',
    async (pattern) => {
      expect((await (await publishing(asking(pattern)))()).statusCode).toBe(200);
    },
  );
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

test('whoever may not edit actions moves them on the canvas, and neither adds nor changes one', async () => {
  const editor = await lab.signIn(
    await lab.makePerson(subscriberId, 'editor@example.com', ['workflows.view', 'workflows.edit']),
  );
  const { id, name } = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'With an action' } }))
    .result;
  const action = (x: number, url: string) => ({ id: 'call', kind: 'Action', settings: { url }, position: { x, y: 0 } });
  const save = async (as: SignedIn, ...steps: object[]) => {
    const { draftRevision } = (await lab.call<Workflow>('GET', `/workflows/${id}`, { as })).result;
    return (await lab.call('PUT', `/workflows/${id}`, { as, body: { name, draftRevision, draft: { steps } } }))
      .statusCode;
  };
  expect(await save(editor, action(0, 'https://a.example'))).toBe(403);
  expect(await save(ana, action(0, 'https://a.example'))).toBe(200);
  expect(await save(editor, action(240, 'https://a.example'))).toBe(200);
  expect(await save(editor, action(240, 'https://b.example'))).toBe(403);
  expect(await save(editor)).toBe(403);
});
