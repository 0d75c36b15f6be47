import { routes, type User } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);

let lab: Lab;
let ana: SignedIn;

beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper'), 'ana@example.com'));
}, 120_000);
afterAll(() => lab.stop());

test('a password that was typed twice must be the same both times', async () => {
  const made = { firstName: 'Bo', email: 'bo@example.com', password: 'Sh0rt!aaa' };
  const create = (passwordConfirmation?: string) =>
    lab.call<User>('POST', routes.users.create.path, { as: ana, body: { ...made, passwordConfirmation } });
  const refused = await create('Sh0rt!aab');
  expect([refused.statusCode, codes(refused)]).toEqual([400, ['password.confirmation']]);
  expect(refused.envelope.errors[0]?.field).toBe('passwordConfirmation');
  const { statusCode, result } = await create('Sh0rt!aaa');
  expect(statusCode).toBe(201);
  const change = (given: object) => lab.call('PUT', `/users/${result.id}`, { as: ana, body: { ...made, ...given } });
  expect(codes(await change({ password: 'An0ther!aaa', passwordConfirmation: '' }))).toEqual(['password.confirmation']);
  expect((await change({ password: 'An0ther!aaa', passwordConfirmation: 'An0ther!aaa' })).statusCode).toBe(200);
  // A program that sends it once is taken at its word.
  expect((await change({ password: 'Sh0rt!aaa' })).statusCode).toBe(200);
  const signIn = { email: made.email, password: 'Sh0rt!aaa' };
  expect((await lab.call('POST', routes.auth.login.path, { body: signIn })).statusCode).toBe(200);
});

test('a user was last seen when one of their sessions was, else when they signed in', async () => {
  const { subscriberId } = ana;
  const { id } = await lab.makePerson(subscriberId, 'cy@example.com', ['users.view']);
  const seen = async () => (await lab.call<User>('GET', `/users/${id}`, { as: ana })).result.lastSeenAt;
  expect(await seen()).toBeNull();
  const times = ['2026-01-03T10:00:00.000Z', '2026-01-05T10:00:00.000Z', '2026-01-04T10:00:00.000Z'];
  const [signedIn = '', newest = ''] = times;
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.update({ where: { id }, data: { lastSignedInAt: new Date(signedIn) }, select: { id: true } });
    await tx.userSession.createMany({
      data: times.map((lastSeenAt, at) => ({
        ...{ id: `uss_${at}`, userId: id, lastSeenAt, absoluteExpiresAt: new Date() },
        // One that was ended counts as well.
        revokedAt: at === 1 ? new Date() : null,
      })),
    });
  });
  expect(await seen()).toBe(newest);
  const { body } = await lab.call('GET', '/users/export.csv?search=cy@example', { as: ana });
  const [head = '', line = ''] = body.split('\r\n');
  expect(line.split(',')[head.split(',').indexOf('lastSeenAt')]).toBe(newest);
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) => tx.userSession.deleteMany({ where: { userId: id } }));
  expect(await seen()).toBe(signedIn);
});

test('the list is narrowed to how accounts stand and to roles, in the export as well', async () => {
  const { subscriberId } = ana;
  const made = await Promise.all(
    ['on', 'off', 'shut'].map((name) => lab.makePerson(subscriberId, `${name}@filter.example`, ['users.view'])),
  );
  const [on, off, shut] = made.map(({ id }) => id);
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.user.update({ where: { id: off ?? '' }, data: { isActive: false }, select: { id: true } }),
  );
  for (let round = 0; round < 5; round += 1)
    await lab.call('POST', routes.auth.login.path, { body: { email: 'shut@filter.example', password: 'not it' } });
  const list = async (query: string) =>
    (await lab.call<{ items: User[]; total: number }>('GET', `/users?search=filter.example&${query}`, { as: ana }))
      .result;
  const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
  expect(await ids('states=active')).toEqual([on]);
  expect(await ids('states=inactive')).toEqual([off]);
  expect(await ids('states=locked')).toEqual([shut]);
  expect(new Set(await ids('states[]=active&states[]=locked'))).toEqual(new Set([on, shut]));
  expect((await list('states=active&pageSize=1')).total).toBe(1);
  const roleId = (await list('states=inactive')).items[0]?.roles[0]?.id ?? '';
  expect(await ids(`roleIds=${roleId}`)).toEqual([off]);
  expect(await ids(`roleIds=${roleId}&states=active`)).toEqual([]);
  expect((await lab.call('GET', '/users?states=asleep', { as: ana })).statusCode).toBe(400);
  const { body } = await lab.call('GET', '/users/export.csv?search=filter.example&states=locked', { as: ana });
  expect(body.trim().split('\r\n')).toHaveLength(2);
  expect(body).toContain('shut@filter.example');
});
