import { defaultRoles, permissions, type TokenResult } from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSetUp } from '../setup/set-up.ts';
import { type Lab, type Person, password, startLab } from '../testing/lab.ts';
import { hashPassword, isPassword, nobodysHash } from './passwords.ts';

// One long file: each file of these tests starts a database and an API of its own.
let lab: Lab;
let subscriberId: string;
let count = 0;
beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
});
afterAll(() => lab.stop());

/** A new person, for whom no failures are counted yet. */
const anybody = (): Promise<Person> => {
  count += 1;
  return lab.makeAdministrator(subscriberId, `person${count}@example.com`);
};
const login = (email: string, word = password, extra: object = {}, headers: Record<string, string> = {}) =>
  lab.call<TokenResult>('POST', '/TokenAuth/login', { body: { email, password: word, ...extra }, headers });
const refresh = (refreshToken: string) =>
  lab.call<TokenResult>('POST', '/TokenAuth/refresh', { body: { refreshToken } });
const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const cookieOf = (response: Pick<LightMyRequestResponse, 'cookies'>, name: string) => {
  const found = response.cookies.find((cookie) => cookie.name === name) as Record<string, unknown> | undefined;
  return found as { value: string; httpOnly?: boolean; sameSite?: string; path?: string } | undefined;
};
const later = (seconds: number, userSessionId: string) =>
  lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      update refresh_tokens set used_at = used_at - make_interval(secs => ${seconds}::int) where user_session_id = ${userSessionId}`,
  );
const mailsTo = async (email: string) => {
  await lab.deliverMails();
  return (await listKeptMail(lab.deps.mail.keepFolder, subscriberId)).filter((mail) => mail.to === email);
};
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';

describe('signing in', () => {
  test('answers the three fields of the contract; the address is not case-sensitive', async () => {
    const person = await anybody();
    const { result } = await login(person.email.toUpperCase());
    expect(Object.keys(result).sort()).toEqual(['authToken', 'expiresIn', 'refreshToken']);
    expect(result.expiresIn).toBe(600);
    const me = await lab.call<{ email: string }>('GET', '/me', { as: { token: result.authToken } });
    expect(me.result.email).toBe(person.email);
  });

  test('unknown accounts, wrong passwords, inactive accounts and those without a password get exactly the same answer', async () => {
    const off = await anybody();
    const bare = await anybody();
    await lab.deps.db.asHost(async (tx) => {
      await tx.user.update({ where: { id: off.id }, data: { isActive: false } });
      await tx.user.update({ where: { id: bare.id }, data: { passwordHash: null } });
    });
    const wrong = await login((await anybody()).email, 'wrong');
    for (const answer of [await login('nobody@example.com'), await login(off.email), await login(bare.email)]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toBe(wrong.body);
    }
    expect(wrong.envelope.errors[0]?.message).toBe('Your email or password is incorrect.');
  });

  test('asks for the same work for unknown accounts as for known ones', async () => {
    // The benchmark measures the time itself.
    const work = (text: string) => text.split('$').slice(1, 4);
    expect(work(nobodysHash)).toEqual(work(await hashPassword('any')));
    expect(await isPassword(undefined, 'any')).toBe(false);
  });

  test('five failures lock for the configured time, with the same answer; time and administrators unlock', async () => {
    const { email, id } = await anybody();
    const boss = await lab.signIn(await anybody());
    for (let round = 0; round < 5; round += 1) expect((await login(email, 'wrong')).statusCode).toBe(401);
    const locked = await login(email);
    expect(locked.statusCode).toBe(401);
    expect(codes(locked)).toEqual(['auth.invalidCredentials']);
    expect((await lab.call<{ isLocked: boolean }>('GET', `/users/${id}`, { as: boss })).result.isLocked).toBe(true);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Your account at pdf2press is locked for a while',
    ]);
    expect((await lab.call<{ isLocked: boolean }>('POST', `/users/${id}/unlock`, { as: boss })).result.isLocked).toBe(
      false,
    );
    expect((await login(email)).statusCode).toBe(200);

    for (let round = 0; round < 5; round += 1) await login(email, 'wrong');
    expect((await login(email)).statusCode).toBe(401);
    await lab.deps.db.asHost(async (tx) => {
      await tx.$executeRaw`update lockouts set until = until - interval '301 seconds'`;
      await tx.$executeRaw`update login_attempts set at = at - interval '301 seconds'`;
    });
    expect((await login(email)).statusCode).toBe(200);
  });

  test('a browser that signed in before is not locked out by strangers', async () => {
    const { email } = await anybody();
    const device = cookieOf(await login(email), 'device');
    for (let round = 0; round < 6; round += 1) await login(email, 'wrong');
    expect((await login(email)).statusCode).toBe(401);
    expect((await login(email, password, {}, { cookie: `device=${device?.value}` })).statusCode).toBe(200);
    // The cookie of another person, or a forged one, does not count.
    const other = await anybody();
    for (let round = 0; round < 5; round += 1) await login(other.email, 'wrong');
    expect((await login(other.email, password, {}, { cookie: `device=${device?.value}` })).statusCode).toBe(401);
  });

  test('also of a browser that is known is seen by administrators, and lifted by them', async () => {
    const { email, id, subscriberId } = await anybody();
    const chief = await lab.signIn(await lab.makeAdministrator(subscriberId, `chief-of-${email}`));
    const headers = { cookie: `device=${cookieOf(await login(email), 'device')?.value}` };
    const isLocked = async () =>
      (await lab.call<{ isLocked: boolean }>('GET', `/users/${id}`, { as: chief })).result.isLocked;
    for (let round = 0; round < 5; round += 1) await login(email, 'wrong', {}, headers);
    expect((await login(email, password, {}, headers)).statusCode).toBe(401);
    expect(await isLocked()).toBe(true);
    expect((await lab.call('POST', `/users/${id}/unlock`, { as: chief })).statusCode).toBe(200);
    expect(await isLocked()).toBe(false);
    expect((await login(email, password, {}, headers)).statusCode).toBe(200);
  });

  test('a person gets a message about a sign-in with a new browser', async () => {
    const { email } = await anybody();
    await login(email, password, {}, { 'user-agent': 'Firefox' });
    expect(await mailsTo(email)).toEqual([]);
    await login(email, password, {}, { 'user-agent': 'curl' });
    expect((await mailsTo(email))[0]?.text).toContain('curl');
  });
});

describe('the captcha', () => {
  let guarded: Lab;
  beforeAll(async () => {
    guarded = await startLab({ variables: { CAPTCHA_PROVIDER: 'altcha' } });
  });
  afterAll(() => guarded.stop());

  const solve = async () => {
    const { result } = await guarded.call<{ provider: string; challenge: never }>('GET', '/TokenAuth/captcha');
    const solution = await solveChallenge({ challenge: result.challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge: result.challenge, solution })).toString('base64');
  };

  test('is needed after three failures, counts once, and cannot be forged', async () => {
    const person = await guarded.makeAdministrator(await guarded.makeSubscriber('Guarded'), 'guarded@example.com');
    const attempt = (word: string, captcha?: string) =>
      guarded.call('POST', '/TokenAuth/login', {
        body: { email: person.email, password: word, ...(captcha ? { captcha } : {}) },
      });
    for (let round = 0; round < 3; round += 1)
      expect(codes(await attempt('wrong'))).toEqual(['auth.invalidCredentials']);
    expect(codes(await attempt(password))).toEqual(['auth.invalidCredentials', 'auth.captchaFailed']);
    const captcha = await solve();
    const forged = Buffer.from(captcha, 'base64')
      .toString()
      .replace(/("derivedKey":")(..)/, '$10000');
    expect(codes(await attempt(password, Buffer.from(forged).toString('base64')))).toContain('auth.captchaFailed');
    // Neither password was checked, so neither counts towards the lock.
    expect(codes(await attempt(password))).toContain('auth.captchaFailed');
    expect((await attempt(password, captcha)).statusCode).toBe(200);
    for (let round = 0; round < 3; round += 1) await attempt('wrong');
    expect(codes(await attempt(password, captcha))).toContain('auth.captchaFailed');
  });

  test('is always needed for the reset link', async () => {
    const ask = (captcha?: string) =>
      guarded.call('POST', '/TokenAuth/forgot-password', {
        body: { email: 'a@example.com', ...(captcha ? { captcha } : {}) },
      });
    expect(codes(await ask())).toEqual(['auth.captchaFailed']);
    expect((await ask(await solve())).statusCode).toBe(200);
  });
});

describe('refreshing', () => {
  const begin = async () => {
    const person = await anybody();
    const { result } = await login(person.email);
    const [session] = await lab.deps.db.asHost((tx) => tx.userSession.findMany({ where: { userId: person.id } }));
    return { person, first: result.refreshToken, family: session?.id ?? '' };
  };

  test('gives new tokens, and each is used once', async () => {
    const { first, family } = await begin();
    const second = (await refresh(first)).result.refreshToken;
    expect(second).not.toBe(first);
    const third = (await refresh(second)).result;
    expect((await lab.call('GET', '/me', { as: { token: third.authToken } })).statusCode).toBe(200);
    // The second is the parent: within ten seconds it gives the same successor; the first is older.
    expect((await refresh(second)).result.refreshToken).toBe(third.refreshToken);
    expect((await refresh(first)).statusCode).toBe(401);
    expect((await refresh(third.refreshToken)).statusCode).toBe(401);
    const [session] = await lab.deps.db.asHost((tx) => tx.userSession.findMany({ where: { id: family } }));
    expect(session?.revokedReason).toBe('reuse');
  });

  test('from ten tabs at the same time gives all the same successor', async () => {
    const { first } = await begin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first)));
    expect(new Set(answers.map(({ result }) => result.refreshToken)).size).toBe(1);
  });

  test('after ten seconds a used token counts as stolen: the session ends, and the person gets a message', async () => {
    const { person, first, family } = await begin();
    const second = (await refresh(first)).result;
    await later(11, family);
    expect((await refresh(first)).statusCode).toBe(401);
    expect((await refresh(second.refreshToken)).statusCode).toBe(401);
    expect((await lab.call('GET', '/me', { as: { token: second.authToken } })).statusCode).toBe(401);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain('You were signed out of pdf2press');
  });

  test('nothing of a token is stored but its hash', async () => {
    const { first } = await begin();
    const rows = await lab.deps.db.asHost(
      (tx) => tx.$queryRaw<{ row: string }[]>`select refresh_tokens::text as row from refresh_tokens`,
    );
    expect(rows.some(({ row }) => row.includes(first))).toBe(false);
  });

  test('unknown, empty and missing tokens get the same answer', async () => {
    for (const body of [{ refreshToken: 'x' }, { refreshToken: '' }, {}])
      expect(codes(await lab.call('POST', '/TokenAuth/refresh', { body }))).toEqual(['auth.tokenInvalid']);
  });

  test('a token in the cookie is hidden from scripts and refused from pages of other origins', async () => {
    const { email } = await anybody();
    const signedIn = await login(email, password, { useCookie: true });
    expect(signedIn.result.refreshToken).toBe('');
    const cookie = cookieOf(signedIn, 'rt');
    // Thirty days, on every path.
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 30 * 86_400 });
    const ask = (headers: Record<string, string>) =>
      lab.call<TokenResult>('POST', '/TokenAuth/refresh', {
        body: {},
        headers: { cookie: `rt=${cookie?.value}`, ...headers },
      });
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(401);
    expect((await ask({ origin: 'https://evil.example' })).statusCode).toBe(401);
    const fresh = await ask({ 'sec-fetch-site': 'same-origin' });
    expect(fresh.result.refreshToken).toBe('');
    expect(cookieOf(fresh, 'rt')?.value).not.toBe(cookie?.value);
  });
});

describe('signing out', () => {
  test('ends the session at once, whatever token is sent', async () => {
    const someone = await lab.signIn(await anybody());
    expect((await lab.call('POST', '/TokenAuth/logout', { as: someone })).statusCode).toBe(200);
    expect((await lab.call('GET', '/me', { as: someone })).statusCode).toBe(401);
    expect((await refresh(someone.refreshToken)).statusCode).toBe(401);
  });

  test('elsewhere ends that one only; a change of password ends all others', async () => {
    const person = await anybody();
    const [here, there] = [await lab.signIn(person), await lab.signIn(person)];
    const list = (await lab.call<{ id: string; isCurrent: boolean }[]>('GET', '/me/sessions', { as: here })).result;
    const other = list.find(({ isCurrent }) => !isCurrent);
    expect(list.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    await lab.call('DELETE', `/me/sessions/${other?.id}`, { as: here });
    expect((await lab.call('GET', '/me', { as: there })).statusCode).toBe(401);
    const third = await lab.signIn(person);
    const fresh = 'An0ther!One';
    const body = { currentPassword: password, password: fresh, passwordConfirmation: fresh };
    const wrong = await lab.call('PUT', '/me/password', { as: here, body: { ...body, currentPassword: 'x' } });
    expect(codes(wrong)).toEqual(['password.wrong']);
    expect((await lab.call('PUT', '/me/password', { as: here, body })).statusCode).toBe(200);
    expect((await lab.call('GET', '/me', { as: here })).statusCode).toBe(200);
    expect((await lab.call('GET', '/me', { as: third })).statusCode).toBe(401);
    expect((await login(person.email)).statusCode).toBe(401);
    expect((await login(person.email, fresh)).statusCode).toBe(200);
  });
});

describe('choosing a new password', () => {
  const forgot = (email: string) => lab.call('POST', '/TokenAuth/forgot-password', { body: { email } });
  const reset = (token: string, word: string) =>
    lab.call('POST', '/TokenAuth/reset-password', { body: { token, password: word, passwordConfirmation: word } });

  test('by a link that works once, ends every session and signs nobody in', async () => {
    const person = await anybody();
    const someone = await lab.signIn(person);
    expect((await forgot(person.email)).body).toBe((await forgot('nobody@example.com')).body);
    const first = tokenIn((await mailsTo(person.email))[0]?.text);
    await forgot(person.email);
    const token = tokenIn((await mailsTo(person.email))[0]?.text);
    expect(codes(await reset(first, 'An0ther!One'))).toEqual(['auth.linkInvalid']); // a newer link ends the older one
    expect(codes(await reset(token, 'short'))).toContain('password.digit');
    expect(codes(await reset(token, 'P@ssw0rd1'))).toEqual(['password.tooCommon']);
    const done = await reset(token, 'An0ther!One');
    expect(done.envelope).toEqual({ success: true, result: {}, errors: [] });
    expect(codes(await reset(token, 'An0ther!Two'))).toEqual(['auth.linkInvalid']);
    expect((await lab.call('GET', '/me', { as: someone })).statusCode).toBe(401);
    expect((await login(person.email, 'An0ther!One')).statusCode).toBe(200);
  });

  test('the link begins with the configured address, never with the Host header', async () => {
    const person = await anybody();
    await lab.call('POST', '/TokenAuth/forgot-password', {
      body: { email: person.email },
      headers: { host: 'evil.example' },
    });
    expect((await mailsTo(person.email))[0]?.text).toContain('http://localhost:3000/reset-password#token=');
  });

  test('expired and empty tokens say so', async () => {
    const person = await anybody();
    await forgot(person.email);
    const token = tokenIn((await mailsTo(person.email))[0]?.text);
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`update one_time_tokens set expires_at = now() - interval '1 second'`,
    );
    expect(codes(await reset(token, 'An0ther!One'))).toEqual(['auth.linkInvalid']);
    const empty = await reset('', 'An0ther!One');
    expect(empty.envelope.errors[0]?.message).toBe('Error, missing needed parameters for reset password.');
  });
});

describe('API keys', () => {
  test('have the permissions they were given, at most those that their maker has now', async () => {
    const maker = await lab.makePerson(subscriberId, 'maker@example.com', [
      'apiKeys.manage',
      'sessions.view',
      'workflows.view',
    ]);
    const someone = await lab.signIn(maker);
    const make = (permissions: string[]) =>
      lab.call<{ key: string; id: string }>('POST', '/api-keys', { as: someone, body: { name: 'press', permissions } });
    expect(codes(await make(['sessions.delete']))).toEqual(['access.denied']);
    const { key, id } = (await make(['sessions.view'])).result;
    expect(key).toMatch(/^p2p_[\w-]{43}$/);
    expect((await lab.call('GET', '/sessions', { as: { token: key } })).statusCode).toBe(200);
    expect((await lab.call('GET', '/sessions', { headers: { 'x-api-key': key } })).statusCode).toBe(200);
    expect((await lab.call('GET', '/workflows', { as: { token: key } })).statusCode).toBe(403);
    expect((await lab.call('GET', '/api-keys', { as: someone })).body).not.toContain(key);
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update roles set permissions = '{apiKeys.manage}' where name = 'role of maker@example.com'`,
    );
    lab.deps.callers.forget();
    expect((await lab.call('GET', '/sessions', { as: { token: key } })).statusCode).toBe(403);
    await lab.call('DELETE', `/api-keys/${id}`, { as: someone });
    expect((await lab.call('GET', '/sessions', { as: { token: key } })).statusCode).toBe(401);
  });
});

