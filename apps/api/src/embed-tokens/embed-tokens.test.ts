import type { RouteResult, routes } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Made = RouteResult<typeof routes.embedTokens.create>;
type Exchanged = RouteResult<typeof routes.embedTokens.exchange>;

const shop = 'https://shop.example';
let lab: Lab;
let ana: SignedIn;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
});
afterAll(() => lab.stop());

const make = (body: object = {}, as: { token: string } = ana) =>
  lab.call<Made>('POST', '/embed-tokens', {
    as,
    body: { name: 'Shop', permissions: ['sessions.view'], origins: [shop], ...body },
  });
const exchange = (token: string) => lab.call<Exchanged>('POST', '/TokenAuth/embed', { body: { token } });
const enter = async (token: string) => ({ token: (await exchange(token)).result.authToken });
const codeOf = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors[0]?.code;

test('a token is shown once, stored as a hash and valid for 360 days, and its origins are written as browsers send them', async () => {
  const { result } = await make({ origins: [`${shop}/basket?x=1`, shop, 'http://intranet:8080'] });
  expect(result.token).toMatch(/^p2e_[\w-]{43}$/);
  expect(result.origins).toEqual([shop, 'http://intranet:8080']);
  const days = (new Date(result.expiresAt).getTime() - new Date(result.createdAt).getTime()) / 86_400_000;
  expect(days).toBeCloseTo(360, 2);
  const list = await lab.call('GET', '/embed-tokens', { as: ana });
  expect(list.body).toContain(result.prefix);
  expect(list.body).not.toContain(result.token);
  const row = await lab.deps.db.asHost((tx) => tx.embedToken.findUniqueOrThrow({ where: { id: result.id } }));
  expect(Buffer.from(row.hash)).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(result.token);
});

test('it gives its permissions for 15 minutes, and nothing about people, roles, settings or its maker', async () => {
  const { token } = (await make({ permissions: ['sessions.view', 'workflows.view'] })).result;
  const { result } = await exchange(token);
  expect(result).toMatchObject({ expiresIn: 900, origins: [shop] });
  const { iat = 0, exp = 0 } = lab.app.jwt.decode<{ iat?: number; exp?: number }>(result.authToken) ?? {};
  expect(exp - iat).toBe(900);
  const page = { token: result.authToken };
  expect((await lab.call('GET', '/sessions', { as: page })).statusCode).toBe(200);
  expect((await lab.call('GET', '/workflows', { as: page })).statusCode).toBe(200);
  const me = await lab.call('GET', '/me', { as: page });
  expect(me.result).toMatchObject({ firstName: 'Shop', email: '', roles: [], isHostAdministrator: false });
  expect(me.body).not.toContain('ana@example.com');
  for (const [method, path] of [
    ['GET', '/users'],
    ['GET', '/roles'],
    ['GET', '/SystemSettings'],
    ['GET', '/embed-tokens'],
    ['GET', '/api-keys'],
    ['GET', '/me/sessions'],
    ['GET', '/notifications'],
    ['POST', '/sessions'],
  ] as const)
    expect((await lab.call(method, path, { as: page })).statusCode, path).toBe(403);
  const own = { firstName: 'X', lastName: '', phone: '', locale: 'en' };
  expect((await lab.call('PUT', '/me', { as: page, body: own })).statusCode).toBe(403);
  // The embed token itself is not an access token.
  expect((await lab.call('GET', '/sessions', { as: { token } })).statusCode).toBe(401);
});

test('nobody grants permissions that they do not have, and some permissions cannot be granted at all', async () => {
  const subscriberId = ana.subscriberId;
  const bob = await lab.signIn(await lab.makePerson(subscriberId, 'bob@example.com', ['embedTokens.manage']));
  expect((await make({}, bob)).statusCode).toBe(403);
  for (const permission of ['users.view', 'settings.view', 'roles.manage', 'apiKeys.manage', 'embedTokens.manage'])
    expect((await make({ permissions: [permission] })).statusCode, permission).toBe(400);
  for (const origins of [[], ['shop.example'], ['javascript:alert(1)'], ['*']])
    expect((await make({ origins })).statusCode, String(origins)).toBe(400);
  const body = { name: 'k', permissions: ['embedTokens.manage', 'sessions.view'] };
  const { key } = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result;
  expect((await make({}, { token: key })).statusCode).toBe(403);
});

