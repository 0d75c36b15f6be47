import type { Permission, RouteResult, routes } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type List = RouteResult<typeof routes.sessions.list>;
type Told = RouteResult<typeof routes.system.notifications>;
type Comments = RouteResult<typeof routes.discussion.comments>;
type Views = RouteResult<typeof routes.sessionViews.list>;

let lab: Lab;
let subscriberId: string;
let ana: SignedIn;
let ben: SignedIn;
let guest: SignedIn;
let roleOfBen: string;
let workflowId: string;

const talking: readonly Permission[] = ['sessions.view', 'sessions.discuss'];

beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  ben = await lab.signIn(await lab.makePerson(subscriberId, 'ben@example.com', talking));
  guest = await lab.signIn(await lab.makePerson(subscriberId, 'guest@example.com', ['sessions.view']));
  const roles = await lab.call<{ items: { id: string; name: string }[] }>('GET', '/roles', { as: ana });
  roleOfBen = roles.result.items.find(({ name }) => name === 'role of ben@example.com')?.id ?? '';
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId = await lab.deps.db.withSubscriber(
    { subscriberId },
    async (tx) => (await tx.workflow.findFirstOrThrow({ select: { id: true } })).id,
  );
});
afterAll(() => lab.stop());

async function session(fileName: string): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId },
    workflowId,
    source: 'ManualInjected',
    fileName,
    bytes: (async function* once() {
      yield Buffer.from(`%PDF-1.4 ${fileName}`);
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'api' },
  });
  return sessionId;
}

const told = async (as: SignedIn, sessionId: string) =>
  (await lab.call<Told>('GET', '/notifications', { as })).result.filter(({ params }) => params.sessionId === sessionId);
const waiting = async (as: SignedIn) => (await lab.call<List>('GET', '/sessions', { as })).result.waitingForMe;

test('a session is given to a person: they are told, it waits for them, and both end when it is taken away', async () => {
  const id = await session('given.pdf');
  const before = await waiting(ben);
  const given = await lab.call('PUT', `/sessions/${id}/assignee`, { as: ana, body: { assigneeId: ben.id } });
  expect(given.result).toMatchObject({ assignee: { id: ben.id } });
  expect(await waiting(ben)).toBe(before + 1);
  const mine = await lab.call<List>('GET', '/sessions?waitingForMe=true', { as: ben });
  expect(mine.result.items).toContainEqual(
    expect.objectContaining({ id, assignee: expect.objectContaining({ id: ben.id }) }),
  );
  expect(await told(ben, id)).toMatchObject([{ code: 'session.assigned', isRead: false }]);
  // Whoever does it knows.
  expect(await told(ana, id)).toEqual([]);
  await lab.call('PUT', `/sessions/${id}/assignee`, { as: ana, body: { assigneeId: null } });
  expect(await waiting(ben)).toBe(before);
  expect(await told(ben, id)).toMatchObject([{ isRead: true }]);
});

test('a session of a role waits for everybody with it, until it is done', async () => {
  const id = await session('of-a-role.pdf');
  const before = await waiting(ben);
  await lab.call('PUT', `/sessions/${id}/assignee`, { as: ana, body: { assigneeId: roleOfBen } });
  expect(await waiting(ben)).toBe(before + 1);
  await lab.call('POST', `/sessions/${id}/cancel`, { as: ana, body: {} });
  expect(await waiting(ben)).toBe(before);
  expect(await told(ben, id)).toMatchObject([{ code: 'session.assigned', isRead: true }]);
});

