import {
  type Organization,
  type Profile,
  type ProfileSummary,
  permissions,
  type RouteResult,
  type routes,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowExport,
  type WorkflowSummary,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { storedAs } from '@pdf2press/prisma';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

/** Workflows and profiles are made for the whole house or for one organization. */

let lab: Lab;
let home: string;
let admin: SignedIn;
/** Sees Acme only; Acme and Bolt; everything of another house. */
let one: SignedIn;
let both: SignedIn;
let stranger: SignedIn;
let acme: string;
let bolt: string;
let abroad: string;

const everything = permissions.filter((name) => !name.startsWith('host.'));
const makeOrganization = async (name: string, as: SignedIn, members: readonly SignedIn[] = []) =>
  (
    await lab.call<Organization>('POST', '/organizations', {
      as,
      body: { name, members: members.map(({ id }) => ({ id, isRestricted: true })) },
    })
  ).result.id;

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  home = await lab.makeSubscriber('Home Print');
  admin = await lab.signIn(await lab.makeAdministrator(home, 'admin@example.com'));
  one = await lab.signIn(await lab.makePerson(home, 'one@example.com', everything));
  both = await lab.signIn(await lab.makePerson(home, 'both@example.com', everything));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Abroad'), 'far@example.com'));
  acme = await makeOrganization('Acme', admin, [one, both]);
  bolt = await makeOrganization('Bolt', admin, [both]);
  abroad = await makeOrganization('Far', stranger);
}, 120_000);
afterAll(() => lab.stop());

let names = 0;
let mark = '';
beforeEach(() => {
  names += 1;
  mark = `T${names}`;
});

interface Refused {
  envelope: { errors: readonly { code: string; field?: string | undefined }[] };
}
const refusal = ({ envelope }: Refused) => envelope.errors.map(({ code, field }) => [code, field])[0];
const makeProfile = (as: SignedIn, name: string, organizationId?: string | null) =>
  lab.call<Profile>('POST', '/profiles/fix', { as, body: { name, organizationId, settings: { actions: [] } } });
const makeWorkflow = (as: SignedIn, name: string, organizationId?: string | null) =>
  lab.call<Workflow>('POST', '/workflows', { as, body: { name, organizationId } });
const assign = (id: string, organizationId: string | null, as = admin) =>
  lab.call<Workflow>('PUT', `/workflows/${id}/organization`, { as, body: { organizationId } });
const namesOf = async (path: string, as: SignedIn, query = '') =>
  (
    await lab.call<{ items: { name: string }[] }>('GET', `${path}?pageSize=100&search=${mark}&${query}`, { as })
  ).result.items.map(({ name }) => name.replace(`${mark} `, ''));
const drawing = (profileId: string): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', position: { x: 0, y: 0 } },
      { id: 'fix', kind: 'Fix', settings: { profileId }, position: { x: 240, y: 0 } },
      { id: 'complete', kind: 'Complete', position: { x: 480, y: 0 } },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'fix' },
      { id: 'b', from: 'fix', outcome: 'done', to: 'complete' },
    ],
  });
const draw = ({ id, name, draftRevision }: Workflow, draft: WorkflowDefinition, as = admin) =>
  lab.call<Workflow>('PUT', `/workflows/${id}`, { as, body: { name, draft, draftRevision } });
const publish = (id: string, as = admin) => lab.call<Workflow>('POST', `/workflows/${id}/publish`, { as });
const audited = (object: string) =>
  lab.deps.db.withSubscriber({ subscriberId: home }, async (tx) =>
    (await tx.auditEntry.findMany({ where: { object }, orderBy: { no: 'asc' } })).map(({ act, before, after }) => ({
      act,
      before: storedAs<unknown>(before),
      after: storedAs<unknown>(after),
    })),
  );

