import { storedSecretMark } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { hasDovecot, startDovecot, type TestDovecot } from '@pdf2press/sources/testing';
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
