import net from 'node:net';
import jwt from '@fastify/jwt';
import { type Permission, permissions, type Role, type SystemSettings, type User } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readJson } from './frame/parsers.ts';
import { installSlowBodyLimits } from './frame/slow-bodies.ts';
import { form } from './testing/form.ts';
import { type Lab, type Person, password, type SignedIn, startLab } from './testing/lab.ts';

/** Ways in that were tried on the product from outside, each with what must come of it. */
let lab: Lab;
let subscriberId: string;
let boss: SignedIn;
let count = 0;
beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  boss = await lab.signIn(await lab.makeAdministrator(subscriberId, 'boss@example.com'));
});
afterAll(() => lab.stop());

const codes = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors.map(({ code }) => code);
const another = 'An0ther!One';
const somebody = (...may: Permission[]): Promise<Person> => {
  count += 1;
  return lab.makePerson(subscriberId, `somebody${count}@example.com`, may);
};
const keyOf = async (maker: SignedIn, ...may: Permission[]) => {
  const made = await lab.call<{ key: string }>('POST', '/api-keys', {
    as: maker,
    body: { name: 'k', permissions: may },
  });
  return { token: made.result.key };
};
const canSignIn = async (email: string, word: string) =>
  (await lab.call('POST', '/TokenAuth/login', { body: { email, password: word } })).statusCode === 200;
const host = (ids: readonly string[]) =>
  lab.deps.db.asHost(async (tx) => {
    const value = [...ids];
    const key = 'host.administrators';
    await tx.hostFact.upsert({ where: { key }, create: { key, value }, update: { value } });
    lab.deps.callers.forget();
  });
const roles = async () => (await lab.call<{ items: Role[] }>('GET', '/roles', { as: boss })).result.items;

describe('an API key that may only manage users', () => {
  test('neither takes over nor deletes whoever made it', async () => {
    const maker = await lab.signIn(await lab.makeAdministrator(subscriberId, 'maker@example.com'));
    const key = await keyOf(maker, 'users.view', 'users.manage', 'users.delete');
    const roleIds = (await lab.call<User>('GET', `/users/${maker.id}`, { as: key })).result.roles.map(({ id }) => id);
    const body = { firstName: 'Maker', email: maker.email, roleIds, password: another };
    expect(codes(await lab.call('PUT', `/users/${maker.id}`, { as: key, body }))).toEqual(['access.denied']);
    expect(codes(await lab.call('DELETE', `/users/${maker.id}`, { as: key }))).toEqual(['access.denied']);
    expect(await canSignIn(maker.email, another)).toBe(false);
    expect(await canSignIn(maker.email, password)).toBe(true);
  });

  test('makes nobody who may do more than it', async () => {
    const key = await keyOf(boss, 'users.view', 'users.manage');
    const body = { firstName: 'New', email: 'outlives@example.com', password };
    expect(codes(await lab.call('POST', '/users', { as: key, body }))).toEqual(['access.denied']);
    expect(await canSignIn(body.email, password)).toBe(false);
  });
});

describe('somebody who manages roles and users', () => {
  test('becomes no administrator by making their role the default', async () => {
    const clerk = await lab.signIn(
      await somebody('roles.view', 'roles.manage', 'users.view', 'users.manage', 'users.roles.assign'),
    );
    const administrator = (await roles()).find(({ isStatic }) => isStatic);
    const { id, name, permissions: all } = administrator ?? ({} as Role);
    const change = await lab.call('PUT', `/roles/${id}`, {
      as: clerk,
      body: { name, permissions: all, isDefault: true },
    });
    expect(codes(change)).toEqual(['access.denied']);
    expect((await roles()).find(({ isStatic }) => isStatic)?.isDefault).toBe(false);
    // Where an administrator made it the default, getting it by default is a grant as well.
    await lab.deps.db.asHost((tx) => tx.role.updateMany({ where: { id: id ?? '' }, data: { isDefault: true } }));
    const body = { firstName: 'X', email: 'default@example.com', password };
    expect(codes(await lab.call('POST', '/users', { as: clerk, body }))).toEqual(['access.denied']);
    expect((await lab.call('POST', '/users', { as: boss, body })).statusCode).toBe(201);
    await lab.deps.db.asHost((tx) => tx.role.updateMany({ where: { id: id ?? '' }, data: { isDefault: false } }));
  });

  test('who belongs to one organization makes nobody who sees the others, and takes over nobody who does', async () => {
    const everything = permissions.filter((name) => name.startsWith('users.') || name.startsWith('sessions.'));
    const local = await somebody(...everything);
    const peer = await somebody('sessions.view');
    const organizationId = newId('organization');
    await lab.deps.db.asHost(async (tx) => {
      await tx.organization.create({ data: { id: organizationId, subscriberId, name: 'Shop' } });
      await tx.user.update({ where: { id: local.id }, data: { isOrganizationRestricted: true } });
      await tx.userOrganization.create({ data: { subscriberId, organizationId, userId: local.id } });
      await tx.role.updateMany({ where: { isDefault: true }, data: { permissions: ['sessions.view'] } });
    });
    const as = await lab.signIn(local);
    const made = await lab.call<User>('POST', '/users', {
      as,
      body: { firstName: 'L', email: 'l@example.com', password },
    });
    const rows = await lab.deps.db.asHost((tx) =>
      tx.user.findMany({ where: { id: made.result.id }, include: { userOrganizations: true } }),
    );
    expect(
      rows.map((row) => [row.isOrganizationRestricted, row.userOrganizations.map((own) => own.organizationId)]),
    ).toEqual([[true, [organizationId]]]);
    const body = { firstName: 'P', email: peer.email, password: another };
    expect(codes(await lab.call('PUT', `/users/${peer.id}`, { as, body }))).toEqual(['access.denied']);
  });
});