test.each([
  ['workflow', makeWorkflow],
  ['profile', makeProfile],
])('whose a new %s is, is chosen where there is a choice', async (_, make) => {
  const madeBy = async (as: SignedIn, given?: string | null) => {
    names += 1;
    const answer = await make(as, `${mark} ${names}`, given);
    return answer.envelope.success ? (answer.result.organization?.name ?? 'house') : refusal(answer);
  };
  expect(await madeBy(admin)).toBe('house');
  expect(await madeBy(admin, null)).toBe('house');
  expect(await madeBy(admin, bolt)).toBe('Bolt');
  expect(await madeBy(one), 'the only one is preset').toBe('Acme');
  expect(await madeBy(one, acme)).toBe('Acme');
  expect(await madeBy(both, bolt)).toBe('Bolt');
  expect(await madeBy(both), 'never silently the first').toEqual(['organization.choose', 'organizationId']);
  for (const as of [one, both]) expect(await madeBy(as, null)).toEqual(['organization.houseOnly', 'organizationId']);
  const unknown = ['organization.unknown', 'organizationId'];
  expect(await madeBy(one, bolt)).toEqual(unknown);
  for (const as of [admin, one, both]) expect(await madeBy(as, abroad), 'of another house').toEqual(unknown);
});

test('what can be chosen is told: the house and all to whoever sees it, their own to others', async () => {
  const own = async (as: SignedIn) => {
    const { isWhole, items } = (
      await lab.call<{ isWhole: boolean; items: { name: string }[] }>('GET', '/organizations/own', { as })
    ).result;
    return [isWhole, items.map(({ name }) => name)];
  };
  expect(await own(admin)).toEqual([true, ['Acme', 'Bolt']]);
  expect(await own(one)).toEqual([false, ['Acme']]);
  expect(await own(both)).toEqual([false, ['Acme', 'Bolt']]);
  expect(await own(stranger)).toEqual([true, ['Far']]);
});

test('lists show what is the house’s or one’s own, narrowed and sorted by organization', async () => {
  for (const [name, of] of [
    ['house', null],
    ['acme', acme],
    ['bolt', bolt],
  ] as const) {
    await makeWorkflow(admin, `${mark} ${name}`, of);
    await makeProfile(admin, `${mark} ${name}`, of);
  }
  for (const path of ['/workflows', '/profiles/fix']) {
    expect(await namesOf(path, admin)).toEqual(['acme', 'bolt', 'house']);
    expect(await namesOf(path, admin, 'sort=organization&direction=desc')).toEqual(['bolt', 'acme', 'house']);
    expect(await namesOf(path, admin, `organizationId=house&organizationId=${bolt}`)).toEqual(['bolt', 'house']);
    expect(await namesOf(path, one)).toEqual(['acme', 'house']);
    expect(await namesOf(path, one, `organizationId=${bolt}`), 'a filter shows no more').toEqual([]);
    expect(await namesOf(path, both)).toEqual(['acme', 'bolt', 'house']);
    expect(await namesOf(path, stranger)).toEqual([]);
  }
});

