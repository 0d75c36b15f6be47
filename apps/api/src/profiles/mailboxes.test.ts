import { mailServices, storedSecretMark } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { mailProvider } from '@pdf2press/sources/mailbox';
import { hasDovecot, startDovecot, type TestDovecot } from '@pdf2press/sources/testing';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

interface Mailbox {
  id: string;
  name: string;
  version: number;
  settings: Record<string, unknown>;
}
interface Trial {
  failed: { stage: string; code: string } | null;
  folders: string[];
  mails: number | null;
}

let lab: Lab;
let owner: SignedIn;
let subscriberId: string;
beforeAll(async () => {
  lab = await startLab({ limitFactor: 1_000 });
  subscriberId = await lab.makeSubscriber('Print');
  owner = await lab.signIn(await lab.makeAdministrator(subscriberId, 'owner@example.com'));
});
afterAll(() => lab.stop());

const settings = {
  host: 'imap.example.com',
  username: 'orders',
  password: 'a secret of nobody',
  workflowId: 'wfl_none',
};
const make = (change: object = {}) =>
  lab.call<Mailbox>('POST', '/profiles/inboundEmail', {
    as: owner,
    body: { name: newId('profile'), settings: { ...settings, ...change } },
  });
const save = (mailbox: Mailbox, change: object) =>
  lab.call<Mailbox>('PUT', `/profiles/inboundEmail/${mailbox.id}`, {
    as: owner,
    body: { name: mailbox.name, version: mailbox.version, settings: { ...mailbox.settings, ...change } },
  });

test('a mailbox is made, changed and deleted; its password goes in and never comes out', async () => {
  const made = await make();
  expect(made.statusCode).toBe(201);
  expect(made.result.settings).toMatchObject({
    password: storedSecretMark,
    port: 993,
    security: 'tls',
    after: 'markSeen',
  });
  const changed = await save(made.result, { after: 'delete' });
  expect(changed.result.settings).toMatchObject({ password: storedSecretMark, after: 'delete' });
  const renewed = await save(changed.result, { password: 'another secret' });
  const list = await lab.call('GET', '/profiles/inboundEmail', { as: owner });
  for (const { body } of [made, changed, renewed, list]) expect(body).not.toMatch(/secret of|another secret|secretId/);
  const stored = await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => ({
    versions: await tx.profileVersion.findMany({ where: { profileId: made.result.id } }),
    secrets: await tx.secret.count({ where: { purpose: 'source.connection' } }),
  }));
  expect(JSON.stringify(stored.versions)).not.toMatch(/secret of|another secret/);
  expect(stored.secrets).toBe(1);
  const removed = await lab.call('DELETE', `/profiles/inboundEmail/${made.result.id}`, { as: owner });
  expect(removed.statusCode).toBe(200);
});

test.each([
  { host: 'evil.example.com' },
  { port: 143 },
  { security: 'none' },
  { ignoreSslWarnings: true },
  { username: 'other' },
])('the stored password is not sent elsewhere: %j asks for it again', async (change) => {
  const { result } = await make();
  const answer = await save(result, change);
  expect(answer.statusCode).toBe(422);
  expect(answer.envelope.errors[0]).toMatchObject({ code: 'value.required', field: 'settings.password' });
  const tried = await lab.call('POST', '/profiles/inboundEmail-test', {
    as: owner,
    body: { id: result.id, settings: { ...result.settings, ...change } },
  });
  expect(tried.statusCode).toBe(422);
  expect((await save(result, { ...change, password: 'given again' })).statusCode).toBe(200);
});

test('without a password, a host or a workflow nothing is stored', async () => {
  for (const change of [
    { password: '' },
    { password: storedSecretMark },
    { host: '' },
    { workflowId: '' },
    { port: 0 },
  ])
    expect((await make(change)).statusCode, JSON.stringify(change)).toBe(422);
});

