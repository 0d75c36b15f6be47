import { type IdentityProvider, startIdentityProvider } from '@pdf2press/config/identity-provider';
import { oneTimeCode } from '@pdf2press/config/one-time-code';
import {
  type RouteResult,
  type routes,
  type SystemSettings,
  storedSecretMark,
  type TokenResult,
} from '@pdf2press/contract';
import { listKeptMail } from '@pdf2press/mail';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Lab, password, type SignedIn, startLab } from '../testing/lab.ts';

// One long file: each file of these tests starts a database and an API of its own.
let lab: Lab;
let service: IdentityProvider;
let home: string;
let owner: SignedIn;
let away: string;
let stranger: SignedIn;
let viewerRole: string;
let count = 0;

/** A port that nobody listens on until a test does. */
const servicePort = 20_000 + Math.floor(Math.random() * 20_000);

beforeAll(async () => {
  service = await startIdentityProvider({ port: servicePort, redirect: 'http://localhost:3000/login' });
  lab = await startLab({ variables: { OUTBOUND_ALLOWED_HOSTS: service.issuer } });
  home = await lab.makeSubscriber('Paper + Ink');
  away = await lab.makeSubscriber('Other Print');
  owner = await lab.signIn(await lab.makeAdministrator(home, 'owner@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@elsewhere.example'));
  viewerRole = await roleOf(owner, 'Viewer');
});
afterAll(async () => {
  await lab.stop();
  await service.stop();
});

async function roleOf(as: SignedIn, name: string): Promise<string> {
  const { result } = await lab.call<{ items: { id: string; name: string }[] }>('GET', '/roles', { as });
  return result.items.find((role) => role.name === name)?.id ?? '';
}

type SignOn = SystemSettings['singleSignOnSettings'];

const save = async (as: SignedIn, signOn: Partial<SignOn>) => {
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as });
  const body = { ...result, singleSignOnSettings: { ...result.singleSignOnSettings, ...signOn } };
  return lab.call<SystemSettings>('PUT', '/SystemSettings', { as, body });
};

/** What the settings of a company are before each test. */
const usual = (): SignOn => ({
  isOn: true,
  issuer: service.issuer,
  clientId: service.clientId,
  clientSecret: service.clientSecret,
  label: 'House account',
  defaultRoleId: viewerRole,
  allowedDomains: ['example.com'],
  linksAccounts: false,
});
beforeEach(async () => {
  expect((await save(owner, usual())).statusCode).toBe(200);
});

/** A new person at the service. */
function anybody(more: object = {}): { subject: string; email: string } {
  count += 1;
  const subject = `subject-${count}`;
  const email = `person${count}@example.com`;
  service.people.set(subject, { email, email_verified: true, given_name: 'Nora', family_name: 'Novak', ...more });
  return { subject, email };
}

const codes = ({ envelope }: Answer<unknown>) => envelope.errors.map(({ code }) => code);
const browserOf = (answer: Answer<unknown>) => {
  const cookie = answer.cookies.find(({ name }) => name === 'oauth');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  return `oauth=${cookie?.value}`;
};

const begin = async (company = home) => {
  const answer = await lab.call<{ address: string }>('POST', '/TokenAuth/single-sign-on', { body: { company } });
  return { address: answer.result.address, cookie: browserOf(answer) };
};
const finish = (back: URL, cookie: string, more: object = {}) =>
  lab.call<TokenResult>('POST', '/TokenAuth/single-sign-on/callback', {
    body: { ...Object.fromEntries(back.searchParams), ...more },
    headers: { cookie },
  });
const signOn = async (subject: string, company = home) => {
  const { address, cookie } = await begin(company);
  return finish(await service.signIn(address, subject), cookie);
};
const me = async ({ result }: Answer<TokenResult>) =>
  (
    await lab.call<{ id: string; email: string; subscriberId: string; roles: { name: string }[] }>('GET', '/me', {
      as: { token: result.authToken },
    })
  ).result;
const entries = (object: string) =>
  lab.deps.db.asHost((tx) => tx.auditEntry.findMany({ where: { object }, orderBy: { seq: 'asc' } }));

