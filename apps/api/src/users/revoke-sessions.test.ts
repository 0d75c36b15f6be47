import type { AuditEntry } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let clerk: SignedIn;
let home: string;

beforeAll(async () => {
  lab = await startLab();
  home = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  clerk = await lab.signIn(await lab.makePerson(home, 'clerk@example.com', ['users.view', 'users.sessions.revoke']));
});
afterAll(() => lab.stop());

test('a person is signed out on all devices by whoever may do that, and it is in the audit', async () => {
  const bo = await lab.makePerson(home, 'bo@example.com', ['users.view']);
  const [desk, phone] = [await lab.signIn(bo), await lab.signIn(bo)];
  const revoke = (id: string, as: SignedIn) => lab.call('POST', `/users/${id}/sessions/revoke`, { as });
  const isIn = async (as: SignedIn) => (await lab.call('GET', '/users', { as })).statusCode === 200;
  expect((await revoke(clerk.id, desk)).statusCode, 'not by everybody').toBe(403);
  expect((await revoke(ana.id, clerk)).statusCode, 'nor of somebody who may do more').toBe(403);
  expect(await Promise.all([desk, phone, ana, clerk].map(isIn))).toEqual([true, true, true, true]);
  expect((await revoke(bo.id, clerk)).statusCode).toBe(200);
  expect(await Promise.all([desk, phone, ana, clerk].map(isIn))).toEqual([false, false, true, true]);
  expect(await isIn(await lab.signIn(bo)), 'who signs in again is in').toBe(true);
  const { result } = await lab.call<{ items: AuditEntry[] }>('GET', '/audit?pageSize=100', { as: ana });
  expect(result.items.filter(({ act }) => act === 'user.signOut')).toMatchObject([{ object: { id: bo.id } }]);
});