test('patterns that fill variables are stored, and what is wrong with one is told at its place', async () => {
  const good = [{ part: 'body', pattern: 'Order no: {{order}}' }];
  const made = await make({ patterns: good });
  expect(made.result.settings.patterns).toEqual(good);
  for (const pattern of ['', 'Order *', '{{order}}{{copies}}', '{{order}} {{ORDER}}', '{{order|upper}}', '{{order']) {
    const { statusCode, envelope } = await make({ patterns: [...good, { part: 'subject', pattern }] });
    const field = 'settings.patterns.1.pattern';
    expect([pattern, statusCode, envelope.errors[0]]).toMatchObject([pattern, 422, { code: 'profile.invalid', field }]);
  }
  const many = (count: number) => make({ patterns: Array.from({ length: count }, () => good[0]) });
  expect([(await many(20)).statusCode, (await many(21)).statusCode]).toEqual([201, 422]);
});

interface State {
  id: string;
  unfilled: { field: string; code: string; message: string }[];
}
const variablesNow = [
  { name: 'order', type: 'String' },
  { name: 'copies', type: 'Number' },
];
/** A workflow whose published version has these variables; `null`: it is not published. */
async function workflowWith(variables: object[] | null): Promise<string> {
  const workflowId = newId('workflow');
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const publishedNo = variables && 1;
    await tx.workflow.create({ data: { id: workflowId, name: newId('workflow'), draft: {}, publishedNo } });
  });
  if (variables) await publish(workflowId, 1, variables);
  return workflowId;
}
const publish = (workflowId: string, no: number, variables: object[]) =>
  lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const definition = { steps: [{ id: 'inject', kind: 'Inject', settings: {} }], variables };
    const version = { id: newId('workflowVersion'), workflowId, no, definition, profiles: {}, hash: '' };
    await tx.workflowVersion.create({ data: version });
    await tx.workflow.update({ where: { id: workflowId }, data: { publishedNo: no } });
  });
const unfilledOf = async (id: string) => {
  const { result } = await lab.call<State[]>('GET', '/profiles/inboundEmail-states', { as: owner });
  return result.find((state) => state.id === id)?.unfilled;
};
const onSubject = (pattern: string) => ({ patterns: [{ part: 'subject', pattern }] });

test('a variable that the published workflow does not have is told at its field, and nothing is saved', async () => {
  const workflowId = await workflowWith(variablesNow);
  const well = await make({ workflowId, subjectVariable: 'Order', ...onSubject('* {{ORDER}}, {{copies}} *') });
  expect(well.statusCode).toBe(201);
  expect(await unfilledOf(well.result.id)).toEqual([]);
  for (const [change, field, code] of [
    [onSubject('* {{ordre}} *'), 'patterns.0.pattern', 'mail.variableUnknown'],
    [{ subjectVariable: 'ordre' }, 'subjectVariable', 'mail.variableUnknown'],
    [{ senderVariable: 'copies' }, 'senderVariable', 'mail.variableNotAddress'],
  ] as const) {
    const told = [
      expect.objectContaining({ code: 'profile.invalid', field: `settings.${field}` }),
      expect.objectContaining({ code, field: `settings.${field}` }),
    ];
    const made = await make({ workflowId, ...change });
    const saved = await save(well.result, change);
    for (const { statusCode, envelope } of [made, saved]) expect([statusCode, envelope.errors]).toEqual([422, told]);
  }
});

test('a workflow that is published later, or without a variable, is told in the list; the password can be changed', async () => {
  const workflowId = await workflowWith(null);
  const { result } = await make({ workflowId, ...onSubject('{{order}} of {{ordre}}') });
  expect(await unfilledOf(result.id)).toEqual([]);
  await publish(workflowId, 1, variablesNow);
  const unknown = { field: 'patterns.0.pattern', code: 'mail.variableUnknown' };
  expect(await unfilledOf(result.id)).toEqual([
    { ...unknown, message: 'The published workflow has no variable named ordre' },
  ]);
  const renewed = await save(result, { password: 'another secret' });
  expect(renewed.statusCode).toBe(200);
  const other = await save(renewed.result, onSubject('{{order}} of {{ordre}}, {{paper}}'));
  expect([other.statusCode, other.envelope.errors[1]?.params]).toEqual([422, { name: 'paper' }]);
  expect((await save(renewed.result, { workflowId: await workflowWith(variablesNow) })).statusCode).toBe(422);
  await publish(workflowId, 2, []);
  expect((await unfilledOf(result.id))?.map(({ message }) => message.split(' ').at(-1))).toEqual(['order', 'ordre']);
});

