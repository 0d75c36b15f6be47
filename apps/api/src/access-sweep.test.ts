import { type Permission, permissions, type Route } from '@pdf2press/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routeTable } from './frame/bind.ts';
import { callRoute, type Ids, makeThings, type NamedRoute, namedRoutes } from './testing/every-route.ts';
import { type Answer, type Lab, type SignedIn, startLab } from './testing/lab.ts';

/** Every route by every kind of caller: each is refused where it must be, and no subscriber reaches another's data. */
let lab: Lab;
let owner: SignedIn;
let stranger: SignedIn;
let nobody: SignedIn;
let revoked: SignedIn;
const viewing = permissions.filter((name) => name.endsWith('.view'));
let viewer: SignedIn;
/** Ids of the owner's objects, by the noun of their route. */
let ids: Ids;

const canary = 'CANARY';

const send = (each: NamedRoute, as: { token: string } | undefined, id?: string): Promise<Answer<unknown>> =>
  callRoute(lab, each, ids, { as, id });

/** The event stream never ends; sessions.test.ts tests its access. */
const ending = namedRoutes.filter(({ name }) => name !== 'sessions.live');
/** Of the installation's administrators: host.test.ts tests what they answer to them. */
const isHosts = ({ route }: { route: Route }) => route.access.kind === 'host';
const harmless = ending.filter(
  (each) => !['auth.logout', 'auth.revokeMySession'].includes(each.name) && !isHosts(each),
);

