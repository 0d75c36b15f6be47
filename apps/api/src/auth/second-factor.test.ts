import { oneTimeCode } from '@pdf2press/config/one-time-code';
import type { RouteResult, routes, TokenResult, User } from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type Person, password, type SignedIn, startLab } from '../testing/lab.ts';

type Begun = RouteResult<typeof routes.secondFactors.begin>;
type State = RouteResult<typeof routes.secondFactors.read>;

let lab: Lab;
let subscriberId: string;
let count = 0;

beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
});
afterAll(() => lab.stop());

const anybody = (): Promise<Person> => {
  count += 1;
  return lab.makeAdministrator(subscriberId, `person${count}@example.com`);
};
const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const post = <T = unknown>(path: string, body: object, as?: { token: string }) =>
  lab.call<T>('POST', path, { body, as });

/** Switches the second factor on; resolves to the app's key, the code that confirmed it and the recovery codes. */
async function setUp(as: SignedIn): Promise<{ key: string; used: string; recoveryCodes: string[] }> {
  const { key } = (await post<Begun>('/me/second-factor', { password }, as)).result;
  const used = oneTimeCode(key);
  const confirmed = await post<{ recoveryCodes: string[] }>('/me/second-factor/confirm', { code: used }, as);
  return { key, used, recoveryCodes: confirmed.result.recoveryCodes };
}
/** As if some time had passed since the last accepted code. */
const later = (userId: string) =>
  lab.deps.db.asHost((tx) => tx.$executeRaw`update second_factors set last_step = 0 where user_id = ${userId}`);
async function challengeOf({ email }: Person, word = password): Promise<string> {
  const { envelope } = await post('/TokenAuth/login', { email, password: word });
  const [error] = envelope.errors;
  expect(error?.code).toBe('auth.secondFactorNeeded');
  return String(error?.params?.challenge);
}
const secondStage = (challenge: string, code: string) =>
  post<TokenResult>('/TokenAuth/second-factor', { challenge, code });
const wrong = (key: string) => String((Number(oneTimeCode(key)) + 500_001) % 1_000_000).padStart(6, '0');
const read = async (as: { token: string }) => (await lab.call<State>('GET', '/me/second-factor', { as })).result;
const mailsTo = async (email: string) => {
  await lab.deliverMails();
  return (await listKeptMail(lab.deps.mail.keepFolder, subscriberId)).filter((mail) => mail.to === email);
};