test('sessions are narrowed, sorted and exported by the organization that they belong to', async () => {
  const workflow = (await makeWorkflow(admin, `${mark} flow`)).result;
  const steps = drawing('').steps.filter(({ kind }) => kind !== 'Fix');
  const edges = [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }];
  await draw(workflow, workflowDefinitionSchema.parse({ steps, edges }));
  await publish(workflow.id);
  const receive = (fileName: string, organizationId?: string) =>
    receiveFile(lab.deps.engine, {
      context: { subscriberId: home },
      workflowId: workflow.id,
      ...(organizationId && { organizationId }),
      source: 'ManualInjected',
      fileName,
      bytes: (async function* once() {
        yield Buffer.from('%PDF-1.7');
      })(),
      ingest: { kind: 'test' },
      createdBy: { kind: 'system', id: 'test', name: 'test' },
    });
  for (const [name, organizationId] of [
    ['house', undefined],
    ['acme', acme],
    ['bolt', bolt],
  ] as const)
    await receive(`${mark} ${name}.pdf`, organizationId);
  const listed = async (as: SignedIn, query = '') => {
    const { result } = await lab.call<RouteResult<typeof routes.sessions.list>>(
      'GET',
      `/sessions?search=${mark}&sort=organization&direction=asc&${query}`,
      { as },
    );
    const named = result.items.map(({ fileName, organization }) => [fileName, organization?.name ?? null]);
    expect([result.total, result.statusCounts.InQueue ?? 0], 'the counts are those of the list').toEqual([
      named.length,
      named.length,
    ]);
    return named.map(([fileName, organization]) => {
      const name = String(fileName).slice(mark.length + 1, -'.pdf'.length);
      expect(organization?.toLowerCase() ?? 'house').toBe(name);
      return name;
    });
  };
  expect(await listed(admin)).toEqual(['acme', 'bolt', 'house']);
  expect(await listed(admin, `organizationId=${bolt}`)).toEqual(['bolt']);
  expect(await listed(admin, 'organizationId=house')).toEqual(['house']);
  expect(await listed(admin, `organizationId=house&organizationId=${acme}`)).toEqual(['acme', 'house']);
  expect(await listed(both, `organizationId=${acme}`)).toEqual(['acme']);
  expect(await listed(one), 'of their own only').toEqual(['acme']);
  for (const query of [`organizationId=${bolt}`, 'organizationId=house'])
    expect(await listed(one, query), 'a filter shows no more').toEqual([]);
  expect(await listed(stranger, `organizationId=${bolt}`)).toEqual([]);

  const { body } = await lab.call(
    'GET',
    `/sessions/export.csv?search=${mark}&sort=organization&direction=asc&organizationId=${bolt}&organizationId=house&columns=fileName&columns=organization`,
    { as: admin },
  );
  expect(body.trim().split('\r\n').slice(1)).toEqual([`${mark} bolt.pdf,Bolt`, `${mark} house.pdf,`]);

  // Its name finds what an organization has, whatever the files are called; nobody finds what is not theirs.
  await receive('plain.pdf', bolt);
  const found = async (as: SignedIn) =>
    (
      await lab.call<RouteResult<typeof routes.sessions.list>>('GET', '/sessions?search=BOL', { as })
    ).result.items.flatMap(({ fileName, organization }) => (organization?.name === 'Bolt' ? [fileName] : []));
  expect(await found(admin)).toContain('plain.pdf');
  expect(await found(one)).toEqual([]);
});

test('who sees sessions and nothing else is told the organizations that these are of', async () => {
  const viewer = await lab.signIn(await lab.makePerson(home, `viewer-${mark}@example.com`, ['sessions.view']));
  const blind = await lab.signIn(await lab.makePerson(home, `blind-${mark}@example.com`, ['storage.metrics.view']));
  const own = (as: SignedIn) => lab.call<{ items: { name: string }[] }>('GET', '/organizations/own', { as });
  expect((await own(viewer)).result.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['Acme', 'Bolt']));
  expect((await own(blind)).statusCode).toBe(403);
});