test('who is mentioned in a comment is told; what was said is read by those who may discuss only', async () => {
  const id = await session('talked-about.pdf');
  const body = { text: 'Is the black right, @ben?', mentions: [ben.id] };
  expect((await lab.call('POST', `/sessions/${id}/comments`, { as: guest, body })).statusCode).toBe(403);
  expect((await lab.call('POST', `/sessions/${id}/comments`, { as: ana, body })).statusCode).toBe(201);
  const read = await lab.call<Comments>('GET', `/sessions/${id}/comments`, { as: ben });
  expect(read.result).toMatchObject([{ text: body.text, isOwn: false, mentions: [{ id: ben.id }] }]);
  expect((await lab.call('GET', `/sessions/${id}/comments`, { as: guest })).statusCode).toBe(403);
  expect(await told(ben, id)).toMatchObject([{ code: 'session.mentioned', isRead: false }]);
  const events = await lab.call<{ kind: string; data: object }[]>('GET', `/sessions/${id}/events`, { as: guest });
  const line = events.result.find(({ kind }) => kind === 'Commented');
  expect(line).toMatchObject({ data: {} });
  expect(JSON.stringify(events.result)).not.toContain('black');
  expect(
    (await lab.call('POST', `/sessions/${id}/comments`, { as: ana, body: { text: 'x', mentions: ['usr_none'] } }))
      .statusCode,
  ).toBe(400);
  await lab.call('POST', '/notifications/read', { as: ben });
  expect(await told(ben, id)).toMatchObject([{ isRead: true }]);
});

test('somebody who may not see the session is not told of it', async () => {
  const id = await session('of-a-customer.pdf');
  const eve = await lab.makePerson(subscriberId, 'eve@example.com', talking);
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.updateMany({ where: { email: 'eve@example.com' }, data: { isOrganizationRestricted: true } });
    const organizationId = newId('organization');
    await tx.organization.create({ data: { id: organizationId, name: 'Other customer' } });
  });
  const as = await lab.signIn(eve);
  await lab.call('POST', `/sessions/${id}/comments`, { as: ana, body: { text: '@eve', mentions: [as.id] } });
  expect(await told(as, id)).toEqual([]);
  expect((await lab.call('GET', `/sessions/${id}/comments`, { as })).statusCode).toBe(404);
  expect((await lab.call('POST', `/sessions/${id}/comments`, { as, body: { text: 'x' } })).statusCode).toBe(404);
});

test('a view is shared with everybody or a role; only its owner changes it', async () => {
  const save = (as: SignedIn, name: string, sharedWith: string | null, question = 'status=Failed') =>
    lab.call<Views[number]>('POST', '/session-views', { as, body: { name, question, sharedWith } });
  const seen = async (as: SignedIn) =>
    (await lab.call<Views>('GET', '/session-views', { as })).result.map(({ name }) => name);
  await save(ana, 'mine', null);
  const shared = await save(ana, 'for all', 'everybody');
  await save(ana, 'for ben', roleOfBen);
  expect(await seen(ana)).toEqual(['mine', 'for all', 'for ben']);
  expect(await seen(ben)).toEqual(['for all', 'for ben']);
  expect(await seen(guest)).toEqual(['for all']);
  expect((await save(guest, 'mine too', 'everybody')).statusCode).toBe(403);
  expect((await save(guest, 'mine too', null)).statusCode).toBe(201);
  expect((await lab.call('DELETE', `/session-views/${shared.result.id}`, { as: ben })).statusCode).toBe(404);
  // The same name again is the same view.
  const again = await save(ana, 'for all', null, 'period=yesterday');
  expect(again.result).toMatchObject({ id: shared.result.id, question: 'period=yesterday' });
  expect(await seen(guest)).toEqual(['mine too']);
  expect((await lab.call('DELETE', `/session-views/${shared.result.id}`, { as: ana })).statusCode).toBe(200);
});

test('without a mail server the link of a new person is in the answer, once, and works', async () => {
  const made = await lab.call<{ id: string; activationLink: string | null }>('POST', '/users', {
    as: ana,
    body: { firstName: 'New', email: 'new@example.com' },
  });
  const token = /#token=(.+)$/.exec(made.result.activationLink ?? '')?.[1];
  const read = await lab.call<object>('GET', `/users/${made.result.id}`, { as: ana });
  expect(read.result).not.toHaveProperty('activationLink');
  const password = 'Paper-and-1nk!';
  const body = { token, password, passwordConfirmation: password };
  expect((await lab.call('POST', '/TokenAuth/reset-password', { body })).statusCode).toBe(200);
  expect((await lab.call('POST', '/TokenAuth/reset-password', { body })).statusCode).toBe(400);
});