describe('rights', () => {
  test('nobody grants permissions that they do not have, and one person who can grant always remains', async () => {
    const own = await lab.makeSubscriber('Rights');
    const boss = await lab.signIn(await lab.makeAdministrator(own, 'boss@example.com'));
    const clerk = await lab.signIn(
      await lab.makePerson(own, 'clerk@example.com', [
        'roles.view',
        'roles.manage',
        'users.view',
        'users.manage',
        'users.roles.assign',
      ]),
    );
    const roles = (
      await lab.call<{ items: { id: string; name: string; isStatic: boolean }[] }>('GET', '/roles', { as: boss })
    ).result.items;
    const administrator = roles.find(({ isStatic }) => isStatic);
    const grant = { name: 'Mighty', permissions: ['data.erase'] };
    expect(codes(await lab.call('POST', '/roles', { as: clerk, body: grant }))).toEqual(['access.denied']);
    const self = { firstName: 'Clerk', email: 'clerk@example.com', roleIds: [administrator?.id] };
    expect(codes(await lab.call('PUT', `/users/${clerk.id}`, { as: clerk, body: self }))).toEqual(['access.denied']);
    // Whoever changes the password of somebody with more rights could use these rights.
    const takeOver = {
      firstName: 'Boss',
      email: 'boss@example.com',
      roleIds: [administrator?.id],
      password: 'An0ther!One',
    };
    expect(codes(await lab.call('PUT', `/users/${boss.id}`, { as: clerk, body: takeOver }))).toEqual(['access.denied']);
    const operator = roles.find(({ name }) => name === 'Operator');
    const stepDown = { firstName: 'Boss', email: 'boss@example.com', roleIds: [operator?.id] };
    expect((await lab.call('PUT', `/users/${boss.id}`, { as: boss, body: stepDown })).statusCode).toBe(200); // the clerk is left
    await lab.deps.db.asHost((tx) => tx.$executeRaw`update users set is_active = false where id = ${boss.id}`);
    const last = { firstName: 'Clerk', email: 'clerk@example.com', roleIds: [operator?.id] };
    expect(codes(await lab.call('PUT', `/users/${clerk.id}`, { as: clerk, body: last }))).not.toEqual([]);
    expect(codes(await lab.call('DELETE', `/roles/${administrator?.id}`, { as: clerk }))).toEqual(['access.denied']);
  });

  test('the last administrator and static roles cannot be removed', async () => {
    const own = await lab.makeSubscriber('Last');
    const boss = await lab.signIn(await lab.makeAdministrator(own, 'last@example.com'));
    const roles = (
      await lab.call<{ items: { id: string; name: string; isStatic: boolean }[] }>('GET', '/roles', { as: boss })
    ).result.items;
    expect(roles.map(({ name }) => name).sort()).toEqual(defaultRoles.map(({ name }) => name).sort());
    const viewer = roles.find(({ name }) => name === 'Viewer');
    const body = { firstName: 'Last', email: 'last@example.com', roleIds: [viewer?.id] };
    expect(codes(await lab.call('PUT', `/users/${boss.id}`, { as: boss, body }))).toEqual(['role.lastAdministrator']);
    expect(codes(await lab.call('DELETE', `/users/${boss.id}`, { as: boss }))).toEqual(['role.lastAdministrator']);
    const fixed = roles.find(({ isStatic }) => isStatic);
    expect(codes(await lab.call('DELETE', `/roles/${fixed?.id}`, { as: boss }))).toEqual(['resource.static']);
    expect((await lab.call('GET', '/me', { as: boss })).statusCode).toBe(200);
  });

  test('a change of roles applies to tokens that were issued before', async () => {
    const own = await lab.makeSubscriber('Change');
    const boss = await lab.signIn(await lab.makeAdministrator(own, 'change@example.com'));
    const made = await lab.call<{ id: string }>('POST', '/users', {
      as: boss,
      body: { firstName: 'New', email: 'new@example.com', password },
    });
    const someone = await lab.signIn({ id: made.result.id, subscriberId: own, email: 'new@example.com' });
    expect((await lab.call('GET', '/sessions', { as: someone })).statusCode).toBe(200); // Operator is the default role
    const body = { firstName: 'New', email: 'new@example.com', roleIds: [] };
    await lab.call('PUT', `/users/${someone.id}`, { as: boss, body });
    expect((await lab.call('GET', '/sessions', { as: someone })).statusCode).toBe(403);
    await lab.call('PUT', `/users/${someone.id}`, { as: boss, body: { ...body, isActive: false } });
    expect((await lab.call('GET', '/me', { as: someone })).statusCode).toBe(401);
  });

  test('an activation link lets a new person choose a password', async () => {
    const boss = await lab.signIn(await anybody());
    await lab.call('POST', '/users', { as: boss, body: { firstName: 'Act', email: 'act@example.com', locale: 'fr' } });
    const [mail] = await mailsTo('act@example.com');
    expect(mail?.subject).toBe('Votre compte pdf2press');
    const body = { token: tokenIn(mail?.text), password, passwordConfirmation: password };
    expect((await lab.call('POST', '/TokenAuth/reset-password', { body })).statusCode).toBe(200);
    expect((await login('act@example.com')).statusCode).toBe(200);
  });
});