test('revoked, expired and unknown tokens and those whose maker is gone get the same answer; access tokens from them end, too', async () => {
  const unknown = await exchange('p2e_nonsense');
  expect([unknown.statusCode, codeOf(unknown)]).toEqual([401, 'auth.embedTokenInvalid']);

  const revoked = (await make()).result;
  const page = await enter(revoked.token);
  expect((await lab.call('DELETE', `/embed-tokens/${revoked.id}`, { as: ana })).statusCode).toBe(200);
  expect((await lab.call('GET', '/sessions', { as: page })).statusCode).toBe(401);
  expect(codeOf(await exchange(revoked.token))).toBe('auth.embedTokenInvalid');
  expect((await lab.call('DELETE', `/embed-tokens/${revoked.id}`, { as: ana })).statusCode).toBe(404);

  const old = (await make()).result;
  await lab.deps.db.asHost((tx) =>
    tx.embedToken.update({ where: { id: old.id }, data: { expiresAt: new Date(Date.now() - 1000) } }),
  );
  expect(codeOf(await exchange(old.token))).toBe('auth.embedTokenInvalid');

  const eve = await lab.makePerson(ana.subscriberId, 'eve@example.com', ['embedTokens.manage', 'sessions.view']);
  const hers = (await make({}, await lab.signIn(eve))).result;
  const herPage = await enter(hers.token);
  await lab.deps.db.asHost((tx) => tx.user.update({ where: { id: eve.id }, data: { isActive: false } }));
  lab.deps.callers.forget();
  expect((await lab.call('GET', '/sessions', { as: herPage })).statusCode).toBe(401);
});

test('acts in an embedded page carry the token’s name; making, using and revoking a token are audited', async () => {
  const { items } = (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result;
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId: items[0]?.id ?? '',
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  });
  const made = (await make({ name: 'Wall screen', permissions: ['sessions.view', 'sessions.stop'] })).result;
  const page = await enter(made.token);
  expect((await lab.call('POST', `/sessions/${sessionId}/stop`, { as: page, body: {} })).statusCode).toBe(200);
  const events = await lab.call<{ kind: string; actor: object }[]>('GET', `/sessions/${sessionId}/events`, {
    as: page,
  });
  expect(events.result.at(-1)).toMatchObject({ kind: 'Stopped', actor: { kind: 'embed', name: 'Wall screen' } });
  await lab.call('DELETE', `/embed-tokens/${made.id}`, { as: ana });
  const entries = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, (tx) =>
    tx.auditEntry.findMany({ where: { object: made.id }, orderBy: { no: 'asc' } }),
  );
  expect(entries.map(({ act }) => act)).toEqual(['embedToken.create', 'embedToken.use', 'embedToken.revoke']);
  expect(JSON.stringify(entries.map(({ after }) => after))).not.toContain(made.token);
});

test('only pages of the named sites may frame the page, and only with their token', async () => {
  const { token, id } = (await make({ origins: [shop, 'http://intranet:8080'] })).result;
  const open = async (query: string) => {
    const { headers, statusCode } = await lab.app.inject({
      url: `/workflows/sessions${query}`,
      headers: { accept: 'text/html' },
    });
    if (statusCode !== 200) return null; // no build of the web app on this machine
    const frames = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
    return { frames, older: headers['x-frame-options'] };
  };
  const named = await open(`?embed=true&token=${token}&expiredDate=2999-01-01`);
  if (!named) return;
  const open_ = { frames: `${shop} http://intranet:8080`, older: undefined };
  const shut = { frames: "'none'", older: 'DENY' };
  expect(named).toEqual(open_);
  expect(await open('')).toEqual(shut);
  expect(await open('?embed=true')).toEqual(shut);
  expect(await open('?embed=true&token=p2e_nonsense')).toEqual(shut);
  expect(await open(`?token=${token}`)).toEqual(shut);
  // Its origins may still show the page that says that the token is not valid.
  await lab.call('DELETE', `/embed-tokens/${id}`, { as: ana });
  expect(await open(`?embed=true&token=${token}`)).toEqual(open_);
});