describe('somebody who signs in at the service', () => {
  test('becomes a user with the role for new people, and is the same one the next time', async () => {
    const { subject, email } = anybody({ locale: 'fr-CA' });
    const first = await signOn(subject);
    expect(first.statusCode).toBe(200);
    const person = await me(first);
    expect(person).toMatchObject({ email, subscriberId: home, firstName: 'Nora', lastName: 'Novak', locale: 'fr' });
    expect(person.roles.map(({ name }) => name)).toEqual(['Viewer']);
    // The address may change at the service: the person stays the same.
    service.people.set(subject, { email: `new-${email}`, email_verified: true });
    expect(await me(await signOn(subject))).toMatchObject({ id: person.id, email });
    expect((await entries(person.id)).map(({ act }) => act)).toEqual([
      'user.create',
      'login.succeeded',
      'login.succeeded',
    ]);
    expect((await entries(person.id)).at(-1)?.after).toEqual({ singleSignOn: service.issuer });
  });

  test('gets the cookies of a sign-in with a password where the web app asks for them', async () => {
    const { address, cookie } = await begin();
    const answer = await finish(await service.signIn(address, anybody().subject), cookie, { useCookie: true });
    expect(answer.result.refreshToken).toBe('');
    expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['device', 'oauth', 'rt']);
    const rt = answer.cookies.find(({ name }) => name === 'rt');
    expect(rt).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const next = await lab.call<TokenResult>('POST', '/TokenAuth/refresh', {
      body: {},
      headers: { cookie: `rt=${rt?.value}` },
    });
    expect(next.statusCode).toBe(200);
  });

  test('is refused where the address is not verified, or of another domain', async () => {
    for (const more of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }])
      expect(codes(await signOn(anybody(more).subject))).toEqual(['singleSignOn.emailUnverified']);
    for (const email of ['a@evil-example.com', 'a@example.com.evil.example', 'a@sub.example.com']) {
      const answer = await signOn(anybody({ email }).subject);
      expect(answer.statusCode).toBe(403);
      expect(codes(answer)).toEqual(['singleSignOn.domainNotAllowed']);
    }
    const refusal = (await entries(home)).at(-1);
    expect(refusal).toMatchObject({
      act: 'login.failed',
      after: { stage: 'singleSignOn', reason: 'singleSignOn.domainNotAllowed' },
    });
    expect(await lab.deps.db.asHost((tx) => tx.user.count({ where: { email: 'a@sub.example.com' } }))).toBe(0);
  });

  test('is not made where nobody new is, and gets no more than the plan has room for', async () => {
    await save(owner, { defaultRoleId: '' });
    expect(codes(await signOn(anybody().subject))).toEqual(['singleSignOn.unknownPerson']);
    const { result: role } = await lab.call<{ id: string }>('POST', '/roles', {
      as: owner,
      body: { name: 'For a while', permissions: [] },
    });
    await save(owner, { defaultRoleId: role.id });
    await lab.call('DELETE', `/roles/${role.id}`, { as: owner });
    expect(codes(await signOn(anybody().subject))).toEqual(['singleSignOn.unknownPerson']);
  });

  test('who is switched off, locked, deleted or of a suspended company does not get in', async () => {
    const { subject } = anybody();
    const person = await me(await signOn(subject));
    const change = (data: object) =>
      lab.deps.db.asHost((tx) => tx.user.update({ where: { id: person.id }, data, select: { id: true } }));
    await change({ isActive: false });
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.accountClosed']);
    await change({ isActive: true });
    const login = (word: string) =>
      lab.call('POST', '/TokenAuth/login', { body: { email: person.email, password: word } });
    for (let round = 0; round < 5; round += 1) await login('wrong');
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.accountClosed']);
    await lab.call('POST', `/users/${person.id}/unlock`, { as: owner });
    expect((await signOn(subject)).statusCode).toBe(200);
    await lab.call('DELETE', `/users/${person.id}`, { as: owner });
    const again = await me(await signOn(subject));
    expect(again.id).not.toBe(person.id);

    const { address, cookie } = await begin();
    const back = await service.signIn(address, subject);
    const suspend = (isActive: boolean) =>
      lab.deps.db.asHost((tx) =>
        tx.subscriber.update({ where: { id: home }, data: { isActive }, select: { id: true } }),
      );
    await suspend(false);
    expect(codes(await finish(back, cookie))).toEqual(['singleSignOn.stateInvalid']);
    const offer = await lab.call('GET', `/TokenAuth/single-sign-on?company=${home}`);
    expect(offer.result).toEqual({ isOffered: false, label: '' });
    await suspend(true);
  });

  test('gets no link for a password that would outlive the account at the service', async () => {
    const { subject, email } = anybody();
    await signOn(subject);
    const mails = async () => {
      await lab.call('POST', '/TokenAuth/forgot-password', { body: { email } });
      await lab.deliverMails();
      return (await listKeptMail(lab.deps.mail.keepFolder, home)).filter(({ to }) => to === email).length;
    };
    expect(await mails()).toBe(0);
    await save(owner, { isOn: false });
    expect(await mails()).toBe(1);
  });
});

