import { oneTimeCode } from '@pdf2press/config/one-time-code';
import type { RouteResult, routes, TokenResult } from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthenticator } from '../testing/authenticator.ts';
import { type Answer, type Lab, type Person, password, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let subscriberId: string;
let count = 0;
beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
});
afterAll(() => lab.stop());

type Own = RouteResult<typeof routes.passkeys.list>;
type Begun = RouteResult<typeof routes.passkeys.begin>;
type Device = ReturnType<typeof makeAuthenticator>;

const anybody = (): Promise<Person> => {
  count += 1;
  return lab.makeAdministrator(subscriberId, `key${count}@example.com`);
};
const codes = ({ envelope }: Answer<unknown>) => envelope.errors.map(({ code }) => code);
const begin = async (as: { token: string }) =>
  (await lab.call<Begun>('POST', '/me/passkeys/options', { as, body: { password } })).result;
const keep = (as: { token: string }, token: string, answer: unknown, name = 'My phone') =>
  lab.call<{ recoveryCodes: string[] | null }>('POST', '/me/passkeys', { as, body: { token, name, answer } });
const list = async (as: { token: string }) => (await lab.call<Own>('GET', '/me/passkeys', { as })).result;

/** Somebody with a passkey, signed in. */
async function withPasskey(): Promise<{ as: SignedIn; device: Device; recoveryCodes: string[] }> {
  const as = await lab.signIn(await anybody());
  const device = makeAuthenticator();
  const { token, options } = await begin(as);
  const { result } = await keep(as, token, device.create(options as never));
  return { as, device, recoveryCodes: result.recoveryCodes ?? [] };
}

/** The first stage: the password. Resolves to the challenge of the second, and what the browser is asked with. */
async function firstStage({ email }: { email: string }) {
  const refused = await lab.call('POST', '/TokenAuth/login', { body: { email, password } });
  expect(codes(refused)).toEqual(['auth.secondFactorNeeded']);
  const params = refused.envelope.errors[0]?.params;
  const challenge = String(params?.challenge);
  const asked = await lab.call<{ options: Record<string, unknown> }>('POST', '/TokenAuth/passkey/options', {
    body: { challenge },
  });
  return { challenge, params, options: asked.result.options as { challenge: string; allowCredentials: unknown[] } };
}
const signIn = (challenge: string, answer: unknown) =>
  lab.call<TokenResult>('POST', '/TokenAuth/passkey', { body: { challenge, answer } });

