import {
  type ProfileKind,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowExport,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/* What a workflow takes along when it is carried to another house, and what depends on it when it is deleted. */

let lab: Lab;
let ana: SignedIn;
let eve: SignedIn;
let subscriberId: string;

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  eve = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'eve@example.com'));
}, 120_000);
afterAll(() => lab.stop());

const always = { match: 'all', rules: [{ fact: 'file.name', operator: 'exists' }] };

/** Settings of each kind of profile that a step can name; what is not given here is as a new profile has it. */
const settingsOf: Partial<Record<ProfileKind, object>> = {
  preflight: {},
  fix: { actions: [{ key: 'RichBlack', settings: {} }] },
  impose: { type: 'StepNRepeat' },
  proofing: {},
  renaming: { pattern: '{{session.shortId}}_{{file.baseName}}', operations: [{ action: 'case', letters: 'upper' }] },
  communication: { fromName: 'Thank you' },
};

async function makeProfile(kind: ProfileKind, name = `Carried ${kind}`): Promise<string> {
  const body = { name, settings: settingsOf[kind] };
  return (await lab.call<{ id: string }>('POST', `/profiles/${kind}`, { as: ana, body })).result.id;
}

const chain = (...ids: string[]) =>
  ids.slice(1).map((to, at) => {
    const from = ids[at] ?? '';
    const outcome = { proof: 'Approved', route: 'otherwise' }[from] ?? 'done';
    return { id: `e${at}`, from, outcome, to };
  });

/** A workflow whose steps name a profile of every kind that steps can name. */
async function withEveryProfile(): Promise<{ workflow: Workflow; ids: Record<string, string> }> {
  const kinds = ['preflight', 'fix', 'impose', 'proofing', 'renaming', 'communication'] as const;
  const ids: Record<string, string> = {};
  for (const kind of kinds) ids[kind] = await makeProfile(kind);
  const rule = { id: 'mail', when: always, action: 'changeCommunication', profileId: ids.communication };
  const definition = workflowDefinitionSchema.parse({
    communicationProfileId: ids.communication,
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'preflight', kind: 'Preflight', settings: { profileId: ids.preflight } },
      { id: 'route', kind: 'Route', settings: { rules: [rule] } },
      { id: 'fix', kind: 'Fix', settings: { profileId: ids.fix } },
      { id: 'proof', kind: 'Proof', settings: { profileId: ids.proofing } },
      { id: 'impose', kind: 'Impose', settings: { profileId: ids.impose } },
      { id: 'rename', kind: 'Rename', settings: { profileId: ids.renaming } },
      { id: 'complete', kind: 'Complete', settings: { profileId: ids.renaming } },
      { id: 'cancel', kind: 'Cancel' },
    ],
    edges: [
      ...chain('inject', 'preflight', 'route', 'fix', 'proof', 'impose', 'rename', 'complete'),
      { id: 'mail', from: 'route', outcome: 'mail', to: 'fix' },
      { id: 'declined', from: 'proof', outcome: 'Declined', to: 'cancel' },
    ],
  });
  const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Every profile' } })).result;
  const body = { name: 'Every profile', draft: definition, draftRevision: made.draftRevision };
  const workflow = (await lab.call<Workflow>('PUT', `/workflows/${made.id}`, { as: ana, body })).result;
  expect(workflow.issues).toEqual([]);
  return { workflow, ids };
}

const named = ({ steps, communicationProfileId }: WorkflowDefinition): Record<string, unknown> => ({
  workflow: communicationProfileId,
  ...Object.fromEntries(
    steps.flatMap(({ id, settings: { profileId, rules } }) => [
      ...(profileId === undefined ? [] : [[id, profileId]]),
      ...(Array.isArray(rules) ? [[`${id} rule`, (rules[0] as { profileId: string }).profileId]] : []),
    ]),
  ),
});

describe('a workflow is carried to another house', () => {
  let document: WorkflowExport;
  let ids: Record<string, string>;
  beforeAll(async () => {
    const made = await withEveryProfile();
    ids = made.ids;
    document = (await lab.call<WorkflowExport>('GET', `/workflows/${made.workflow.id}/export`, { as: ana })).result;
  });

  test('with every profile that its steps name, each once', () => {
    const carried = document.profiles.map(({ id, kind }) => [kind, id]);
    expect(Object.fromEntries(carried)).toEqual(ids);
    expect(carried).toHaveLength(Object.keys(ids).length);
    const renaming = document.profiles.find(({ kind }) => kind === 'renaming');
    expect(renaming?.settings).toMatchObject({ ...settingsOf.renaming, operations: [{ letters: 'upper' }] });
  });

  test('and works there by profiles of its own, with the same settings', async () => {
    const made = (await lab.call<Workflow>('POST', '/workflows/import', { as: eve, body: document })).result;
    expect(made.issues).toEqual([]);
    const before = named(document.definition);
    const after = named(made.draft);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(new Set(Object.values(after)).size).toBe(Object.keys(ids).length);
    expect(Object.values(ids).filter((id) => Object.values(after).includes(id))).toEqual([]);
    for (const kind of ['preflight', 'fix', 'impose', 'proofing', 'renaming'] as const) {
      const { profiles } = document;
      const given = profiles.find((profile) => profile.kind === kind);
      const step = Object.keys(before).find((id) => before[id] === given?.id) ?? '';
      const profile = await lab.call<{ name: string; settings: object }>('GET', `/profiles/${kind}/${after[step]}`, {
        as: eve,
      });
      expect(profile.result).toMatchObject({ name: `Carried ${kind}`, settings: given?.settings });
    }
    const published = await lab.call<Workflow>('POST', `/workflows/${made.id}/publish`, { as: eve });
    expect(published.result.publishedVersion).toBe(1);
    // Carried once more, it is what it was.
    const again = await lab.call<WorkflowExport>('GET', `/workflows/${made.id}/export`, { as: eve });
    const kept = ({ profiles, definition }: WorkflowExport) => ({
      profiles: profiles
        .map(({ kind, name, settings }) => ({ kind, name, settings }))
        .sort((a, b) => a.kind.localeCompare(b.kind)),
      edges: definition.edges,
    });
    expect(kept(again.result)).toEqual(kept(document));
  });

  test('and a name that is taken there gets a number, as the names of its profiles do', async () => {
    const bring = async (name: string) =>
      (await lab.call<Workflow>('POST', '/workflows/import', { as: eve, body: { ...document, name } })).result.name;
    expect([await bring('Two of a name'), await bring('two of a NAME')]).toEqual([
      'Two of a name',
      'two of a NAME (2)',
    ]);
    const long = 'x'.repeat(200);
    expect([await bring(long), await bring(long), await bring(long)]).toEqual([
      long,
      `${long.slice(4)} (2)`,
      `${long.slice(4)} (3)`,
    ]);
  });

  test('without a profile the step says that it is gone, also where a step can do without', async () => {
    const body = { ...document, name: 'Without profiles', profiles: [] };
    const made = (await lab.call<Workflow>('POST', '/workflows/import', { as: eve, body })).result;
    const gone = made.issues
      .filter(({ code }) => code === 'workflow.profileGone')
      .map(({ stepId, field }) => stepId ?? field);
    expect(gone).toEqual([
      'communicationProfileId',
      'preflight',
      'route',
      'fix',
      'proof',
      'impose',
      'rename',
      'complete',
    ]);
  });
});