test('the variables of a published workflow are read with the mailboxes, and of no other tenant', async () => {
  const variables = async (workflowId: string, as = owner) =>
    lab.call<{ variables: unknown }>('GET', `/profiles/inboundEmail-workflow-variables?workflowId=${workflowId}`, {
      as,
    });
  const workflowId = await workflowWith([...variablesNow, { name: 'paper', type: 'Select', options: ['matt'] }]);
  expect((await variables(workflowId)).result.variables).toEqual([...variablesNow, { name: 'paper', type: 'Select' }]);
  expect((await variables(await workflowWith(null))).result.variables).toBeNull();
  const stranger = await lab.signIn(
    await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'other@example.com'),
  );
  expect((await variables(workflowId, stranger)).result.variables).toBeNull();
});

const trial = (change: object) =>
  lab.call<Trial>('POST', '/profiles/inboundEmail-test', { as: owner, body: { settings: { ...settings, ...change } } });

test('private networks, unusual ports and unknown names are refused before anything is sent', async () => {
  for (const [change, code] of [
    [{ host: '127.0.0.1' }, 'source.hostBlocked'],
    [{ host: '10.0.0.1' }, 'source.hostBlocked'],
    [{ host: 'localhost' }, 'source.hostBlocked'],
    [{ host: '93.184.216.34', port: 22 }, 'source.hostBlocked'],
    [{ host: 'nothing.invalid' }, 'source.hostUnknown'],
  ] as const)
    expect((await trial(change)).result, JSON.stringify(change)).toMatchObject({ failed: { stage: 'name', code } });
});

test('the list says why a mailbox is not looked into, and since when it fails', async () => {
  const states = async () =>
    (await lab.call<{ id: string }[]>('GET', '/profiles/inboundEmail-states', { as: owner })).result;
  const { result: off } = await make({ isEnabled: false });
  const { result: lost } = await make();
  const workflowId = newId('workflow');
  const { result: well } = await make({ workflowId });
  const since = new Date('2026-11-24T10:00:00Z');
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.workflow.create({ data: { id: workflowId, name: 'Cards', draft: {}, publishedNo: 1 } });
    const definition = { steps: [{ id: 'inject', kind: 'Inject', settings: {} }] };
    const version = { id: newId('workflowVersion'), workflowId, no: 1, definition, profiles: {}, hash: '' };
    await tx.workflowVersion.create({ data: version });
    await tx.inlet.create({
      data: {
        ...{ id: newId('profile'), workflowId, connectionId: well.id, kind: 'email', place: '' },
        ...{ lastOkAt: since, failingSince: since, failureCount: 2, errorCode: 'source.denied', errorParams: {} },
      },
    });
  });
  const found = new Map((await states()).map((state) => [state.id, state]));
  expect(found.get(off.id)).toMatchObject({ paused: 'off', lastLookedAt: null, failing: null });
  expect(found.get(lost.id)).toMatchObject({ paused: 'workflow', workflow: null });
  expect(found.get(well.id)).toMatchObject({
    paused: null,
    workflow: { id: workflowId, name: 'Cards' },
    lastLookedAt: since.toISOString(),
    failing: { since: since.toISOString(), code: 'source.denied' },
  });
});