describe('setting it up', () => {
  test('takes the password and a code, shows key and picture, ends other sessions and tells the person', async () => {
    const person = await anybody();
    const elsewhere = await lab.signIn(person);
    const here = await lab.signIn(person);
    expect(await read(here)).toEqual({
      since: null,
      isRequired: false,
      recoveryCodesLeft: 0,
      hasApp: false,
      hasPassword: true,
    });
    expect(codes(await post('/me/second-factor', { password: 'wrong' }, here))).toEqual(['password.wrong']);
    expect(codes(await post('/me/second-factor/confirm', { code: '123456' }, here))).toEqual(['secondFactor.notBegun']);
    const { key, address, picture } = (await post<Begun>('/me/second-factor', { password }, here)).result;
    expect(address).toContain(`secret=${key}`);
    expect(address).toMatch(/^otpauth:\/\/totp\//);
    expect(Buffer.from(picture.split(',')[1] ?? '', 'base64').toString()).toMatch(/^<svg /);
    expect(codes(await post('/me/second-factor/confirm', { code: wrong(key) }, here))).toEqual([
      'secondFactor.codeWrong',
    ]);
    expect((await read(here)).since).toBeNull();
    const { result } = await post<{ recoveryCodes: string[] }>(
      '/me/second-factor/confirm',
      { code: oneTimeCode(key) },
      here,
    );
    expect(new Set(result.recoveryCodes).size).toBe(10);
    expect(await read(here)).toMatchObject({ since: expect.any(String), recoveryCodesLeft: 10 });
    expect((await lab.call('GET', '/me', { as: elsewhere })).statusCode).toBe(401);
    expect((await mailsTo(person.email)).map(({ subject }) => subject).join()).toContain('Second factor switched on');
    expect(codes(await post('/me/second-factor', { password }, here))).toEqual(['secondFactor.isOn']);
  });

  test('stores neither the key nor a recovery code in plain', async () => {
    const person = await anybody();
    const { key, recoveryCodes } = await setUp(await lab.signIn(person));
    const [row] = await lab.deps.db.asHost(
      (tx) => tx.$queryRaw<{ text: string }[]>`
        select concat(to_jsonb(factor)::text, (select string_agg(to_jsonb(secret)::text, '') from secrets secret),
                      (select string_agg(to_jsonb(entry)::text, '') from audit_entries entry)) as text
          from second_factors factor where user_id = ${person.id}`,
    );
    expect(row?.text).toContain('recovery_hashes');
    expect(row?.text).not.toContain(key);
    for (const code of recoveryCodes) expect(row?.text).not.toContain(code.replace('-', ''));
  });
});

describe('signing in', () => {
  test('asks for a code after the right password only, and takes each code once', async () => {
    const person = await anybody();
    const { key, used } = await setUp(await lab.signIn(person));
    expect(codes(await post('/TokenAuth/login', { email: person.email, password: 'wrong' }))).toEqual([
      'auth.invalidCredentials',
    ]);
    // The code that confirmed it is used up; by now another may be valid.
    expect(codes(await secondStage(await challengeOf(person), used))).toEqual(['auth.codeWrong']);
    const challenge = await challengeOf(person);
    expect(codes(await secondStage(challenge, wrong(key)))).toEqual(['auth.codeWrong']);
    const code = oneTimeCode(key, 1);
    const { result } = await secondStage(challenge, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect((await lab.call('GET', '/me', { as: { token: result.authToken } })).statusCode).toBe(200);
    expect(codes(await secondStage(challenge, code))).toEqual(['auth.challengeInvalid']);
    expect(codes(await secondStage(await challengeOf(person), code))).toEqual(['auth.codeWrong']);
    expect(codes(await secondStage('nonsense', code))).toEqual(['auth.challengeInvalid']);
  });

  test('of many requests with one code at once lets one in', async () => {
    const person = await anybody();
    const { key, recoveryCodes } = await setUp(await lab.signIn(person));
    await later(person.id);
    for (const code of [oneTimeCode(key), recoveryCodes[0] ?? '']) {
      const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(person)));
      const answers = await Promise.all(challenges.map((challenge) => secondStage(challenge, code)));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
    }
  });

  test('takes each recovery code once, written in any way, and new ones end those before', async () => {
    const person = await anybody();
    const { key, recoveryCodes } = await setUp(await lab.signIn(person));
    const [first = '', second = ''] = recoveryCodes;
    const { result } = await secondStage(await challengeOf(person), first.toLowerCase().replace('-', ' '));
    const here = { token: result.authToken };
    expect(codes(await secondStage(await challengeOf(person), first))).toEqual(['auth.codeWrong']);
    expect((await read(here)).recoveryCodesLeft).toBe(9);
    await later(person.id);
    const renewed = await post<{ recoveryCodes: string[] }>(
      '/me/second-factor/recovery-codes',
      { password, code: oneTimeCode(key) },
      here,
    );
    expect(renewed.result.recoveryCodes).toHaveLength(10);
    expect(codes(await secondStage(await challengeOf(person), second))).toEqual(['auth.codeWrong']);
    expect((await secondStage(await challengeOf(person), renewed.result.recoveryCodes[0] ?? '')).statusCode).toBe(200);
    const acts = await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.auditEntry.findMany({
        where: { object: person.id, act: { startsWith: 'secondFactor.' } },
        orderBy: { no: 'asc' },
      }),
    );
    expect(acts.map(({ act }) => act)).toEqual([
      'secondFactor.on',
      'secondFactor.recoveryCodeUsed',
      'secondFactor.recoveryCodes',
      'secondFactor.recoveryCodeUsed',
    ]);
  });

  test('counts wrong codes like wrong passwords: the right password between them does not begin anew', async () => {
    const person = await anybody();
    const { key } = await setUp(await lab.signIn(person));
    await later(person.id);
    for (let tries = 0; tries < 5; tries += 1)
      expect(codes(await secondStage(await challengeOf(person), wrong(key)))).toEqual(['auth.codeWrong']);
    expect(codes(await post('/TokenAuth/login', { email: person.email, password }))).toEqual([
      'auth.invalidCredentials',
    ]);
    expect((await mailsTo(person.email)).map(({ subject }) => subject).join()).toContain('is locked for a while');
  });

  test('locked meanwhile, even the right code is refused and is not used up', async () => {
    const person = await anybody();
    const { recoveryCodes } = await setUp(await lab.signIn(person));
    const challenge = await challengeOf(person);
    for (let tries = 0; tries < 5; tries += 1)
      await post('/TokenAuth/login', { email: person.email, password: 'wrong' });
    expect(codes(await secondStage(challenge, recoveryCodes[0] ?? ''))).toEqual(['auth.codeWrong']);
    await lab.deps.db.asHost((tx) => tx.$executeRaw`delete from lockouts`);
    expect((await secondStage(challenge, recoveryCodes[0] ?? '')).statusCode).toBe(200);
  });

  test('a challenge ends after five wrong codes, also where accounts are not locked, and after ten minutes', async () => {
    const person = await anybody();
    const { recoveryCodes } = await setUp(await lab.signIn(person));
    const challenge = await challengeOf(person);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(codes(await secondStage(challenge, 'wrong-code'))).toEqual(['auth.codeWrong']);
      await lab.deps.db.asHost((tx) => tx.$executeRaw`delete from login_attempts`);
    }
    expect(codes(await secondStage(challenge, recoveryCodes[0] ?? ''))).toEqual(['auth.challengeInvalid']);
    const old = await challengeOf(person);
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update one_time_tokens set expires_at = now() - interval '1 second' where user_id = ${person.id}`,
    );
    expect(codes(await secondStage(old, recoveryCodes[1] ?? ''))).toEqual(['auth.challengeInvalid']);
    // It opens nothing else.
    const other = await challengeOf(person);
    const body = { token: other, password: 'N3w-password!', passwordConfirmation: 'N3w-password!' };
    expect(codes(await post('/TokenAuth/reset-password', body))).toEqual(['auth.linkInvalid']);
  });
});

describe('switching it off', () => {
  test('takes password and code; afterwards the password alone signs in', async () => {
    const person = await anybody();
    const here = await lab.signIn(person);
    const { key } = await setUp(here);
    await later(person.id);
    const off = (body: object) => post('/me/second-factor/off', body, here);
    expect(codes(await off({ password: 'wrong', code: oneTimeCode(key) }))).toEqual(['password.wrong']);
    expect(codes(await off({ password, code: wrong(key) }))).toEqual(['secondFactor.codeWrong']);
    expect((await off({ password, code: oneTimeCode(key) })).statusCode).toBe(200);
    await lab.signIn(person);
    const secrets = await lab.deps.db.asHost((tx) => tx.secret.count({ where: { purpose: 'secondFactor' } }));
    const factors = await lab.deps.db.asHost((tx) => tx.secondFactor.count());
    expect(secrets).toBe(factors);
  });

  test('an administrator resets it for whoever lost the phone; not of somebody above them', async () => {
    const person = await anybody();
    const theirs = await lab.signIn(person);
    await setUp(theirs);
    const admin = await lab.signIn(await anybody());
    const clerk = await lab.signIn(
      await lab.makePerson(subscriberId, `clerk${count}@example.com`, ['users.view', 'users.manage']),
    );
    const path = `/users/${person.id}/second-factor/reset`;
    expect(codes(await post(path, {}, clerk))).toEqual(['access.denied']);
    expect((await lab.call<User>('GET', `/users/${person.id}`, { as: admin })).result.hasSecondFactor).toBe(true);
    const challenge = await challengeOf(person);
    expect((await post<User>(path, {}, admin)).result.hasSecondFactor).toBe(false);
    expect((await lab.call('GET', '/me', { as: theirs })).statusCode).toBe(401);
    expect(codes(await secondStage(challenge, '123456'))).toEqual(['auth.challengeInvalid']);
    expect(codes(await post(path, {}, admin))).toEqual(['secondFactor.isOff']);
    expect((await mailsTo(person.email)).map(({ subject }) => subject).join()).toContain('Second factor removed');
    await lab.signIn(person);
  });
});

test('a role that demands it lets people do nothing but set it up; their keys go on', async () => {
  const admin = await lab.signIn(await anybody());
  const person = await lab.makePerson(subscriberId, 'bound@example.com', [
    'sessions.view',
    'apiKeys.manage',
    'roles.view',
  ]);
  const here = await lab.signIn(person);
  const key = await post<{ key: string }>('/api-keys', { name: 'shop', permissions: ['sessions.view'] }, here);
  const roles = (
    await lab.call<{ items: { id: string; name: string; permissions: string[] }[] }>('GET', '/roles', { as: admin })
  ).result.items;
  const role = roles.find(({ name }) => name === 'role of bound@example.com');
  const change = (requiresSecondFactor?: boolean) =>
    lab.call<{ requiresSecondFactor: boolean }>('PUT', `/roles/${role?.id}`, {
      as: admin,
      body: { name: role?.name, permissions: role?.permissions, requiresSecondFactor },
    });
  expect((await change(true)).result.requiresSecondFactor).toBe(true);
  // Whoever changes something else, by a program that does not know it, keeps it.
  expect((await change()).result.requiresSecondFactor).toBe(true);
  const refused = await lab.call('GET', '/sessions', { as: here });
  expect([refused.statusCode, codes(refused)]).toEqual([403, ['auth.secondFactorMissing']]);
  expect(codes(await lab.call('GET', '/me/sessions', { as: here }))).toEqual(['auth.secondFactorMissing']);
  const me = await lab.call<{ mustSetUpSecondFactor: boolean }>('GET', '/me', { as: here });
  expect(me.result.mustSetUpSecondFactor).toBe(true);
  expect(await read(here)).toMatchObject({ since: null, isRequired: true });
  const byKey = await lab.call('GET', '/sessions', { headers: { 'x-api-key': key.result.key } });
  expect(byKey.statusCode).toBe(200);
  const { key: secret } = await setUp(here);
  expect((await lab.call('GET', '/sessions', { as: here })).statusCode).toBe(200);
  await later(person.id);
  const off = { password, code: oneTimeCode(secret) };
  expect(codes(await post('/me/second-factor/off', off, here))).toEqual(['secondFactor.required']);
  expect((await change(false)).statusCode).toBe(200);
  expect((await post('/me/second-factor/off', off, here)).statusCode).toBe(200);
});
