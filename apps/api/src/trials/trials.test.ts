import type { RouteResult, routes } from '@pdf2press/contract';
import { defaultPreflightProfile } from '@pdf2press/preflight/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form } from '../testing/form.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let admin: SignedIn;
let stranger: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  const [one, other] = [await lab.makeSubscriber('One'), await lab.makeSubscriber('Other')];
  admin = await lab.signIn(await lab.makeAdministrator(one, 'admin@one.test'));
  stranger = await lab.signIn(await lab.makeAdministrator(other, 'admin@other.test'));
});
afterAll(() => lab?.stop());

const settings = JSON.stringify(defaultPreflightProfile());
const tryOn = (as: SignedIn, fields: Record<string, string>, file?: string) =>
  lab.call<RouteResult<typeof routes.trials.create>>('POST', '/trials', {
    as,
    ...form(fields, file === undefined ? undefined : { name: 'a.pdf', bytes: Buffer.from(file) }),
  });

test('a trial runs as a session that can be read and that no list shows', async () => {
  const first = await tryOn(admin, { kind: 'preflight', settings }, '%PDF-1.7\n%%EOF');
  expect(first.statusCode).toBe(201);
  const again = await tryOn(admin, { kind: 'preflight', settings, sessionId: first.result.id });
  expect(again.statusCode).toBe(201);

  const session = await lab.call<{ fileName: string; files: { sha256: string }[] }>(
    'GET',
    `/sessions/${again.result.id}`,
    { as: admin },
  );
  expect(session.result).toMatchObject({ fileName: 'a.pdf', status: 'InQueue' });
  expect((await lab.call<{ total: number }>('GET', '/sessions', { as: admin })).result.total).toBe(0);
  expect((await lab.call<{ total: number }>('GET', '/workflows', { as: admin })).result.total).toBe(0);
});

test('unusable trials are refused, and another subscriber’s file is not found', async () => {
  const { result } = await tryOn(admin, { kind: 'preflight', settings }, '%PDF-1.7\n%%EOF');
  expect((await tryOn(stranger, { kind: 'preflight', settings, sessionId: result.id })).statusCode).toBe(404);
  expect((await tryOn(admin, { kind: 'proof', settings }, 'x')).statusCode).toBe(400);
  expect((await tryOn(admin, { kind: 'preflight', settings: '[]' }, 'x')).statusCode).toBe(400);
  expect((await tryOn(admin, { kind: 'preflight', settings: '{"checks":"none"}' }, 'x')).statusCode).toBe(422);
  expect((await tryOn(admin, { kind: 'preflight', settings })).envelope.errors[0]?.code).toBe('file.missing');
});