describe('an account of the same address', () => {
  test('is joined only where the settings say so, once, and keeps its password and roles', async () => {
    const { subject, email } = anybody();
    const account = await lab.makeAdministrator(home, email);
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.accountExists']);
    await save(owner, { linksAccounts: true });
    expect(await me(await signOn(subject))).toMatchObject({ id: account.id, email });
    expect((await entries(account.id)).map(({ act }) => act)).toContain('user.link');
    expect((await lab.call('POST', '/TokenAuth/login', { body: { email, password } })).statusCode).toBe(200);
    // The service has given the address to somebody else since.
    service.people.delete(subject);
    expect(codes(await signOn(anybody({ email }).subject))).toEqual(['singleSignOn.accountExists']);
  });

  test('is never joined with an address that is not verified', async () => {
    await save(owner, { linksAccounts: true });
    const { subject } = anybody({ email: 'owner@example.com', email_verified: false });
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.emailUnverified']);
  });

  test('of another company is neither joined nor seen', async () => {
    await save(owner, { linksAccounts: true, allowedDomains: ['elsewhere.example'] });
    const { subject } = anybody({ email: 'stranger@elsewhere.example' });
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.accountExists']);
  });
});

describe('linking by hand', () => {
  const beginLink = (as: SignedIn, word?: string) =>
    lab.call<{ address: string }>('POST', '/me/single-sign-on', { as, body: { password: word } });
  const link = (as: SignedIn, back: URL, cookie: string) =>
    lab.call<RouteResult<typeof routes.singleSignOn.own>>('POST', '/me/single-sign-on/link', {
      as,
      body: Object.fromEntries(back.searchParams),
      headers: { cookie },
    });
  const linkWith = async (as: SignedIn, subject: string) => {
    const begun = await beginLink(as, password);
    return link(as, await service.signIn(begun.result.address, subject), browserOf(begun));
  };
  const somebody = async () => {
    const { email } = anybody();
    return lab.signIn(await lab.makeAdministrator(home, email));
  };
  const unlink = (as: SignedIn, word: string | undefined) =>
    lab.call('POST', '/me/single-sign-on/unlink', { as, body: { issuer: service.issuer, password: word } });

  test('takes the password and lets in with an address that the service has not verified, or without one', async () => {
    for (const more of [{ email_verified: undefined }, { email: undefined }]) {
      const person = await somebody();
      const { subject } = anybody(more);
      expect(codes(await beginLink(person, 'wrong'))).toEqual(['password.wrong']);
      expect(codes(await signOn(subject))).toEqual(['singleSignOn.emailUnverified']);
      const linked = await linkWith(person, subject);
      expect(linked.result).toMatchObject({ isOffered: true, links: [{ issuer: service.issuer }] });
      expect(await me(await signOn(subject))).toMatchObject({ id: person.id, email: person.email });
      expect((await entries(person.id)).map(({ act }) => act)).toContain('user.link');
      await lab.deliverMails();
      const mails = await listKeptMail(lab.deps.mail.keepFolder, home);
      expect(mails.filter(({ to }) => to === person.email).map(({ subject: about }) => about)).toContain(
        'Another way to sign in to pdf2press',
      );
    }
  });

  test('demands a domain that may sign in: of the verified address, else of the account', async () => {
    await save(owner, { allowedDomains: ['other.example'] });
    const person = await somebody();
    expect(codes(await linkWith(person, anybody({ email_verified: false }).subject))).toEqual([
      'singleSignOn.domainNotAllowed',
    ]);
    const { subject } = anybody({ email: `p${count}@other.example` });
    expect((await linkWith(person, subject)).statusCode).toBe(200);
    service.people.set(subject, { email: `p${count}@other.example`, email_verified: false });
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.domainNotAllowed']);
  });

  test('is one account of a service each, and nobody else’s', async () => {
    const [first, second] = [await somebody(), await somebody()];
    const { subject } = anybody();
    expect((await linkWith(first, subject)).statusCode).toBe(200);
    expect(codes(await linkWith(first, anybody().subject))).toEqual(['singleSignOn.linkedAlready']);
    expect(codes(await linkWith(second, subject))).toEqual(['singleSignOn.linkedElsewhere']);
  });

  test('what was begun to link signs nobody in, serves nobody else and no other browser, and the other way round', async () => {
    const [first, second] = [await somebody(), await somebody()];
    const { subject } = anybody();
    const begun = await beginLink(first, password);
    const back = await service.signIn(begun.result.address, subject);
    const cookie = browserOf(begun);
    expect(codes(await finish(back, cookie))).toEqual(['singleSignOn.stateInvalid']);
    expect(codes(await link(second, back, cookie))).toEqual(['singleSignOn.stateInvalid']);
    expect(codes(await link(first, back, 'a=b'))).toEqual(['singleSignOn.stateInvalid']);
    const signing = await begin();
    const signed = await service.signIn(signing.address, subject);
    expect(codes(await link(first, signed, signing.cookie))).toEqual(['singleSignOn.stateInvalid']);
    expect((await link(first, back, cookie)).statusCode).toBe(200);
    expect(codes(await link(first, back, cookie))).toEqual(['singleSignOn.stateInvalid']);
  });

  test('ends by unlinking with the password, with the other sessions, and not for who has none', async () => {
    const person = await somebody();
    const { subject } = anybody({ email_verified: false });
    await linkWith(person, subject);
    const other = await signOn(subject);
    expect(codes(await unlink(person, 'wrong'))).toEqual(['password.wrong']);
    expect((await unlink(person, password)).result).toMatchObject({ links: [] });
    const inOther = await lab.call('GET', '/me', { as: { token: other.result.authToken } });
    expect(inOther.statusCode).toBe(401);
    expect((await lab.call('GET', '/me', { as: person })).statusCode).toBe(200);
    expect(codes(await signOn(subject))).toEqual(['singleSignOn.emailUnverified']);
    expect((await entries(person.id)).map(({ act }) => act)).toContain('user.unlink');
    expect((await unlink(person, password)).statusCode).toBe(404);

    const made = await signOn(anybody().subject);
    const as = { ...person, token: made.result.authToken };
    expect(codes(await unlink(as, undefined))).toEqual(['singleSignOn.onlyWay']);
  });

  test('is not offered where single sign-on is off, but can be ended', async () => {
    const person = await somebody();
    await linkWith(person, anybody().subject);
    await save(owner, { isOn: false });
    const { result } = await lab.call('GET', '/me/single-sign-on', { as: person });
    expect(result).toMatchObject({ isOffered: false, links: [{ issuer: service.issuer }] });
    expect(codes(await beginLink(person, password))).toEqual(['singleSignOn.notOffered']);
    expect((await unlink(person, password)).statusCode).toBe(200);
  });
});

