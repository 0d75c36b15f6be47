/**
 * Every list that a screen shows as a table is sorted by each of its columns, both ways, page by page; those of the companies
 * of an installation, of arrivals and of files that are to go in the tests of their rooms.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Access,
  cloudStorageSorts,
  fontSorts,
  mailboxSorts,
  may,
  organizationSorts,
  type ProfileKind,
  profileSorts,
  type Route,
  roleSorts,
  routes,
  userSorts,
  workflowSorts,
} from '@pdf2press/contract';
import { presets } from '@pdf2press/preflight/contracts';
import { newId, type Prisma } from '@pdf2press/prisma';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accountKey } from '../auth/lockout.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let owner: SignedIn;
let subscriberId: string;

/** What a row of an answer holds, as far as it is looked at here. */
interface Row {
  id: string;
  [field: string]: unknown;
}
/** The value of a column as the screen shows it; null = none, which is the least. */
type Shown = Readonly<Record<string, (row: Row) => string | number | null>>;
interface List {
  path: string;
  sorts: readonly string[];
  shown: Shown;
  /** Where the rows have states of their own. */
  states?: string;
}

const text = (field: string) => (row: Row) => (row[field] as string | null) ?? null;
const number = (field: string) => (row: Row) => Number(row[field]);
const yes = (field: string) => (row: Row) => (row[field] ? 1 : 0);
const namesIn = (field: string) => (row: Row) =>
  (row[field] as { name: string }[]).map(({ name }) => name).join(', ') || null;
const rankOf = (order: readonly string[], state: (row: Row) => string) => (row: Row) => order.indexOf(state(row));

const presetNames = new Intl.Collator('en');
const madeFor = (row: Row) => (row.organization as { name: string } | null)?.name ?? null;
const profileShown: Shown = {
  name: text('name'),
  organization: madeFor,
  usedBy: namesIn('usedBy'),
  preset: (row) => (row.basePreset as { name: string } | null)?.name ?? null,
  version: number('version'),
  updated: text('updatedAt'),
};
const states = ['failing', 'connection', 'folders', 'workflow', 'waiting', 'works', 'off'];
const state = rankOf(states, ({ paused, failing, lastLookedAt }) =>
  String(paused ?? (failing ? 'failing' : lastLookedAt ? 'works' : 'waiting')),
);
const profileKinds = [
  ...['preflight', 'fix', 'impose', 'proofing', 'communication', 'renaming', 'retention'],
  ...['archiving', 'delivery', 'sftpServer'],
] as ProfileKind[];

const lists: readonly List[] = [
  ...profileKinds.map((kind) => ({ path: `/profiles/${kind}`, sorts: profileSorts, shown: profileShown })),
  {
    path: '/profiles/cloudStorage',
    states: '/profiles/cloudStorage-states',
    sorts: cloudStorageSorts,
    shown: {
      name: text('name'),
      organization: madeFor,
      account: ({ provider, account }) => `${provider} ${account ?? ''}`,
      state,
      lastLooked: text('lastLookedAt'),
    },
  },
  {
    path: '/profiles/inboundEmail',
    states: '/profiles/inboundEmail-states',
    sorts: mailboxSorts,
    shown: {
      name: text('name'),
      organization: madeFor,
      workflow: ({ workflow }) => (workflow as { name: string } | null)?.name ?? null,
      state,
      lastLooked: text('lastLookedAt'),
    },
  },
  {
    path: '/workflows',
    sorts: workflowSorts,
    shown: {
      name: text('name'),
      organization: madeFor,
      sessions: number('sessionCount'),
      updated: text('updatedAt'),
    },
  },
  {
    path: '/users',
    sorts: userSorts,
    shown: {
      name: ({ lastName, firstName }) => `${lastName} ${firstName}`,
      state: ({ isLocked, isActive }) => (isLocked ? 0 : isActive ? 1 : 2),
      roles: (row) =>
        (row.roles as { name: string }[])
          .map(({ name }) => name)
          .sort()
          .join(', ') || null,
      secondFactor: yes('hasSecondFactor'),
      lastLogin: text('lastLoginAt'),
      lastSeen: text('lastSeenAt'),
    },
  },
  {
    path: '/roles',
    sorts: roleSorts,
    shown: {
      name: text('name'),
      kind: ({ isDefault, requiresSecondFactor, isStatic }) =>
        [isDefault, requiresSecondFactor, isStatic].reduce<number>((sum, mark) => sum * 2 + (mark ? 0 : 1), 0),
      permissions: ({ permissions }) => (permissions as string[]).length,
      users: number('userCount'),
    },
  },
  {
    path: '/fonts',
    sorts: fontSorts,
    shown: {
      name: ({ family, style }) => `${family} ${style}`,
      licence: rankOf(['Installable', 'Editable', 'PreviewAndPrint', 'Restricted'], ({ embedding }) =>
        String(embedding),
      ),
      kind: text('kind'),
      letters: number('glyphCount'),
      lastUsed: text('lastUsedAt'),
      added: text('createdAt'),
    },
  },
  {
    path: '/organizations',
    sorts: organizationSorts,
    shown: {
      name: text('name'),
      workflows: number('workflowCount'),
      members: number('memberCount'),
      sessions: number('sessionCount'),
      createdAt: text('createdAt'),
    },
  },
];