test('what is another organization’s cannot be read, changed, copied, exported or deleted, also where a session ran it', async () => {
  const workflow = (await makeWorkflow(admin, `${mark} theirs`)).result;
  const profile = (await makeProfile(admin, `${mark} theirs`, bolt)).result;
  await draw(
    workflow,
    workflowDefinitionSchema.parse({
      ...drawing(''),
      steps: drawing('').steps.filter(({ kind }) => kind !== 'Fix'),
      edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
    }),
  );
  await publish(workflow.id);
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: home },
    workflowId: workflow.id,
    organizationId: acme,
    source: 'ManualInjected',
    fileName: 'a.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.7');
    })(),
    ingest: { kind: 'test' },
    createdBy: { kind: 'system', id: 'test', name: 'test' },
  });
  expect((await assign(workflow.id, bolt)).result.organization?.name).toBe('Bolt');
  const at = `/workflows/${workflow.id}`;
  const refused = async (as: SignedIn) => [
    (await lab.call('GET', at, { as })).statusCode,
    (await draw(workflow, workflow.draft, as)).statusCode,
    (await publish(workflow.id, as)).statusCode,
    (await assign(workflow.id, acme, as)).statusCode,
    (await lab.call('PUT', `${at}/enabled`, { as, body: { isEnabled: false } })).statusCode,
    (await lab.call('POST', `${at}/copy`, { as, body: { name: `${mark} copy` } })).statusCode,
    (await lab.call('GET', `${at}/export`, { as })).statusCode,
    (await lab.call('DELETE', at, { as })).statusCode,
    (await lab.call('GET', `/profiles/fix/${profile.id}`, { as })).statusCode,
    (await lab.call('PUT', `/profiles/fix/${profile.id}`, { as, body: { name: 'x', settings: {}, version: 1 } }))
      .statusCode,
    (await lab.call('DELETE', `/profiles/fix/${profile.id}`, { as })).statusCode,
  ];
  for (const as of [one, stranger]) expect(new Set(await refused(as))).toEqual(new Set([404]));
  // The session stays what it was, with the name of the workflow that it runs.
  const kept = await lab.call<{ workflow: { name: string } }>('GET', `/sessions/${sessionId}`, { as: one });
  expect(kept.result.workflow.name).toBe(`${mark} theirs`);
  expect(await namesOf('/workflows', one)).toEqual([]);
  expect((await lab.call('GET', at, { as: both })).statusCode).toBe(200);
});

test('a workflow uses profiles of its organization and of the house; others are told at their step, and it is not published', async () => {
  const profile = {
    house: (await makeProfile(admin, `${mark} house`)).result.id,
    acme: (await makeProfile(admin, `${mark} acme`, acme)).result.id,
    bolt: (await makeProfile(admin, `${mark} bolt`, bolt)).result.id,
  };
  const elsewhere = { code: 'workflow.profileElsewhere', stepId: 'fix', field: 'profileId' };
  const issuesOf = async (of: string | null, profileId: string) => {
    names += 1;
    const made = (await makeWorkflow(admin, `${mark} ${names}`, of)).result;
    const saved = (await draw(made, drawing(profileId))).result;
    const { statusCode, envelope } = await publish(made.id);
    const told = saved.issues.map(({ code, stepId, field }) => ({ code, stepId, field }));
    expect(statusCode).toBe(told.length > 0 ? 422 : 200);
    if (told.length > 0) expect(envelope.errors[1]).toMatchObject({ code: elsewhere.code, field: 'fix.profileId' });
    return told;
  };
  expect(await issuesOf(acme, profile.acme)).toEqual([]);
  expect(await issuesOf(acme, profile.house)).toEqual([]);
  expect(await issuesOf(null, profile.house)).toEqual([]);
  expect(await issuesOf(acme, profile.bolt)).toEqual([elsewhere]);
  expect(await issuesOf(null, profile.acme)).toEqual([elsewhere]);
  const asked = await lab.call<{ code: string }[]>('POST', '/workflows/validate', {
    as: admin,
    body: { name: 'A', organizationId: bolt, definition: drawing(profile.acme) },
  });
  expect(asked.result.map(({ code }) => code)).toEqual([elsewhere.code]);
});

test('a workflow leads to workflows of its organization and of the house, and one of the house to all', async () => {
  const to = (await makeWorkflow(admin, `${mark} to`, bolt)).result.id;
  const leading = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', position: { x: 0, y: 0 } },
      {
        id: 'route',
        kind: 'Route',
        position: { x: 0, y: 0 },
        settings: { rules: [{ id: 'r', name: 'R', action: 'redirect', workflowId: to }] },
      },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'route' }],
  });
  const isTold = async (organizationId: string | null) =>
    (
      await lab.call<{ code: string }[]>('POST', '/workflows/validate', {
        as: admin,
        body: { name: 'A', organizationId, definition: leading },
      })
    ).result.some(({ code }) => code === 'workflow.targetElsewhere');
  expect([await isTold(bolt), await isTold(null), await isTold(acme)]).toEqual([false, false, true]);
});