describe('what comes back counts', () => {
  test('for its state alone: wrong, of another browser, without one, used or too old', async () => {
    const { subject } = anybody();
    const first = await begin();
    const back = await service.signIn(first.address, subject);
    const other = await begin();
    const wrong: [string, object][] = [
      [first.cookie, { state: 'nonsense' }],
      [first.cookie, { state: new URL(other.address).searchParams.get('state') ?? '' }],
      [other.cookie, {}],
      ['a=b', {}],
    ];
    for (const [cookie, more] of wrong)
      expect(codes(await finish(back, cookie, more))).toEqual(['singleSignOn.stateInvalid']);
    expect((await finish(back, first.cookie)).statusCode).toBe(200);
    expect(codes(await finish(back, first.cookie))).toEqual(['singleSignOn.stateInvalid']);

    const late = await begin();
    const lateBack = await service.signIn(late.address, subject);
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        update one_time_tokens set expires_at = expires_at - interval '601 seconds' where purpose = 'singleSignOn'`,
    );
    expect(codes(await finish(lateBack, late.cookie))).toEqual(['singleSignOn.stateInvalid']);
  });

  test('with the nonce of this browser only', async () => {
    const { address, cookie } = await begin();
    const altered = new URL(address);
    altered.searchParams.set('nonce', 'of-somebody-else');
    expect(codes(await finish(await service.signIn(altered.href, anybody().subject), cookie))).toEqual([
      'singleSignOn.refused',
    ]);
  });

  test('with a code that was not used, was made for this sign-in, and comes from this service', async () => {
    const { subject } = anybody();
    const first = await begin();
    const back = await service.signIn(first.address, subject);
    expect((await finish(back, first.cookie)).statusCode).toBe(200);
    const code = back.searchParams.get('code') ?? '';
    const second = await begin();
    const secondBack = await service.signIn(second.address, subject);
    expect(codes(await finish(secondBack, second.cookie, { code }))).toEqual(['singleSignOn.refused']);

    // A code that nobody has used yet, of another sign-in: PKCE refuses it.
    const stolen = await service.signIn((await begin()).address, subject);
    const third = await begin();
    const thirdBack = await service.signIn(third.address, subject);
    const swapped = { code: stolen.searchParams.get('code') };
    expect(codes(await finish(thirdBack, third.cookie, swapped))).toEqual(['singleSignOn.refused']);

    const fourth = await begin();
    const fourthBack = await service.signIn(fourth.address, subject);
    const mixedUp = { iss: 'https://other.example' };
    expect(codes(await finish(fourthBack, fourth.cookie, mixedUp))).toEqual(['singleSignOn.refused']);
  });

  test('not when the person or the service said no', async () => {
    const { address, cookie } = await begin();
    const state = new URL(address).searchParams.get('state') ?? '';
    const back = new URL(`http://localhost:3000/login?error=access_denied&state=${state}`);
    expect(codes(await finish(back, cookie))).toEqual(['singleSignOn.refused']);
  });
});