describe.each(mailServices)('an account at %s', (service) => {
  let identity: CloudServer;
  let colleague: SignedIn;
  beforeAll(async () => {
    const person = `colleague-${service.toLowerCase()}@example.com`;
    colleague = await lab.signIn(await lab.makeAdministrator(subscriberId, person));
    identity = await startCloudServer(mailProvider(service));
    const { clientId, clientSecret, address: endpoint } = identity;
    lab.deps.env.cloudApps = { [mailProvider(service)]: { clientId, clientSecret, endpoint } };
    lab.deps.env.outboundAllowedHosts = [{ host: '127.0.0.1', port: Number(new URL(endpoint).port), scheme: 'http' }];
  });
  afterAll(async () => {
    lab.deps.env.cloudApps = {};
    lab.deps.env.outboundAllowedHosts = [];
    await identity.stop();
  });

  const makeOf = (change: object = {}) =>
    make({ signInWith: service, username: identity.account, password: undefined, ...change });
  /** Begins to connect; resolves to the page of the service and the cookie of the browser. */
  async function begin(id: string) {
    const path = `/profiles/inboundEmail/${id}/connect`;
    const answer = await lab.call<{ address: string }>('POST', path, { as: owner, body: {} });
    expect(answer.statusCode).toBe(200);
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    return { address: answer.result.address, cookie: cookie.split(';')[0] ?? '' };
  }
  /** What the service sends the browser back with. */
  async function consent(address: string): Promise<Record<string, string>> {
    const page = await (await fetch(address)).text();
    const link = /href="([^"]+)">Allow/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return Object.fromEntries(new URL(link).searchParams);
  }
  const finish = (body: Record<string, string>, cookie: string, { as = owner, kind = 'inboundEmail' } = {}) =>
    lab.call<{ account: string }>('POST', `/profiles/${kind}-callback`, { as, body, headers: { cookie } });
  const connect = async (id: string) => {
    const { address, cookie } = await begin(id);
    return finish(await consent(address), cookie);
  };
  const stateOf = async (id: string) =>
    (await lab.call<{ id: string }[]>('GET', '/profiles/inboundEmail-states', { as: owner })).result.find(
      (state) => state.id === id,
    );
  const read = async (id: string) =>
    (await lab.call<Mailbox>('GET', `/profiles/inboundEmail/${id}`, { as: owner })).result;
  const secretsOf = (id: string) =>
    lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const version = await tx.profileVersion.findFirst({ where: { profileId: id }, orderBy: { no: 'desc' } });
      const { secretId } = (version?.settings ?? {}) as { secretId?: string };
      return secretId === undefined ? [] : tx.secret.findMany({ where: { id: secretId } });
    });

  test('is asked for its mails alone, and connected; its grant never comes out', async () => {
    const made = await makeOf();
    expect(made.statusCode).toBe(201);
    const { id } = made.result;
    expect(await stateOf(id)).toMatchObject({ service, account: null, paused: 'connection' });
    const { address, cookie } = await begin(id);
    const asked = Object.fromEntries(new URL(address).searchParams);
    expect(asked).toMatchObject({
      code_challenge_method: 'S256',
      login_hint: identity.account,
      redirect_uri: `${lab.deps.env.publicUrl}/email/callback`,
      scope: {
        Google: 'https://mail.google.com/ openid email',
        Microsoft: 'https://outlook.office.com/IMAP.AccessAsUser.All openid email profile offline_access',
      }[service],
    });
    const done = await finish(await consent(address), cookie);
    expect(done.result).toMatchObject({ id, account: identity.account });
    expect(await stateOf(id)).toMatchObject({ account: identity.account, paused: 'workflow' });
    const shown = await lab.call('GET', `/profiles/inboundEmail/${id}`, { as: owner });
    expect(shown.body).not.toMatch(/secretId|refreshToken/);
    expect(JSON.stringify(await secretsOf(id))).not.toContain('refreshToken');
  });

  test('a consent counts once, for the person, the browser and the kind that began, and for the server that was set', async () => {
    const { result } = await makeOf();
    const { address, cookie } = await begin(result.id);
    const body = await consent(address);
    const refusals = [
      await finish(body, ''),
      await finish(body, cookie, { as: colleague }),
      await finish(body, cookie, { kind: 'cloudStorage' }),
    ];
    for (const { envelope } of refusals) expect(envelope.errors[0]?.code).toBe('cloud.stateInvalid');
    expect((await save(result, { host: 'evil.example.com' })).statusCode).toBe(200);
    expect((await finish(body, cookie)).envelope.errors[0]?.code).toBe('cloud.stateInvalid');
    const changed = await read(result.id);
    const again = await begin(changed.id);
    const given = await consent(again.address);
    expect((await finish(given, again.cookie)).statusCode).toBe(200);
    expect((await finish(given, again.cookie)).envelope.errors[0]?.code).toBe('cloud.stateInvalid');
  });

  test.each([
    { host: 'evil.example.com' },
    { port: 143 },
    { security: 'none' },
    { ignoreSslWarnings: true },
    { username: 'other@example.com' },
  ])('its grant is not sent elsewhere: %j forgets it', async (change) => {
    const { id } = (await makeOf()).result;
    expect((await connect(id)).statusCode).toBe(200);
    const connected = await read(id);
    const tried = await lab.call<Trial>('POST', '/profiles/inboundEmail-test', {
      as: owner,
      body: { id, settings: { ...connected.settings, ...change } },
    });
    expect(tried.result.failed).toMatchObject({ stage: 'access', code: 'source.signInNeeded' });
    const kept = await save(connected, { after: 'delete' });
    expect(await stateOf(id)).toMatchObject({ account: identity.account });
    expect((await save(kept.result, change)).statusCode).toBe(200);
    expect(await stateOf(id)).toMatchObject({ account: null, paused: 'connection' });
    expect(await secretsOf(id)).toEqual([]);
  });

  test('a mailbox goes from a password to a service and back, and neither serves as the other', async () => {
    const { result } = await make();
    const asService = await save(result, { signInWith: service });
    expect(await stateOf(result.id)).toMatchObject({ service, account: null, paused: 'connection' });
    expect((await connect(result.id)).statusCode).toBe(200);
    const back = { signInWith: 'password', password: storedSecretMark };
    expect((await save({ ...asService.result, ...(await read(result.id)) }, back)).statusCode).toBe(422);
    const withPassword = await save(await read(result.id), { ...back, password: 'a new secret' });
    expect(withPassword.result.settings).toMatchObject({ password: storedSecretMark });
    expect(await stateOf(result.id)).toMatchObject({ service: null, account: null });
    const path = `/profiles/inboundEmail/${result.id}/connect`;
    expect((await lab.call('POST', path, { as: owner, body: {} })).statusCode).toBe(422);
  });

  test('the list of services says where the installation is registered', async () => {
    const { result } = await lab.call('GET', '/profiles/inboundEmail-services', { as: owner });
    expect(result).toEqual({
      redirect: `${lab.deps.env.publicUrl}/email/callback`,
      services: [
        {
          ...{ provider: 'Google', isSetUp: service === 'Google' },
          variables: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
        },
        {
          ...{ provider: 'Microsoft', isSetUp: service === 'Microsoft' },
          variables: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
        },
      ],
    });
  });
});

describe.skipIf(!hasDovecot)('against a real server (skipped without dovecot)', () => {
  let server: TestDovecot;
  beforeAll(async () => {
    server = await startDovecot();
    lab.deps.env.outboundAllowedHosts = [{ host: '127.0.0.1', port: null, scheme: null }];
    await server.put('orders', { attachments: [{ name: 'a.pdf', content: 'x' }] });
  });
  afterAll(() => server.stop());

  const local = () => ({ host: '127.0.0.1', port: server.port, security: 'none', password: server.password });

  test('a connection that works lists its folders; one that fails says where', async () => {
    expect((await trial(local())).result).toEqual({ failed: null, folders: ['INBOX'], mails: 1 });
    const { result } = await trial({ ...local(), password: 'wrong' });
    expect(result.failed).toMatchObject({ stage: 'signIn', code: 'source.denied' });
  });

  test('a stored mailbox is tried with its stored password', async () => {
    const { result } = await make(local());
    const tried = await lab.call<Trial>('POST', '/profiles/inboundEmail-test', {
      as: owner,
      body: { id: result.id, settings: result.settings },
    });
    expect(tried.result).toMatchObject({ failed: null, mails: 1 });
  });
});