/** The settings of connections that lead files to workflows, by their kind: what is sent, and where a fault is told. */
const leading = [
  [
    'mailbox',
    '/profiles/inboundEmail',
    (workflowId: string) => ({ host: 'imap.example.com', username: 'orders', password: 'secret', workflowId }),
    'settings.workflowId',
  ],
  [
    'cloud storage',
    '/profiles/cloudStorage',
    (workflowId: string) => ({ provider: 'GoogleDrive', folders: [{ folderId: 'f', path: 'Orders', workflowId }] }),
    'settings.folders.0.workflowId',
  ],
] as const;

test.each(leading)(
  'a %s of an organization leads to its workflows and those of the house, and one of the house to all',
  async (_, path, settings, field) => {
    await lab.deps.db.asHost((tx) =>
      tx.feature.createMany({ data: [{ subscriberId: home, featureKey: 'CloudInjection' }], skipDuplicates: true }),
    );
    const flows = {
      house: (await makeWorkflow(admin, `${mark} house`)).result.id,
      acme: (await makeWorkflow(admin, `${mark} acme`, acme)).result.id,
      bolt: (await makeWorkflow(admin, `${mark} bolt`, bolt)).result.id,
    };
    const make = (of: string | null, workflowId: string, as = admin) => {
      names += 1;
      const body = { name: `${mark} ${names}`, organizationId: of, settings: settings(workflowId) };
      return lab.call<Profile>('POST', path, { as, body });
    };
    const change = (profile: Profile, of: string | null, workflowId: string, as = admin) =>
      lab.call<Profile>('PUT', `${path}/${profile.id}`, {
        as,
        body: { name: profile.name, organizationId: of, settings: settings(workflowId), version: profile.version },
      });
    const elsewhere = ['organization.workflowElsewhere', field];
    const told = async (asked: ReturnType<typeof make>) => {
      const { statusCode, envelope } = await asked;
      if (envelope.success) return 'saved';
      expect(statusCode).toBe(422);
      expect(envelope.errors[0]).toMatchObject({ code: 'profile.invalid', field });
      return envelope.errors.slice(1).map(({ code, field: at }) => [code, at])[0];
    };
    expect(await told(make(null, flows.bolt))).toBe('saved');
    expect(await told(make(acme, flows.house))).toBe('saved');
    expect(await told(make(acme, flows.bolt))).toEqual(elsewhere);
    // What one does not see is another's, or nobody's.
    expect(await told(make(acme, flows.bolt, one))).toEqual(elsewhere);
    expect(await told(make(acme, 'wfl_nobody', one))).toEqual(elsewhere);

    const made = (await make(acme, flows.acme, one)).result;
    expect(await told(change(made, bolt, flows.acme))).toEqual(elsewhere);
    expect(await told(change(made, acme, flows.bolt, one))).toEqual(elsewhere);
    const moved = (await change(made, bolt, flows.bolt)).result;
    expect(moved.organization?.name).toBe('Bolt');

    // The workflow stays where it is while the connection leads to it.
    const refused = await assign(flows.bolt, acme);
    expect([refused.statusCode, ...(refusal(refused) ?? [])]).toEqual([
      409,
      'organization.fedElsewhere',
      'organizationId',
    ]);
    expect(refused.body).toContain(moved.name);
    expect((await assign(flows.bolt, null)).result.organization).toBeNull();
    expect(refusal(await assign(flows.bolt, acme))).toEqual(['organization.fedElsewhere', 'organizationId']);
    expect((await assign(flows.bolt, bolt)).result.organization?.name).toBe('Bolt');

    // A workflow that is gone does not keep its connection from being changed.
    await lab.call('DELETE', `/workflows/${flows.bolt}`, { as: admin });
    expect(await told(change(moved, bolt, flows.bolt, both))).toBe('saved');
  },
);