test('a service that is down is told as such, before and after the person was there', async () => {
  const { address, cookie } = await begin();
  const back = await service.signIn(address, anybody().subject);
  const { people, clientSecret } = service;
  await service.stop();
  try {
    expect(codes(await finish(back, cookie))).toEqual(['singleSignOn.unreachable']);
    const answer = await lab.call('POST', '/TokenAuth/single-sign-on', { body: { company: home } });
    expect(answer.statusCode).toBe(502);
    expect(codes(answer)).toEqual(['singleSignOn.unreachable']);
    expect(answer.cookies).toEqual([]);
    const body = { issuer: service.issuer };
    expect(codes(await lab.call('POST', '/SystemSettings/testSingleSignOn', { as: owner, body }))).toEqual([
      'singleSignOn.unreachable',
    ]);
  } finally {
    service = await startIdentityProvider({ port: servicePort, redirect: 'http://localhost:3000/login', clientSecret });
    for (const [subject, person] of people) service.people.set(subject, person);
  }
  const body = { issuer: service.issuer };
  const tried = await lab.call('POST', '/SystemSettings/testSingleSignOn', { as: owner, body });
  expect(tried.result).toEqual({ isConnected: true });
  // A private address that the environment does not name is not asked.
  for (const issuer of ['http://127.0.0.1:9', 'https://127.0.0.1', 'http://169.254.169.254'])
    expect(codes(await lab.call('POST', '/SystemSettings/testSingleSignOn', { as: owner, body: { issuer } }))).toEqual([
      'singleSignOn.unreachable',
    ]);
});