test('every act is in the audit log, whose chain is unbroken, and no secret is', async () => {
  const rows = await lab.deps.db.asHost(
    (tx) => tx.$queryRaw<{ act: string; row: string }[]>`select act, audit_entries::text as row from audit_entries`,
  );
  const acts = new Set(rows.map(({ act }) => act));
  for (const act of [
    'login.succeeded',
    'login.failed',
    'token.reused',
    'logout',
    'password.change',
    'password.reset',
    'user.create',
    'user.unlock',
    'apiKey.create',
    'apiKey.revoke',
  ])
    expect(acts).toContain(act);
  expect(rows.some(({ row }) => row.includes(password) || row.includes('p2p_') || row.includes('$argon2'))).toBe(false);
  expect(await lab.deps.db.asHost((tx) => tx.$queryRaw`select 1 from audit_breaks`)).toEqual([]);
});

describe('the first start', () => {
  test('prints a link that makes the first administrator once, with samples', async () => {
    const fresh = await startLab();
    try {
      const state = async () => (await fresh.call<{ isDone: boolean }>('GET', '/setup')).result.isDone;
      expect(await state()).toBe(false);
      const old = tokenIn(await prepareSetUp(fresh.deps));
      const token = tokenIn(await prepareSetUp(fresh.deps));
      const body = { token, firstName: 'Ana', email: 'ana@example.com', password, passwordConfirmation: password };
      expect(codes(await fresh.call('POST', '/setup', { body: { ...body, token: old } }))).toEqual([
        'auth.linkInvalid',
      ]);
      expect(codes(await fresh.call('POST', '/setup', { body: { ...body, password: 'abc' } }))).toContain(
        'password.tooShort',
      );
      expect((await fresh.call('POST', '/setup', { body })).statusCode).toBe(200);
      expect(await state()).toBe(true);
      expect(codes(await fresh.call('POST', '/setup', { body }))).toEqual(['auth.setupDone']);
      expect(await prepareSetUp(fresh.deps)).toBeUndefined();
      const ana = await fresh.signIn({ id: '', subscriberId: '', email: 'ana@example.com' });
      const me = (await fresh.call<{ isHostAdministrator: boolean; permissions: string[] }>('GET', '/me', { as: ana }))
        .result;
      expect(me.isHostAdministrator).toBe(true);
      expect([...me.permissions].sort()).toEqual([...permissions].sort());
      const sessions = (await fresh.call<{ items: { fileName: string }[] }>('GET', '/sessions', { as: ana })).result
        .items;
      expect(sessions.map(({ fileName }) => fileName).sort()).toEqual(['business-card.pdf', 'flyer-with-faults.pdf']);
    } finally {
      await fresh.stop();
    }
  });

  test.each(['empty', 'without its roles'])(
    'makes the administrator from the environment without a browser, in a database %s',
    async (database) => {
      const fresh = await startLab({
        variables: { PDF2PRESS_ADMIN_EMAIL: 'ops@example.com', PDF2PRESS_ADMIN_PASSWORD: password },
      });
      try {
        if (database !== 'empty') {
          const subscriberId = await fresh.makeSubscriber('Paper + Ink');
          await fresh.deps.db.asHost((tx) => tx.role.deleteMany({ where: { subscriberId } }));
        }
        expect(await prepareSetUp(fresh.deps)).toBeUndefined();
        const ops = await fresh.signIn({ id: '', subscriberId: '', email: 'ops@example.com' });
        expect((await fresh.call<{ total: number }>('GET', '/workflows', { as: ops })).result.total).toBe(1);
      } finally {
        await fresh.stop();
      }
    },
  );
});