beforeAll(async () => {
  lab = await startLab({ limitFactor: 10_000 });
  const home = await lab.makeSubscriber(`${canary} Print`);
  const away = await lab.makeSubscriber('Other Print');
  owner = await lab.signIn(await lab.makeAdministrator(home, 'owner-canary@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
  nobody = await lab.signIn(await lab.makePerson(home, 'nobody@canary.example', []));
  viewer = await lab.signIn(await lab.makePerson(home, 'viewer@canary.example', viewing));
  const gone = await lab.makeAdministrator(home, 'gone@canary.example');
  revoked = await lab.signIn(gone);
  await lab.call('POST', '/TokenAuth/logout', { as: revoked });
  ids = await makeThings(lab, owner, canary);
});
afterAll(() => lab.stop());

test('each route of the contract is bound once', () => {
  expect(namedRoutes).toHaveLength(routeTable.length);
  for (const { route } of namedRoutes)
    expect(lab.app.hasRoute({ method: route.method, url: `/api${route.path}` })).toBe(true);
});

describe.each([
  ['nobody signed in', (): undefined => undefined],
  ['a revoked token', (): { token: string } => revoked],
  ['a forged token', (): { token: string } => ({ token: `${owner.token.slice(0, -3)}AAA` })],
  ['a key that does not exist', () => ({ token: 'p2p_nonsense' })],
] as const)('%s', (_name, who) => {
  test.each(ending.filter(({ route }) => route.access.kind !== 'public').map((each) => [each.name, each] as const))(
    '%s answers 401',
    async (_route, each) => {
      const answer = await send(each, who());
      expect(answer.statusCode).toBe(401);
      expect(answer.envelope).toMatchObject({ success: false, result: null, errors: [{ code: 'auth.tokenInvalid' }] });
    },
  );
});

describe('somebody without any permission', () => {
  test.each(ending.filter(({ route }) => route.access.kind === 'permission').map((each) => [each.name, each] as const))(
    '%s answers 403',
    async (_route, each) => {
      const answer = await send(each, nobody);
      expect(answer.statusCode).toBe(403);
      expect(answer.envelope.errors[0]?.code).toBe('access.denied');
    },
  );
});

describe('an administrator of a subscriber, who has every permission of it', () => {
  test.each(ending.filter(isHosts).map((each) => [each.name, each] as const))(
    '%s of the installation answers 403',
    async (_route, each) => {
      const answer = await send(each, owner);
      expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([403, 'access.denied']);
    },
  );
});

describe('a viewer', () => {
  // These look at the session: they need the permission of the action, or to be who its hold waits for.
  const asks = new Set(
    ['bulk', 'continue', 'cancel', 'replaceFile', 'reroute', 'unlock'].map((name) => `sessions.${name}`),
  );
  const mayView = ({ access }: Route) =>
    access.kind === 'permission' && access.anyOf.some((name) => viewing.includes(name));
  test.each(ending.filter(({ route }) => route.access.kind === 'permission').map((each) => [each.name, each] as const))(
    '%s is open to viewing only',
    async (_route, each) => {
      const { statusCode } = await send(each, viewer);
      if (mayView(each.route) && !asks.has(each.name)) expect([401, 403]).not.toContain(statusCode);
      else expect(statusCode).toBe(403);
    },
  );
});

describe('the administrator of another subscriber', () => {
  const isUnknown = (answer: Answer<unknown>): void => {
    expect(answer.statusCode).toBe(404);
  };
  const withId = harmless.filter(({ route, noun }) => route.path.includes(':') && noun !== 'auth');

  test.each(withId.map((each) => [each.name, each] as const))(
    '%s answers the owner’s id like an unknown one',
    async (_route, each) => {
      const foreign = await send(each, stranger);
      isUnknown(foreign);
      const unknown = await send(each, stranger, `${(ids[each.noun] ?? '').slice(0, -4)}ffff`);
      isUnknown(unknown);
      expect(foreign.body.replaceAll(ids[each.noun] ?? '', '')).toBe(unknown.body);
    },
  );

  test('sees nothing of the owner on any route', async () => {
    for (const each of harmless.filter(({ route }) => route.method === 'GET')) {
      const { body, headers } = await send(each, stranger);
      const seen = `${body}${JSON.stringify(headers)}`;
      expect(seen, each.name).not.toContain(canary);
      for (const [noun, id] of Object.entries(ids))
        if (noun !== 'file' || !body.includes('resource.notFound'))
          expect(seen, `${each.name} ${noun}`).not.toContain(id);
    }
    const own = await lab.call('GET', '/sessions', { as: owner });
    expect(own.body).toContain(canary); // proves that the canary can be found at all
  });

  test('changes nothing of the owner by naming their ids inside bodies', async () => {
    const bulk = await lab.call<{ success: boolean; error: { code: string } }[]>('POST', '/sessions/bulk', {
      as: stranger,
      body: { action: 'delete', ids: [ids.sessions] },
    });
    expect(bulk.result).toMatchObject([{ success: false, error: { code: 'resource.notFound' } }]);
    const user = await lab.call('POST', '/users', {
      as: stranger,
      body: { firstName: 'X', email: 'x@example.com', roleIds: [ids.roles], sendActivationEmail: false },
    });
    expect(user.statusCode).toBe(404);
    const upload = await lab.call('POST', '/uploads', {
      as: stranger,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': `workflowId ${Buffer.from(ids.workflows ?? '').toString('base64')}`,
      },
    });
    expect(upload.statusCode).toBe(404);
    expect(
      (await lab.call('GET', `/subscriber/getFeatures?subscriberId=${owner.subscriberId}`, { as: stranger }))
        .statusCode,
    ).toBe(404);
    const settings = { id: '', subscriberId: owner.subscriberId, culture: 'it-IT' };
    await lab.call('PUT', '/SystemSettings', { as: stranger, body: settings });
    expect((await lab.call<{ culture: string }>('GET', '/SystemSettings', { as: owner })).result.culture).toBe('en-US');
    expect((await lab.call('GET', `/sessions/${ids.sessions}`, { as: owner })).statusCode).toBe(200);
  });
});

describe('malformed ids', () => {
  const odd = [
    '',
    'x',
    '..%2f..',
    '%00',
    "' or 1=1 --",
    '0',
    'a'.repeat(150),
    '{"contains":""}',
    'undefined',
    '\u202e',
  ];
  test.each(harmless.filter(({ route }) => route.path.includes(':id')).map((each) => [each.name, each] as const))(
    '%s',
    async (_route, each) => {
      for (const id of odd) {
        const answer = await send(each, owner, id);
        expect([400, 404], `${id} ${answer.body}`).toContain(answer.statusCode);
      }
    },
  );
});

describe('the owner', () => {
  test.each(
    harmless
      .filter(({ route }) => route.access.kind !== 'public' && route.method === 'GET')
      .map((each) => [each.name, each] as const),
  )('may read %s', async (_route, each) => {
    const answer = await send(each, owner);
    expect([401, 403, 500], answer.body).not.toContain(answer.statusCode);
  });
});

test('an API key with one permission reaches that and nothing else', async () => {
  const { key } = (
    await lab.call<{ key: string }>('POST', '/api-keys', {
      as: owner,
      body: { name: 'one', permissions: ['workflows.view'] },
    })
  ).result;
  for (const each of harmless.filter(({ route }) => route.access.kind === 'permission')) {
    const anyOf: readonly Permission[] = each.route.access.kind === 'permission' ? each.route.access.anyOf : [];
    const { statusCode } = await send(each, { token: key });
    if (anyOf.includes('workflows.view')) expect([401, 403], each.name).not.toContain(statusCode);
    else expect(statusCode, each.name).toBe(403);
  }
});