describe('a second factor of the house', () => {
  test('is asked for after the service, and can be set up without a password right after it', async () => {
    const { subject, email } = anybody();
    const { result: tokens } = await signOn(subject);
    const as = { token: tokens.authToken };
    const read = await lab.call('GET', '/me/second-factor', { as });
    expect(read.result).toMatchObject({ since: null, hasPassword: false });
    const begun = await lab.call<{ key: string }>('POST', '/me/second-factor', { as, body: {} });
    const body = { code: oneTimeCode(begun.result.key) };
    const confirmed = await lab.call<{ recoveryCodes: string[] }>('POST', '/me/second-factor/confirm', { as, body });
    const needed = await signOn(subject);
    expect(codes(needed)).toEqual(['auth.secondFactorNeeded']);
    const challenge = needed.envelope.errors[0]?.params?.challenge;
    const code = confirmed.result.recoveryCodes[0];
    const done = await lab.call<TokenResult>('POST', '/TokenAuth/second-factor', { body: { challenge, code } });
    expect(await me(done)).toMatchObject({ email });

    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        update user_sessions set created_at = created_at - interval '11 minutes' where subscriber_id = ${home}`,
    );
    const off = { code: confirmed.result.recoveryCodes[1] };
    const late = await lab.call('POST', '/me/second-factor/off', { as: { token: done.result.authToken }, body: off });
    expect(codes(late)).toEqual(['secondFactor.signInAgain']);
  });

  test('with a password takes the password', async () => {
    const answer = await lab.call('POST', '/me/second-factor', { as: owner, body: {} });
    expect(codes(answer)).toEqual(['password.wrong']);
  });
});

describe('the settings', () => {
  test('never tell the client secret, keep it at their service, and are sealed', async () => {
    const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: owner });
    expect(result.singleSignOnSettings.clientSecret).toBe(storedSecretMark);
    const rows = await lab.deps.db.asHost((tx) => tx.systemSetting.findMany());
    expect(JSON.stringify(rows)).not.toContain(service.clientSecret);
    const moved = await save(owner, { issuer: 'https://evil.example' });
    expect(moved.envelope.errors).toMatchObject([
      { code: 'value.required', field: 'singleSignOnSettings.clientSecret' },
    ]);
    expect((await save(owner, { label: 'Other words' })).statusCode).toBe(200);
    expect((await signOn(anybody().subject)).statusCode).toBe(200);
  });

  test('are complete where they are switched on', async () => {
    const answer = await save(owner, { issuer: '', clientId: '', allowedDomains: [] });
    expect(answer.envelope.errors.map(({ code, field }) => `${field} ${code}`)).toEqual([
      'singleSignOnSettings.issuer value.required',
      'singleSignOnSettings.clientId value.required',
      'singleSignOnSettings.allowedDomains value.required',
    ]);
    expect((await save(owner, { allowedDomains: ['*'] })).statusCode).toBe(400);
    expect((await save(owner, { defaultRoleId: 'rol_none' })).statusCode).toBe(404);
  });

  test('take what everybody together may do, and the permissions of the role that new people get', async () => {
    const guard = await lab.makePerson(home, 'guard@example.com', ['settings.view', 'settings.security.manage']);
    expect(codes(await save(await lab.signIn(guard), { label: 'Mine' }))).toEqual(['access.denied']);
    const administrator = await roleOf(owner, 'Administrator');
    expect((await save(owner, { defaultRoleId: administrator })).statusCode).toBe(200);
    const role = await roleOf(stranger, 'Viewer');
    expect((await save(owner, { defaultRoleId: role })).statusCode).toBe(404);
  });
});

describe('two companies', () => {
  test('have services, people and walls of their own', async () => {
    const { subject } = anybody();
    const here = await me(await signOn(subject));
    const nothing = await lab.call('POST', '/TokenAuth/single-sign-on', { body: { company: away } });
    expect(codes(nothing)).toEqual(['singleSignOn.notOffered']);
    await save(stranger, { ...usual(), label: 'Elsewhere', defaultRoleId: await roleOf(stranger, 'Viewer') });
    // The same person at the same service: an address has one account over all companies.
    expect(codes(await signOn(subject, away))).toEqual(['singleSignOn.accountExists']);
    const other = anybody();
    expect(await me(await signOn(other.subject, away))).toMatchObject({ email: other.email, subscriberId: away });
    expect((await me(await signOn(subject))).id).toBe(here.id);
    const seen = await lab.deps.db.withSubscriber({ subscriberId: away }, (tx) => tx.userIdentity.findMany());
    expect(seen.map((row) => row.subject)).toEqual([other.subject]);
    // A sign-in that was begun for one company ends there.
    const { address, cookie } = await begin(away);
    const back = await service.signIn(address, anybody().subject);
    expect(await me(await finish(back, cookie, { company: home }))).toMatchObject({ subscriberId: away });
  });

  test('without a name, the first one of the installation is meant', async () => {
    const first = await lab.call('GET', '/TokenAuth/single-sign-on');
    expect(first.result).toEqual({ isOffered: true, label: 'House account' });
    const unknown = await lab.call('GET', '/TokenAuth/single-sign-on?company=sub_none');
    expect(unknown.result).toEqual({ isOffered: false, label: '' });
  });
});