test('a delivery target of an organization uses its cloud storages and those of the house, and one of the house only these', async () => {
  await lab.deps.db.asHost((tx) =>
    tx.feature.createMany({ data: [{ subscriberId: home, featureKey: 'CloudInjection' }], skipDuplicates: true }),
  );
  const save = (
    path: string,
    of: string | null,
    settings: object,
    { as = admin, over }: { as?: SignedIn; over?: Profile } = {},
  ) => {
    names += 1;
    const body = { name: over?.name ?? `${mark} ${names}`, organizationId: of, settings };
    return over
      ? lab.call<Profile>('PUT', `${path}/${over.id}`, { as, body: { ...body, version: over.version } })
      : lab.call<Profile>('POST', path, { as, body });
  };
  const drive = { provider: 'GoogleDrive', folders: [] };
  const makeStorage = async (of: string | null) => (await save('/profiles/cloudStorage', of, drive)).result;
  const storages = { house: await makeStorage(null), acme: await makeStorage(acme), bolt: await makeStorage(bolt) };
  const targeting = (id: string) => ({ kind: 'cloud', connectionId: id, folder: { folderId: 'f' } });
  const target = (of: string | null, id: string, more?: Parameters<typeof save>[3]) =>
    save('/profiles/delivery', of, targeting(id), more);
  const field = 'settings.connectionId';
  const elsewhere = ['organization.storageElsewhere', field];
  const told = async (asked: ReturnType<typeof target>) => {
    const { statusCode, envelope } = await asked;
    if (envelope.success) return 'saved';
    expect(statusCode).toBe(422);
    expect(envelope.errors[0]).toMatchObject({ code: 'profile.invalid', field });
    return envelope.errors.slice(1).map(({ code, field: at }) => [code, at])[0];
  };
  expect(await told(target(null, storages.house.id))).toBe('saved');
  expect(await told(target(acme, storages.house.id))).toBe('saved');
  for (const of of [acme, null]) expect(await told(target(of, storages.bolt.id))).toEqual(elsewhere);
  // What one does not see is another's, or nobody's; it is not tried either.
  for (const id of [storages.bolt.id, 'prf_nobody']) {
    expect(await told(target(acme, id, { as: one }))).toEqual(elsewhere);
    const tried = { as: one, body: { settings: targeting(id) } };
    expect((await lab.call('POST', '/profiles/delivery-test', tried)).statusCode).toBe(422);
  }

  const made = (await target(acme, storages.acme.id, { as: one })).result;
  expect(await told(target(acme, storages.bolt.id, { as: one, over: made }))).toEqual(elsewhere);
  expect(await told(target(bolt, storages.acme.id, { over: made }))).toEqual(elsewhere);
  const moved = (await target(bolt, storages.bolt.id, { over: made })).result;
  expect(moved.organization?.name).toBe('Bolt');

  // The storage stays where it is while a target of others uses it.
  const assignStorage = async (storage: Profile, of: string | null) => {
    const { result } = await lab.call<Profile>('GET', `/profiles/cloudStorage/${storage.id}`, { as: admin });
    return save('/profiles/cloudStorage', of, drive, { over: result });
  };
  const refused = await assignStorage(storages.bolt, acme);
  expect([refused.statusCode, ...(refusal(refused) ?? [])]).toEqual([
    409,
    'organization.profileUsedElsewhere',
    'organizationId',
  ]);
  expect(refused.body).toContain(moved.name);
  expect((await assignStorage(storages.bolt, null)).result.organization).toBeNull();
  expect(refusal(await assignStorage(storages.bolt, acme))).toEqual([
    'organization.profileUsedElsewhere',
    'organizationId',
  ]);
  expect((await assignStorage(storages.bolt, bolt)).result.organization?.name).toBe('Bolt');
  expect(refusal(await assignStorage(storages.house, acme))).toEqual([
    'organization.profileUsedElsewhere',
    'organizationId',
  ]);
});