describe('an administrator of a subscriber', () => {
  test('takes over no administrator of the installation', async () => {
    const owner = await lab.makeAdministrator(subscriberId, 'owner@example.com');
    await host([owner.id]);
    const roleIds = (await lab.call<User>('GET', `/users/${owner.id}`, { as: boss })).result.roles.map(({ id }) => id);
    const body = { firstName: 'O', email: owner.email, roleIds, password: another };
    expect(codes(await lab.call('PUT', `/users/${owner.id}`, { as: boss, body }))).toEqual(['access.denied']);
    expect(codes(await lab.call('DELETE', `/users/${owner.id}`, { as: boss }))).toEqual(['access.denied']);
    await host([]);
  });
});

describe('somebody who manages the mail server', () => {
  test('reads no link in messages that are kept; administrators of the installation do', async () => {
    const owner = await lab.signIn(await lab.makeAdministrator(subscriberId, 'keeper@example.com'));
    await host([owner.id]);
    const postman = await lab.signIn(await somebody('settings.view', 'settings.smtp.manage'));
    await lab.call('POST', '/TokenAuth/forgot-password', { body: { email: owner.email } });
    await lab.deliverMails();
    const read = async (as: SignedIn) => {
      const mails = (await lab.call<{ to: string; text: string }[]>('GET', '/kept-mail', { as })).result;
      return mails.find(({ to }) => to === owner.email)?.text ?? '';
    };
    expect(await read(owner)).toMatch(/token=[\w-]{40}/);
    const seen = await read(postman);
    expect(seen).not.toMatch(/token=|https?:/);
    expect(seen).not.toBe('');
    await host([]);
  });

  test('sends nobody’s mail to a server of their own unless they may do what everybody may', async () => {
    const postman = await lab.signIn(await somebody('settings.view', 'settings.smtp.manage'));
    const owner = await lab.signIn(await lab.makeAdministrator(subscriberId, 'chief@example.com'));
    const before = (await lab.call<SystemSettings>('GET', '/SystemSettings', { as: boss })).result;
    const body = { ...before, smtpSettings: { ...before.smtpSettings, host: 'evil.example.com', port: 25 } };
    const save = (as: SignedIn) => lab.call('PUT', '/SystemSettings', { as, body });
    expect(codes(await save(postman))).toEqual(['access.denied']);
    await host([owner.id]);
    expect(codes(await save(boss))).toEqual(['access.denied']);
    expect((await save(await lab.signIn(owner))).statusCode).toBe(200);
    await host([]);
    expect((await lab.call('PUT', '/SystemSettings', { as: boss, body: before })).statusCode).toBe(200);
  });
});

describe('bodies', () => {
  test('of a stranger are short', async () => {
    const pad = (length: number) => ({ email: 'a@example.com', password: 'x', pad: 'x'.repeat(length) });
    const post = (length: number) => lab.call('POST', '/TokenAuth/login', { body: pad(length) });
    expect(codes(await post(15_000))).toEqual(['auth.invalidCredentials']);
    expect(codes(await post(17_000))).toEqual(['request.tooLarge']);
    const signedIn = { firstName: 'B', lastName: '', phone: '', locale: 'en', pad: 'x'.repeat(500_000) };
    expect((await lab.call('PUT', '/me', { as: boss, body: signedIn })).statusCode).toBe(200);
  });

  test('are parsed without a function call for each value, which stops everything for a second', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const text = `[${'1,'.repeat(1000)}1]`;
    expect(readJson(text)).toHaveLength(1001);
    expect(parse.mock.calls).toEqual([[text]]);
    parse.mockRestore();
  });

  test.each([
    ['nested deeply', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['lists nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a prototype', '{"a":{"__proto__":{"isAdmin":true}}}'],
    ['a constructor', '{"a":[{"constructor":{"prototype":{}}}]}'],
  ])('are refused: %s', async (_name, text) => {
    const headers = { 'content-type': 'application/json' };
    for (const url of ['/workflows', '/workflows/validate']) {
      const answer = await lab.call('POST', url, { as: boss, body: text, headers });
      expect([answer.statusCode, codes(answer)]).toEqual([400, ['request.invalid']]);
    }
  });
});