describe('a passkey', () => {
  test('is kept, switches the second factor on, and signs in after the password', async () => {
    const as = await lab.signIn(await anybody());
    const elsewhere = await lab.signIn(as);
    const wrong = await lab.call('POST', '/me/passkeys/options', { as, body: { password: 'wrong' } });
    expect(codes(wrong)).toEqual(['password.wrong']);
    const device = makeAuthenticator();
    const { token, options } = await begin(as);
    expect(options).toMatchObject({ rp: { id: 'localhost', name: 'pdf2press' }, attestation: 'none' });
    const { result } = await keep(as, token, device.create(options as never));
    expect(result.recoveryCodes).toHaveLength(10);
    expect(await list(as)).toMatchObject([{ name: 'My phone', lastUsedAt: null }]);
    expect((await lab.call('GET', '/me', { as: elsewhere })).statusCode).toBe(401);
    await lab.deliverMails();
    const mails = await listKeptMail(lab.deps.mail.keepFolder, subscriberId);
    expect(mails.filter(({ to }) => to === as.email)[0]?.text).toContain('My phone');

    const { challenge, params, options: asked } = await firstStage(as);
    expect(params).toMatchObject({ hasApp: false, hasPasskey: true });
    expect(asked.allowCredentials).toHaveLength(1);
    const done = await signIn(challenge, device.get(asked));
    expect(done.statusCode).toBe(200);
    const again = { token: done.result.authToken };
    expect((await list(again))[0]?.lastUsedAt).not.toBeNull();
    const entries = await lab.deps.db.asHost((tx) => tx.auditEntry.findMany({ where: { object: as.id } }));
    expect(entries.map(({ act }) => act)).toContain('passkey.add');
    expect(entries.at(-1)).toMatchObject({ act: 'login.succeeded', after: { secondFactor: 'passkey' } });
  });

  test('counts for its site, its challenge and its person alone, and once', async () => {
    const { as, device } = await withPasskey();
    const other = await withPasskey();
    const { challenge, options } = await firstStage(as);
    for (const answer of [
      device.get({ ...options, origin: 'http://evil.example' }),
      device.get({ ...options, origin: 'http://localhost:3001' }),
      device.get({ ...options, host: 'evil.example' }),
      device.get({ challenge: Buffer.from('another').toString('base64url') }),
    ])
      expect(codes(await signIn(challenge, answer))).toEqual(['auth.passkeyWrong']);
    await lab.deps.db.asHost((tx) => tx.$executeRaw`delete from lockouts`);
    await lab.deps.db.asHost((tx) => tx.$executeRaw`delete from login_attempts`);
    const next = await firstStage(as);
    expect(codes(await signIn(next.challenge, other.device.get(next.options)))).toEqual(['auth.passkeyWrong']);
    // Of an earlier sign-in of the same person.
    expect(codes(await signIn(next.challenge, device.get(options)))).toEqual(['auth.passkeyWrong']);
    const good = device.get(next.options);
    expect((await signIn(next.challenge, good)).statusCode).toBe(200);
    expect(codes(await signIn(next.challenge, good))).toEqual(['auth.challengeInvalid']);
    const third = await firstStage(as);
    expect(codes(await signIn(third.challenge, good))).toEqual(['auth.passkeyWrong']);
    // A copy of the device counts from where it was copied.
    expect(codes(await signIn(third.challenge, device.get(third.options, 1)))).toEqual(['auth.passkeyWrong']);
    expect(codes(await lab.call('POST', '/TokenAuth/passkey/options', { body: { challenge: 'x' } }))).toEqual([
      'auth.challengeInvalid',
    ]);
  });

  test('is refused when it is made for another site or challenge, twice, or with a token that was used', async () => {
    const { as, device } = await withPasskey();
    const stranger = await lab.signIn(await anybody());
    const attempts: ((options: never) => unknown)[] = [
      (options: object) => makeAuthenticator().create({ ...options, origin: 'http://evil.example' } as never),
      (options: object) => makeAuthenticator().create({ ...options, host: 'evil.example' } as never),
      () => makeAuthenticator().create({ challenge: Buffer.from('another').toString('base64url') }),
      (options) => device.create(options),
    ];
    for (const attempt of attempts) {
      const { token, options } = await begin(as);
      expect(codes(await keep(as, token, attempt(options as never)))).toEqual(['passkey.refused']);
      // Whatever came of it, the token is used up.
      expect(codes(await keep(as, token, makeAuthenticator().create(options as never)))).toEqual(['passkey.refused']);
    }
    const { token, options } = await begin(as);
    expect(codes(await keep(stranger, token, makeAuthenticator().create(options as never)))).toEqual([
      'passkey.refused',
    ]);
    expect(await list(as)).toHaveLength(1);
  });

  test('wrong answers lock the account as wrong codes do', async () => {
    const { as, device } = await withPasskey();
    const { challenge, options } = await firstStage(as);
    for (let round = 0; round < 5; round += 1)
      await signIn(challenge, device.get({ ...options, origin: 'http://evil.example' }));
    expect(codes(await signIn(challenge, device.get(options)))).toEqual(['auth.challengeInvalid']);
    const login = await lab.call('POST', '/TokenAuth/login', { body: { email: as.email, password } });
    expect(codes(login)).toEqual(['auth.invalidCredentials']);
  });

  test('may be lost: a recovery code signs in', async () => {
    const { as, recoveryCodes } = await withPasskey();
    const { challenge } = await firstStage(as);
    const done = await lab.call('POST', '/TokenAuth/second-factor', { body: { challenge, code: recoveryCodes[0] } });
    expect(done.statusCode).toBe(200);
    const next = await firstStage(as);
    const again = { challenge: next.challenge, code: recoveryCodes[0] };
    expect(codes(await lab.call('POST', '/TokenAuth/second-factor', { body: again }))).toEqual(['auth.codeWrong']);
  });

  test('is renamed and removed by its person alone; with the last one the second factor ends', async () => {
    const { as } = await withPasskey();
    const other = await withPasskey();
    const [own] = await list(as);
    const path = `/me/passkeys/${own?.id}`;
    expect((await lab.call('PUT', path, { as: other.as, body: { name: 'Mine' } })).statusCode).toBe(404);
    expect((await lab.call('POST', `${path}/remove`, { as: other.as, body: { password } })).statusCode).toBe(404);
    await lab.call('PUT', path, { as, body: { name: 'Old phone' } });
    expect(await list(as)).toMatchObject([{ name: 'Old phone' }]);
    expect(codes(await lab.call('POST', `${path}/remove`, { as, body: { password: 'wrong' } }))).toEqual([
      'password.wrong',
    ]);
    expect((await lab.call('POST', `${path}/remove`, { as, body: { password } })).statusCode).toBe(200);
    const login = await lab.call('POST', '/TokenAuth/login', { body: { email: as.email, password } });
    expect(login.statusCode).toBe(200);
  });

  test('stands beside an app, which goes on when the last passkey is removed', async () => {
    const { as, device } = await withPasskey();
    const begun = await lab.call<{ key: string }>('POST', '/me/second-factor', { as, body: { password } });
    // Its codes count for nothing before one was confirmed.
    const early = await firstStage(as);
    const code = oneTimeCode(begun.result.key);
    const refused = { challenge: early.challenge, code };
    expect(codes(await lab.call('POST', '/TokenAuth/second-factor', { body: refused }))).toEqual(['auth.codeWrong']);
    await lab.call('POST', '/me/second-factor/confirm', { as, body: { code } });
    const both = await firstStage(as);
    expect(both.params).toMatchObject({ hasApp: true, hasPasskey: true });
    expect((await signIn(both.challenge, device.get(both.options))).statusCode).toBe(200);
    const [own] = await list(as);
    await lab.call('POST', `/me/passkeys/${own?.id}/remove`, { as, body: { password } });
    expect((await firstStage(as)).params).toMatchObject({ hasApp: true, hasPasskey: false });
  });

  test('is what a role that demands a second factor is content with, and cannot be given up then', async () => {
    const person = await lab.makePerson(subscriberId, `role${count}@example.com`, ['users.view']);
    await lab.deps.db.asHost((tx) =>
      tx.role.updateMany({ where: { name: `role of ${person.email}` }, data: { requiresSecondFactor: true } }),
    );
    const as = await lab.signIn(person);
    expect(codes(await lab.call('GET', '/users', { as }))).toEqual(['auth.secondFactorMissing']);
    const { token, options } = await begin(as);
    await keep(as, token, makeAuthenticator().create(options as never));
    expect((await lab.call('GET', '/users', { as })).statusCode).toBe(200);
    const [own] = await list(as);
    const removed = await lab.call('POST', `/me/passkeys/${own?.id}/remove`, { as, body: { password } });
    expect(codes(removed)).toEqual(['secondFactor.required']);
    expect(await list(as)).toHaveLength(1);
  });

  test('is gone when an administrator resets the second factor', async () => {
    const { as } = await withPasskey();
    const boss = await lab.signIn(await anybody());
    expect((await lab.call('POST', `/users/${as.id}/second-factor/reset`, { as: boss })).statusCode).toBe(200);
    expect(await list(await lab.signIn(as))).toEqual([]);
  });
});