test('an SFTP folder of a workflow is on a server of its organization or of the house', async () => {
  const server = (
    await lab.call<Profile>('POST', '/profiles/sftpServer', {
      as: admin,
      body: {
        name: `${mark} server`,
        organizationId: bolt,
        settings: {
          host: 'sftp.example.com',
          username: 'orders',
          password: 'secret',
          hostKey: 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        },
      },
    })
  ).result.id;
  const definition = drawing('');
  const fetching = {
    ...definition,
    steps: definition.steps
      .filter(({ kind }) => kind !== 'Fix')
      .map((step) =>
        step.kind === 'Inject'
          ? { ...step, settings: { sources: [{ kind: 'sftp', settings: { connectionId: server, path: 'in' } }] } }
          : step,
      ),
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
  };
  const told = async (organizationId: string | null) =>
    (
      await lab.call<{ code: string; field?: string }[]>('POST', '/workflows/validate', {
        as: admin,
        body: { name: 'A', organizationId, definition: fetching },
      })
    ).result.flatMap(({ code, field }) => (code.endsWith('Elsewhere') ? [[code, field]] : []));
  const field = 'sources.0.settings.connectionId';
  expect(await told(bolt)).toEqual([]);
  for (const other of [acme, null]) expect(await told(other)).toEqual([['workflow.profileElsewhere', field]]);
});

test('a workflow is given to an organization and back, in the audit', async () => {
  const { id } = (await makeWorkflow(admin, `${mark} flow`)).result;
  expect((await assign(id, acme)).result.organization).toEqual({ id: acme, name: 'Acme' });
  expect((await audited(id)).at(-1)).toEqual({
    act: 'workflow.assign',
    before: { organizationId: null },
    after: { organizationId: acme },
  });
  expect(refusal(await assign(id, null, both))).toEqual(['organization.houseOnly', 'organizationId']);
  expect(refusal(await assign(id, abroad))).toEqual(['organization.unknown', 'organizationId']);
  expect(refusal(await assign(id, bolt, one))).toEqual(['organization.unknown', 'organizationId']);
  expect((await assign(id, bolt, both)).result.organization?.name).toBe('Bolt');
  expect((await assign(id, null)).result.organization).toBeNull();
  expect(refusal(await assign(id, acme, one)), 'of the house').toEqual(['organization.houseOnly', 'organizationId']);
});

test('a workflow that another organization’s page offers stays where it is', async () => {
  const { id } = (await makeWorkflow(admin, `${mark} offered`)).result;
  const page = { isPublic: true, slug: `page-${mark.toLowerCase()}`, workflowIds: [id] };
  const made = await lab.call<Organization>('POST', '/organizations', {
    as: admin,
    body: { name: `Page ${mark}`, uploadPage: page },
  });
  expect((await assign(id, acme)).envelope.errors[0]).toMatchObject({
    code: 'organization.offeredElsewhere',
    field: 'organizationId',
  });
  expect((await assign(id, made.result.id)).statusCode).toBe(200);
});

test('a profile that workflows of others use stays where it is, and a change is in the audit', async () => {
  const profile = (await makeProfile(admin, `${mark} used`)).result;
  const workflow = (await makeWorkflow(admin, `${mark} user`, acme)).result;
  await draw(workflow, drawing(profile.id));
  const change = (organizationId: string | null | undefined, version: number) =>
    lab.call<Profile>('PUT', `/profiles/fix/${profile.id}`, {
      as: admin,
      body: { name: profile.name, organizationId, settings: profile.settings, version },
    });
  const refused = await change(bolt, 1);
  expect(refusal(refused)).toEqual(['organization.profileUsedElsewhere', 'organizationId']);
  expect(refused.body).toContain(`${mark} user`);
  expect((await change(acme, 1)).result.organization?.name).toBe('Acme');
  expect((await change(undefined, 2)).result.organization?.name, 'left out = as it is').toBe('Acme');
  expect((await audited(profile.id)).map(({ before, after }) => [before, after])).toMatchObject([
    [null, { organizationId: null }],
    [{ organizationId: null }, { organizationId: acme }],
    [null, { version: 3 }],
  ]);
});