describe('what Postgres cannot hold is answered, not stumbled over', () => {
  test('half a character in the variables of an upload', async () => {
    const workflow = await lab.call<{ id: string }>('POST', '/workflows', { as: boss, body: { name: 'W' } });
    for (const variables of ['{"a":"\\ud800"}', '{"\\udc00":"a"}', '{"a":["\\u0000"]}']) {
      const encoded = (text: string) => Buffer.from(text).toString('base64');
      const metadata = `workflowId ${encoded(workflow.result.id)},variables ${encoded(variables)}`;
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata };
      const upload = await lab.call('POST', '/uploads', { as: boss, headers });
      expect([upload.statusCode, codes(upload)]).toEqual([400, ['value.invalid']]);
      const sent = form(
        { workflowId: workflow.result.id, variables },
        { name: 'a.pdf', bytes: Buffer.from('%PDF-1.4') },
      );
      const made = await lab.call('POST', '/sessions', { as: boss, ...sent });
      expect([made.statusCode, codes(made)]).toEqual([400, ['value.invalid']]);
    }
  });

  test('half a character in a body', async () => {
    const body = '{"firstName":"\\ud800","lastName":"","phone":"","locale":"en"}';
    const answer = await lab.call('PUT', '/me', { as: boss, body, headers: { 'content-type': 'application/json' } });
    expect([answer.statusCode, codes(answer)]).toEqual([400, ['value.invalid']]);
  });

  test.each(['-271821-04-20', '+275760-09-13', 'yesterday'])('the time %s', async (time) => {
    for (const field of ['from', 'to']) {
      const answer = await lab.call('GET', `/sessions?${field}=${encodeURIComponent(time)}`, { as: boss });
      expect([answer.statusCode, codes(answer)]).toEqual([400, ['value.invalid']]);
    }
  });
});

describe('the sites of an embed token', () => {
  test.each(['https://*', 'https://*.example', 'https://a.example;script-src', "https://'self'", 'https://a,b'])(
    '%s is none',
    async (origin) => {
      const body = { name: 'site', permissions: ['sessions.view'], origins: [origin] };
      expect(codes(await lab.call('POST', '/embed-tokens', { as: boss, body }))).toEqual(['value.invalid']);
    },
  );

  test('are names and addresses', async () => {
    const origins = [
      'https://shop.example',
      'http://localhost:8080',
      'https://[2001:db8::1]',
      'https://münchen.example',
    ];
    const body = { name: 'site', permissions: ['sessions.view'], origins };
    expect((await lab.call<{ origins: string[] }>('POST', '/embed-tokens', { as: boss, body })).result.origins).toEqual(
      [...origins.slice(0, 3), 'https://xn--mnchen-3ya.example'],
    );
  });
});