test('a variable that a profile uses and the workflow lacks keeps it from being published', async () => {
  const settings = {
    checks: [{ key: 'PageCount', settings: { max: 4 } }],
    variables: { 'PageCount.max': '2 * sheets' },
  };
  const profile = await lab.call<{ id: string }>('POST', '/profiles/preflight', {
    as: ana,
    body: { name: 'Follows the sheets', settings },
  });
  const name = 'Without sheets';
  const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name } })).result;
  const steps = [
    { id: 'inject', kind: 'Inject' },
    { id: 'preflight', kind: 'Preflight', settings: { profileId: profile.result.id } },
    { id: 'complete', kind: 'Complete' },
  ];
  const edges = chain('inject', 'preflight', 'complete');
  const save = async (draftRevision: number, variables: object[]) =>
    (
      await lab.call<Workflow>('PUT', `/workflows/${made.id}`, {
        as: ana,
        body: { name, draft: { steps, edges, variables }, draftRevision },
      })
    ).result;
  const lacking = await save(made.draftRevision, []);
  expect(lacking.issues).toMatchObject([
    { code: 'workflow.variableUnknown', stepId: 'preflight', field: 'profileId', params: { name: 'sheets' } },
  ]);
  expect((await lab.call('POST', `/workflows/${made.id}/publish`, { as: ana })).statusCode).toBe(422);
  const sound = await save(lacking.draftRevision, [{ name: 'Sheets', type: 'Number', default: 2 }]);
  expect(sound.issues).toEqual([]);
  expect((await lab.call('POST', `/workflows/${made.id}/publish`, { as: ana })).statusCode).toBe(200);
});

describe('what depends on a workflow', () => {
  const publish = async (name: string, definition: object): Promise<string> => {
    const made = (await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name } })).result;
    const body = { name, draft: definition, draftRevision: made.draftRevision };
    await lab.call('PUT', `/workflows/${made.id}`, { as: ana, body });
    const published = await lab.call('POST', `/workflows/${made.id}/publish`, { as: ana });
    expect(published.statusCode).toBe(200);
    return made.id;
  };
  const plain = (settings = {}) => ({
    steps: [
      { id: 'inject', kind: 'Inject', settings },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: chain('inject', 'complete'),
  });
  const leadingTo = (workflowId: string, profileId: string) => ({
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'preflight', kind: 'Preflight', settings: { profileId } },
      { id: 'route', kind: 'Route', settings: { rules: [{ id: 'on', when: always, action: 'redirect', workflowId }] } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: chain('inject', 'preflight', 'route', 'complete'),
  });

  test('is told before it is deleted: sources, its hot folder, and workflows whose routes lead to it', async () => {
    const sources = [{ kind: 'folder', settings: { path: 'orders/in' } }];
    const target = await publish('Target', plain({ sources }));
    const closed = await publish('Closed', plain({ ways: { hotFolder: false } }));
    const profileId = await makeProfile('preflight', 'Before a route');
    const leading = await publish('Leads there', leadingTo(target, profileId));
    // Another one names it in its draft alone, and one in a text that is no route.
    const draft = await lab.call<Workflow>('POST', '/workflows', { as: ana, body: { name: 'Drafted' } });
    const { id, draftRevision } = draft.result;
    const drafted = { name: 'Drafted', draft: leadingTo(target, profileId), draftRevision };
    await lab.call('PUT', `/workflows/${id}`, { as: ana, body: drafted });
    await publish('Named', { ...plain(), variables: [{ name: 'where', type: 'String', default: target }] });

    const usage = async (of: string) => (await lab.call('GET', `/workflows/${of}/usage`, { as: ana })).result;
    expect(await usage(target)).toMatchObject({ sources, hasHotFolder: true, workflows: ['Drafted', 'Leads there'] });
    expect(await usage(closed)).toMatchObject({ sources: [], hasHotFolder: false, workflows: [] });
    expect(await usage(leading)).toMatchObject({ workflows: [] });
    await lab.call('DELETE', `/workflows/${leading}`, { as: ana });
    expect(await usage(target)).toMatchObject({ workflows: ['Drafted'] });
  });
});