test('copies, imports and templates are made for an organization with their profiles', async () => {
  const made = (
    await lab.call<Workflow>('POST', '/workflows', {
      as: one,
      body: { name: `${mark} starter`, template: 'check-fix-check', isPublished: true },
    })
  ).result;
  expect(made).toMatchObject({ organization: { name: 'Acme' }, publishedVersion: 1, issues: [] });
  const of = async (kind: string, as: SignedIn) =>
    (await lab.call<{ items: ProfileSummary[] }>('GET', `/profiles/${kind}?pageSize=100`, { as })).result.items
      .filter(({ usedBy }) => usedBy.some(({ id }) => id === made.id))
      .map(({ organization }) => organization?.name);
  expect(await of('preflight', one)).toEqual(['Acme']);

  const copy = (body: object, as: SignedIn) =>
    lab.call<WorkflowSummary>('POST', `/workflows/${made.id}/copy`, { as, body });
  expect((await copy({ name: `${mark} kept` }, both)).result.organization?.name).toBe('Acme');
  const moved = (await copy({ name: `${mark} moved`, organizationId: bolt }, both)).result;
  expect(moved).toMatchObject({ organization: { name: 'Bolt' } });
  const { issues } = (await lab.call<Workflow>('GET', `/workflows/${moved.id}`, { as: both })).result;
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['workflow.profileElsewhere']));

  const document = (await lab.call<WorkflowExport>('GET', `/workflows/${made.id}/export`, { as: one })).result;
  expect(JSON.stringify(document), 'an organization stays with its house').not.toContain(acme);
  const carried = (query: string, as: SignedIn) =>
    lab.call<Workflow>('POST', `/workflows/import${query}`, { as, body: document });
  expect(refusal(await carried('', both))).toEqual(['organization.choose', 'organizationId']);
  expect((await carried(`?organizationId=${bolt}`, both)).result).toMatchObject({
    name: `${mark} starter (2)`,
    organization: { name: 'Bolt' },
    issues: [],
  });
  expect((await carried('', one)).result).toMatchObject({ organization: { name: 'Acme' }, issues: [] });
  expect((await carried('', admin)).result).toMatchObject({ organization: null, issues: [] });
});

test('names of workflows are the house’s: what one does not see takes a name, too', async () => {
  await makeWorkflow(admin, `${mark} name`, bolt);
  expect(refusal(await makeWorkflow(one, `${mark} name`))).toEqual(['resource.nameTaken', 'name']);
});

test('with an organization what was made for it goes back to the house, named before', async () => {
  const gone = await makeOrganization(`Gone ${mark}`, admin);
  const workflow = (await makeWorkflow(admin, `${mark} w`, gone)).result;
  const profile = (await makeProfile(admin, `${mark} p`, gone)).result;
  const usage = await lab.call('GET', `/organizations/${gone}/usage`, { as: admin });
  expect(usage.result).toMatchObject({ workflows: [`${mark} w`], profiles: [`${mark} p`] });
  await lab.call('DELETE', `/organizations/${gone}`, { as: admin });
  const after = [
    await lab.call<Workflow>('GET', `/workflows/${workflow.id}`, { as: admin }),
    await lab.call<Profile>('GET', `/profiles/fix/${profile.id}`, { as: admin }),
  ];
  expect(after.map(({ result }) => result.organization)).toEqual([null, null]);
  expect(refusal(await makeWorkflow(admin, `${mark} late`, gone))).toEqual(['organization.unknown', 'organizationId']);
});