describe('tokens', () => {
  test('are answered for no cache to keep', async () => {
    const answer = await lab.call('POST', '/TokenAuth/login', { body: { email: boss.email, password } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('without an end, an issuer or an audience are none, whoever signed them', async () => {
    const signer = fastify();
    await signer.register(jwt, { secret: lab.deps.keys.derive('access tokens').toString('base64') });
    await signer.ready();
    const [session] = await lab.deps.db.asHost((tx) => tx.userSession.findMany({ where: { userId: boss.id } }));
    const claims = { sub: boss.id, tid: subscriberId, sid: session?.id ?? '', pv: 0 };
    const whole = { iss: 'pdf2press', aud: 'api', header: { typ: 'at+jwt', alg: 'HS256' as const } };
    const status = async (options: object) =>
      (await lab.call('GET', '/me', { as: { token: signer.jwt.sign(claims, options) } })).statusCode;
    expect(await status({ ...whole, expiresIn: '10s' })).toBe(200);
    expect(await status(whole)).toBe(401);
    expect(await status({ ...whole, iss: undefined, expiresIn: '10s' })).toBe(401);
    expect(await status({ ...whole, aud: undefined, expiresIn: '10s' })).toBe(401);
    await signer.close();
  });
});

test('one’s own password is not guessed: ten tries in a quarter of an hour', async () => {
  const narrow = await startLab({ limitFactor: 1 });
  try {
    const person = await narrow.makeAdministrator(await narrow.makeSubscriber('Guess'), 'guess@example.com');
    const as = await narrow.signIn(person);
    const guess = (word: string) =>
      narrow.call('PUT', '/me/password', {
        as,
        body: { currentPassword: word, password: another, passwordConfirmation: another },
      });
    for (let round = 0; round < 10; round += 1)
      expect(codes(await guess(`wrong ${round}`))).toEqual(['password.wrong']);
    expect(codes(await guess(password))).toEqual(['request.rateLimited']);
  } finally {
    await narrow.stop();
  }
});

describe('a live stream', () => {
  const open = async (as: { token: string }) => {
    const origin = lab.app.listeningOrigin.replace('[::1]', '127.0.0.1');
    const answer = await fetch(`${origin}/api/sessions/live`, { headers: { authorization: `Bearer ${as.token}` } });
    const reader = answer.body?.getReader();
    return { status: answer.status, reader };
  };
  const ended = async (reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<true> => {
    while (!(await reader?.read())?.done);
    return true;
  };
  beforeAll(async () => {
    await lab.listen();
  });

  test('ends when its key is revoked, and when its right is taken', async () => {
    const key = await keyOf(boss, 'sessions.view');
    const person = await somebody('sessions.view');
    const [ofKey, ofPerson] = [await open(key), await open(await lab.signIn(person))];
    expect([ofKey.status, ofPerson.status]).toEqual([200, 200]);
    await lab.deps.db.asHost(async (tx) => {
      await tx.apiKey.updateMany({ where: { createdById: boss.id }, data: { revokedAt: new Date() } });
      await tx.role.updateMany({ where: { name: `role of ${person.email}` }, data: { permissions: ['users.view'] } });
    });
    expect(await ended(ofKey.reader)).toBe(true);
    expect(await ended(ofPerson.reader)).toBe(true);
  });

  test('is one of thirty that one caller may have open', async () => {
    const as = await lab.signIn(await somebody('sessions.view'));
    const streams = await Promise.all(Array.from({ length: 31 }, () => open(as)));
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array<number>(30).fill(200), 429]);
    await Promise.all(streams.map(({ reader }) => reader?.cancel()));
    await expect.poll(async () => (await open(as)).status).toBe(200);
  });
});

describe('connections', () => {
  const startServer = async (limits: { deadline?: number; connections?: number }) => {
    const app = fastify();
    installSlowBodyLimits(app, { trustedProxies: [], ...limits });
    app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
      payload.resume().once('end', () => done(null));
    });
    app.post('/', async () => 'read');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    return { app, port };
  };
  const ends = (socket: net.Socket) => new Promise((resolve) => socket.once('close', () => resolve('ended')));

  test('whose body does not come are ended; files may take any time', async () => {
    const { app, port } = await startServer({ deadline: 300 });
    const begin = (type: string) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`);
      return socket;
    };
    const file = begin('multipart/form-data; boundary=x');
    let isFileOver = false;
    void ends(file).then(() => {
      isFileOver = true;
    });
    expect(await ends(begin('application/json'))).toBe('ended');
    expect(isFileOver).toBe(false);
    file.destroy();
    await app.close();
  });

  test('are so many of one address and no more', async () => {
    const { app, port } = await startServer({ connections: 3 });
    const sockets = Array.from({ length: 4 }, () => net.connect(port, '127.0.0.1').on('error', () => undefined));
    expect(await Promise.race(sockets.map(ends))).toBe('ended');
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
});

test('an address with many failures is asked for proof of work; its people still sign in', async () => {
  const guarded = await startLab({ variables: { CAPTCHA_PROVIDER: 'altcha' }, limitFactor: 1 });
  try {
    const owner = await guarded.makeAdministrator(await guarded.makeSubscriber('Shared'), 'shared@example.com');
    await guarded.deps.db.asHost(async (tx) => {
      const until = new Date(Date.now() + 300_000);
      await tx.lockout.create({ data: { key: 'address:127.0.0.1', until, failures: 20 } });
    });
    const attempt = (captcha?: string) =>
      guarded.call('POST', '/TokenAuth/login', { body: { email: owner.email, password, ...(captcha && { captcha }) } });
    expect(codes(await attempt())).toEqual(['auth.invalidCredentials', 'auth.captchaFailed']);
    const { result } = await guarded.call<{ challenge: never }>('GET', '/TokenAuth/captcha');
    const solution = await solveChallenge({ challenge: result.challenge, deriveKey });
    const captcha = Buffer.from(JSON.stringify({ challenge: result.challenge, solution })).toString('base64');
    expect((await attempt(captcha)).statusCode).toBe(200);
  } finally {
    await guarded.stop();
  }
});