const paused = { isEnabled: false };
/** Settings of connections in different states; the others lack nothing but what they are not looked at for. */
const connections: readonly Prisma.InputJsonObject[] = [
  { isEnabled: true, provider: 'OneDrive', account: 'z@example.com', secretId: 'sec_1', workflowId: 'wfl_b' },
  { isEnabled: true, provider: 'GoogleDrive', workflowId: 'wfl_a' },
  { ...paused, provider: 'OneDrive', account: 'a@example.com', secretId: 'sec_2' },
  { isEnabled: true, provider: 'GoogleDrive', account: 'b@example.com', secretId: 'sec_3', workflowId: 'wfl_b' },
  { isEnabled: true, provider: 'OneDrive', secretId: 'sec_4' },
];

async function seedProfiles(tx: Parameters<Parameters<Lab['deps']['db']['withSubscriber']>[1]>[0], kind: ProfileKind) {
  for (const [at, name] of ['d', 'a', 'e', 'b', 'c'].entries()) {
    const id = `prf_${kind}_${name}`;
    const no = ((at * 3) % 5) + 1;
    const basePreset = presets.slice(0, 3).map(({ key, version }) => ({ key, version }))[at];
    const isConnection = kind === 'cloudStorage' || kind === 'inboundEmail';
    const folders = at % 2 === 0 ? [{ workflowId: 'wfl_b', driveId: '', folderId: 'f' }] : [];
    await tx.profile.create({
      data: { id, kind, name, currentNo: no, updatedAt: new Date(1e12 + ((at * 2) % 5) * 1e7) },
    });
    await tx.profileVersion.create({
      data: {
        id: newId('profileVersion'),
        profileId: id,
        no,
        settings: isConnection
          ? { ...connections[at], folders }
          : kind === 'preflight' && basePreset
            ? { basePreset }
            : {},
      },
    });
  }
  const lookedInto = { cloudStorage: ['cloud', ' f'], inboundEmail: ['email', ''] }[kind as string];
  if (!lookedInto) return;
  const [inlet = '', place = ''] = lookedInto;
  for (const [at, name] of ['d', 'b'].entries())
    await tx.inlet.create({
      data: {
        ...{ id: newId('profile'), workflowId: 'wfl_b', connectionId: `prf_${kind}_${name}`, kind: inlet, place },
        lastOkAt: new Date(1e12 + at * 1e7),
        ...(at === 0 && { failingSince: new Date(1e12), failureCount: 1, errorCode: 'source.denied', errorParams: {} }),
      },
    });
}

beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('House');
  const person = await lab.makeAdministrator(subscriberId, 'owner@example.com');
  for (const name of ['Alpha', 'Beta']) await lab.makeSubscriber(name);
  owner = await lab.signIn(person);
  for (const [at, name] of ['x', 'n', 'q'].entries()) {
    const { id } = await lab.makePerson(subscriberId, `${name}@example.com`, at === 1 ? [] : ['users.view']);
    await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.user.update({
        where: { id },
        data: { lastName: `Person ${9 - at}`, isActive: at !== 0, lastSignedInAt: at === 2 ? new Date(1e12) : null },
        select: { id: true },
      }),
    );
    if (at === 1)
      await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
        tx.secondFactor.create({ data: { userId: id, subscriberId, confirmedAt: new Date() } }),
      );
    // Seen longer ago than the one who only signed in, and in another session since.
    if (at === 0)
      await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
        tx.userSession.createMany({
          data: [1, 2].map((no) => ({
            ...{ id: `uss_${no}`, userId: id, lastSeenAt: new Date(1e12 - no * 1e6), absoluteExpiresAt: new Date() },
          })),
        }),
      );
  }
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into lockouts (key, failures, until) values (${accountKey('q@example.com')}, 9, now() + interval '1 h')`,
  );
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const used = (...names: string[]) => ({
      steps: profileKinds.flatMap((kind) =>
        names.map((name) => ({
          id: `${kind} ${name}`,
          kind: 'Preflight',
          settings: { profileId: `prf_${kind}_${name}` },
        })),
      ),
    });
    for (const [id, name, draft] of [
      ['wfl_a', 'Zines', used('a', 'c')],
      ['wfl_b', 'Cards', used('c', 'e')],
    ] as const) {
      await tx.workflow.create({ data: { id, name, draft, publishedNo: 1 } });
      const definition = { steps: [{ id: 'inject', kind: 'Inject', settings: {} }] };
      const version = { id: newId('workflowVersion'), workflowId: id, no: 1, definition, profiles: {}, hash: '' };
      await tx.workflowVersion.create({ data: version });
    }
    for (const kind of [...profileKinds, 'cloudStorage', 'inboundEmail'] as ProfileKind[]) await seedProfiles(tx, kind);
    for (const [at, embedding] of ['Restricted', 'Installable', 'Editable'].entries()) {
      const sha256 = String(at).repeat(64);
      await tx.blob.create({ data: { sha256, size: 1n } });
      const [family, style] = [`House ${(at * 2) % 3}`, 'Bold'];
      const kind = at === 1 ? 'OpenType' : 'TrueType';
      const said = { isSubsettingForbidden: false, isBitmapOnly: false, mayEmbed: true };
      const names = { postScriptName: `H-${at}`, family, style, fullName: `${family} ${style}` };
      await tx.font.create({
        data: {
          ...{ id: newId('font'), sha256, fileName: 'a.ttf', size: 1n, createdBy: 'Ana', ...names },
          facts: { ...names, kind, glyphCount: 50 - ((at * 7) % 5), embedding, ...said },
          createdAt: new Date(1e12 - at * 1e6),
          lastUsedAt: at === 0 ? null : new Date(1e12 + at),
        },
      });
    }
    for (const [at, name] of ['Roth', 'Anders', 'Moll'].entries())
      await tx.organization.create({
        data: {
          ...{ id: newId('organization'), name, createdAt: new Date(1e12 + ((at * 2) % 3) * 1e6) },
          ...(at > 0 && {
            organizationWorkflows: { create: ['wfl_a', 'wfl_b'].slice(0, at).map((workflowId) => ({ workflowId })) },
          }),
        },
      });
    // By hand, because it is no change of the rows.
    await tx.$executeRaw`
      update profiles set organization_id = organizations.id from organizations
       where organizations.name = case when profiles.name in ('a', 'e') then 'Roth' when profiles.name = 'd' then 'Anders' end`;
    await tx.$executeRaw`
      update workflows set organization_id = organizations.id from organizations
       where organizations.name = 'Moll' and workflows.name = 'Cards'`;
  });
});
afterAll(() => lab.stop());

/** All rows of a list, read page by page. */
async function wholeList(path: string, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { result } = await lab.call<{ items: Row[]; total: number }>(
      'GET',
      `${path}?pageSize=2&page=${page}&${query}`,
      { as: owner },
    );
    rows.push(...result.items);
    if (page * 2 >= result.total) return rows;
  }
}

const isSorted = (values: readonly (string | number | null)[], compare: (one: string, other: string) => number) =>
  values.every((value, at) => {
    const before = values[at - 1];
    if (at === 0 || before === value || before === null || before === undefined) return true;
    if (value === null) return false;
    return typeof value === 'number' ? Number(before) < value : compare(String(before), String(value)) < 0;
  });
const byLetters = (one: string, other: string) => (one < other ? -1 : 1);

describe.each(lists)('$path', ({ path, sorts, shown, states: statesPath }) => {
  test.each(sorts)('is sorted by %s, both ways', async (sort) => {
    const read = async (direction: string) => {
      const rows = await wholeList(path, `sort=${sort}&direction=${direction}`);
      expect(new Set(rows.map(({ id }) => id)).size, 'no row twice').toBe(rows.length);
      const held = statesPath ? (await lab.call<Row[]>('GET', statesPath, { as: owner })).result : [];
      const whole = rows.map((row) => ({ ...row, ...held.find(({ id }) => id === row.id) }));
      return whole.map((row) => shown[sort]?.(row) ?? null);
    };
    const [up, down] = [await read('asc'), await read('desc')];
    const compare = sort === 'preset' ? presetNames.compare : byLetters;
    expect(isSorted(up, compare), JSON.stringify(up)).toBe(true);
    expect(down).toEqual([...up].reverse());
    const isAlike = new Set(up).size < 2;
    // Kinds without presets, and organizations without members and sessions, have one value only.
    const ofOneValue = (sort === 'preset' && path !== '/profiles/preflight') || /^(members|sessions)$/.test(sort);
    expect(isAlike, 'the rows tell orders apart').toBe(ofOneValue);
  });
});

/**
 * Lists that come whole: what is in them belongs to one thing or one person and is bounded by it, or is made by people one by
 * one and by a limit never grows long.
 */
const wholeLists = new Set([
  '/api-keys',
  '/embed-tokens',
  '/webhooks',
  '/webhooks/:id/calls',
  '/session-views',
  '/me/sessions',
  '/me/passkeys',
  '/organizations/own',
  // Of one session, proof or workflow.
  '/sessions/:id/comments',
  '/sessions/:id/deliveries',
  '/sessions/:id/events',
  '/sessions/:id/fixes',
  '/sessions/:id/messages',
  '/sessions/:id/proofs',
  '/sessions/:id/proofs/:proofId/private-notes',
  '/client-proofing/:sessionId/:proofStepId/findings',
  '/client-proofing/:sessionId/:proofStepId/fixes',
  '/workflows/:id/standing',
  '/workflows/:id/versions',
  // What fields offer to choose from, and what is part of the product.
  '/sessions/team',
  '/profiles/cloudStorage/:id/folders',
  '/profiles/communication-texts',
  '/profiles/fix-presets',
  '/profiles/preflight-presets',
  '/systemSettings/cultures',
  '/subscriber/getFeatures',
  '/notifications/kinds',
  // Beside the pages of their lists; what is open, and the newest of what was kept.
  '/profiles/cloudStorage-states',
  '/profiles/inboundEmail-states',
  '/notifications',
  '/kept-mail',
  '/mails',
]);
/** Lists that have one order, which is what they are for: the newest or the next first, a conversation, worst pages first. */
const inOneOrder = new Set([
  '/sessions/:id/findings',
  '/sessions/:id/proofs/:proofId/notes',
  '/client-proofing/:sessionId/:proofStepId/notes',
]);
/** Read on from an entry: a number of a page would shift with each new one. */
const readOnFrom = new Set(['/audit']);
/** Lists whose export takes a permission of its own. */
const exportedWith: Readonly<Record<string, Access>> = { '/sessions': may('data.export') };
/** Sorted by each column elsewhere. */
const sortedElsewhere = new Set(['/arrivals', '/host/subscribers', '/retention/due', '/sessions']);

const namesOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
/** The lists of the contract. */
const contractLists = Object.values(routes)
  .flatMap((noun) => Object.values<Route>(noun))
  .filter(
    ({ method, result }) => method === 'GET' && (result instanceof z.ZodArray || namesOf(result).includes('items')),
  );

test('every list comes page by page, and is searched and sorted', () => {
  const lacking = contractLists.flatMap(({ path, query, result }) => {
    const asked = namesOf(query);
    const lacks = (names: readonly string[]) => names.filter((name) => !asked.includes(name));
    if (readOnFrom.has(path)) return lacks(['before', 'after', 'limit']).map((name) => `${path} ${name}`);
    if (wholeLists.has(path)) return [];
    const isPaged = ['items', 'total', 'page', 'pageSize'].every((name) => namesOf(result).includes(name));
    const wanted = ['page', 'pageSize', ...(inOneOrder.has(path) ? [] : ['search', 'sort', 'direction'])];
    return [...(isPaged ? [] : [`${path} pages`]), ...lacks(wanted).map((name) => `${path} ${name}`)];
  });
  expect(lacking).toEqual([]);
  // An exception that is none any more is taken out.
  const paths = new Set(contractLists.map(({ path }) => path));
  const sorted = new Set(contractLists.filter(({ query }) => namesOf(query).includes('sort')).map(({ path }) => path));
  const stale = [...wholeLists, ...inOneOrder, ...readOnFrom].filter((path) => !paths.has(path) || sorted.has(path));
  expect(stale).toEqual([]);
});

test('every list that is sorted is read in each of its orders here', () => {
  const sorted = contractLists.filter(({ query }) => namesOf(query).includes('sort')).map(({ path }) => path);
  expect(sorted.filter((path) => !sortedElsewhere.has(path)).sort()).toEqual(lists.map(({ path }) => path).sort());
});

test('every list that is sorted is exported: by who may read it, filtered and sorted as it is', () => {
  const ofPath = new Map(
    Object.values(routes)
      .flatMap((noun) => Object.values<Route>(noun))
      .map((route) => [`${route.method} ${route.path}`, route]),
  );
  const sorted = contractLists.filter(({ query }) => namesOf(query).includes('sort'));
  const lacking = sorted.flatMap(({ path, access, query }) => {
    const all = ofPath.get(`GET ${path}/export.csv`);
    if (!all) return [`${path} has none`];
    const asked = namesOf(query).filter((name) => name !== 'page' && name !== 'pageSize');
    return [
      ...(all.wire === 'bytes' ? [] : [`${path} answers with no file`]),
      ...(isDeepStrictEqual(all.access, exportedWith[path] ?? access) ? [] : [`${path} has other permissions`]),
      ...asked.filter((name) => !namesOf(all.query).includes(name)).map((name) => `${path} without ${name}`),
    ];
  });
  expect(sorted.length).toBeGreaterThan(20);
  expect(lacking).toEqual([]);
});

test('roles are searched by their names', async () => {
  const { result } = await lab.call<{ items: Row[]; total: number }>('GET', '/roles?search=ROLE%20OF%20n@', {
    as: owner,
  });
  expect([result.total, result.items.map(({ name }) => name)]).toEqual([1, ['role of n@example.com']]);
  const [role] = result.items;
  expect((await lab.call<Row>('GET', `/roles/${role?.id}`, { as: owner })).result).toEqual(role);
  expect((await lab.call('GET', '/roles/rol_none', { as: owner })).statusCode).toBe(404);
});

test('an order that a list does not have is refused', async () => {
  for (const path of ['/profiles/preflight?sort=account', '/profiles/cloudStorage?sort=preset', '/users?sort=email'])
    expect((await lab.call('GET', path, { as: owner })).statusCode).toBe(400);
});

test('a list of 1,000 profiles comes page by page, in every order', async () => {
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => at);
    await tx.profile.createMany({
      data: numbers.map((at) => ({
        ...{ id: `prf_many_${at}`, kind: 'retention', name: `many ${at}`, currentNo: 1 },
        updatedAt: new Date(2e12 + at * 1_000),
      })),
    });
    await tx.profileVersion.createMany({
      data: numbers.map((at) => ({ id: newId('profileVersion'), profileId: `prf_many_${at}`, no: 1, settings: {} })),
    });
  });
  const read = (page: number, sort: string) =>
    lab.call<{ items: Row[]; total: number }>(
      'GET',
      `/profiles/retention?search=MANY&pageSize=100&page=${page}&sort=${sort}&direction=desc`,
      { as: owner },
    );
  for (const sort of profileSorts) {
    const pages = await Promise.all([1, 2, 10].map(async (page) => (await read(page, sort)).result));
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual(Array(3).fill([100, 1_000]));
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(300);
  }
  const [newest] = (await read(1, 'updated')).result.items;
  expect(newest?.name).toBe('many 999');
});
