import type { RouteResult, routes, SystemSettings } from '@pdf2press/contract';
import { keepAlarms, noteBackup } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Notices = RouteResult<typeof routes.system.notifications>;
type Kinds = RouteResult<typeof routes.system.noticeKinds>;

let lab: Lab;
let ana: SignedIn;
let clerk: SignedIn;
let subscriberId: string;
let profileId: string;
beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  clerk = await lab.signIn(await lab.makePerson(subscriberId, 'clerk@example.com', ['sessions.view']));
  profileId = newId('profile');
  const workflowId = newId('workflow');
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.workflow.create({ data: { id: workflowId, name: 'Cards', draft: {} } });
    await tx.profile.create({ data: { id: profileId, kind: 'inboundEmail', name: 'Orders', currentNo: 1 } });
    await tx.inlet.create({
      data: {
        id: 'inl_1',
        workflowId,
        connectionId: profileId,
        kind: 'email',
        place: 'INBOX',
        failingSince: new Date(Date.now() - 3_600_000),
        errorCode: 'source.denied',
      },
    });
  });
});
afterAll(() => lab.stop());

const told = async (as: SignedIn) => (await lab.call<Notices>('GET', '/notifications', { as })).result;
const kinds = async (as: SignedIn) => (await lab.call<Kinds>('GET', '/notifications/kinds', { as })).result;
const ofMailbox = (notices: Notices) => notices.filter(({ code }) => code === 'mailbox.failing');

test('an alarm is told in the reader’s language, with what to do and where, to those whom it concerns', async () => {
  await keepAlarms(lab.deps.engine);
  expect(ofMailbox(await told(ana))).toMatchObject([
    {
      kind: 'mailbox.failing',
      severity: 'Error',
      message: expect.stringMatching(/^Mailbox “Orders” cannot be read. The source refuses access/),
      whatToDo: expect.stringMatching(/test the connection/),
      link: `/email/edit/${profileId}`,
      endedAt: null,
      isRead: false,
    },
  ]);
  const speak = (locale: string) =>
    lab.call('PUT', '/me', { as: ana, body: { firstName: 'Ana', lastName: 'Test', phone: '', locale } });
  await speak('fr');
  expect(ofMailbox(await told(ana))[0]?.message).toMatch(/^La boîte « Orders »/);
  await speak('en');
  expect(await told(clerk)).toEqual([]);
});

test('kinds that somebody mutes are not told to them, and unmuted again what is open is there', async () => {
  expect((await kinds(clerk)).map(({ kind }) => kind)).not.toContain('mailbox.failing');
  expect((await kinds(ana)).find(({ kind }) => kind === 'mailbox.failing')).toMatchObject({
    label: 'Mailbox cannot be read',
    isMuted: false,
  });
  const mute = (muted: string[], as = ana) => lab.call<Kinds>('PUT', '/notifications/kinds', { as, body: { muted } });
  const { result } = await mute(['mailbox.failing', 'no.such']);
  expect(result.filter(({ isMuted }) => isMuted).map(({ kind }) => kind)).toEqual(['mailbox.failing']);
  expect(ofMailbox(await told(ana))).toEqual([]);
  await mute([], clerk);
  expect(ofMailbox(await told(ana)), 'what another mutes is their own matter').toEqual([]);
  await mute([]);
  expect(ofMailbox(await told(ana))).toHaveLength(1);
});

test('kinds are chosen for e-mail; muting alone leaves that as it was', async () => {
  const choose = (body: object) => lab.call<Kinds>('PUT', '/notifications/kinds', { as: ana, body });
  const mailed = (list: Kinds) => list.filter(({ isMailed }) => isMailed).map(({ kind }) => kind);
  const { result } = await choose({ muted: [], mailed: ['mailbox.failing', 'no.such'] });
  expect(mailed(result)).toEqual(['mailbox.failing']);
  expect(mailed((await choose({ muted: ['quota'] })).result)).toEqual(['mailbox.failing']);
  expect(mailed(await kinds(ana))).toEqual(['mailbox.failing']);
  expect(mailed((await choose({ muted: [], mailed: [] })).result)).toEqual([]);
});

test('personal kinds stay at the bell, the others may go to a web address', async () => {
  const listed = await kinds(ana);
  const goes = (name: string) => listed.find(({ kind }) => kind === name)?.goesByHook;
  expect([goes('session.mentioned'), goes('mailbox.failing'), goes('noticeHook.failing')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('the web address takes its own permission, and its secret is never given back', async () => {
  const read = () => lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  const { result: before } = await read();
  const hook = { url: 'https://mis.example/notices', secret: 'Gehe1mnis', muted: ['quota'] };
  const body = { ...before, noticeSettings: { hook } };
  const weak = await lab.signIn(
    await lab.makePerson(subscriberId, 'weak@example.com', ['settings.view', 'settings.general.manage']),
  );
  expect((await lab.call('PUT', '/SystemSettings', { as: weak, body })).statusCode).toBe(403);
  const saved = await lab.call<SystemSettings>('PUT', '/SystemSettings', { as: ana, body });
  expect(saved.result.noticeSettings.hook).toEqual({ ...hook, secret: '••••' });
  expect((await read()).body).not.toContain('Gehe1mnis');
  const again = await lab.call<SystemSettings>('PUT', '/SystemSettings', { as: ana, body: saved.result });
  expect(again.result.noticeSettings.hook.secret).toBe('••••');
  const wrong = { ...saved.result, noticeSettings: { hook: { ...hook, url: 'ftp://mis.example' } } };
  expect((await lab.call('PUT', '/SystemSettings', { as: ana, body: wrong })).statusCode).toBe(400);
  const test = await lab.call('POST', '/SystemSettings/testNoticeHook', {
    as: ana,
    body: { ...hook, url: 'https://127.0.0.1/', secret: '••••' },
  });
  expect([test.statusCode, test.envelope.errors[0]?.code]).toEqual([422, 'hook.blocked']);
});

test('the installation’s kinds are listed for its administrators only', async () => {
  expect((await kinds(ana)).map(({ kind }) => kind)).not.toContain('backup.failed');
  await lab.deps.db.asHost(async (tx) => {
    const key = 'host.administrators';
    await tx.hostFact.create({ data: { key, value: [ana.id] } });
    await noteBackup(tx, { isGood: false });
  });
  lab.deps.callers.forget();
  await keepAlarms(lab.deps.engine);
  expect((await kinds(ana)).map(({ kind }) => kind)).toContain('backup.failed');
  expect((await told(ana)).map(({ code }) => code)).toContain('backup.failed');
});

test('an open stream is told that the bell changes, and only of its own subscriber', async () => {
  const origin = await lab.listen();
  const stop = new AbortController();
  const response = await fetch(`${origin}/api/sessions/live`, {
    headers: { authorization: `Bearer ${ana.token}` },
    signal: stop.signal,
  });
  let heard = '';
  const reading = (async () => {
    for await (const part of response.body ?? []) heard += Buffer.from(part).toString();
  })().catch(() => undefined);
  await expect.poll(() => heard).toContain('connected');
  const before = heard.split('event: notices').length;
  const other = await lab.makeSubscriber('Others');
  await lab.deps.db.withSubscriber({ subscriberId: other }, (tx) =>
    tx.notification.create({ data: { id: newId('notification'), kind: 'session.failed' } }),
  );
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.inlet.update({ where: { id: 'inl_1' }, data: { failingSince: null, errorCode: null } }),
  );
  expect(heard.split('event: notices')).toHaveLength(before);
  await keepAlarms(lab.deps.engine);
  await expect.poll(() => heard.split('event: notices').length, { timeout: 20_000 }).toBeGreaterThan(before);
  stop.abort();
  await reading;
  expect(ofMailbox(await told(ana))).toMatchObject([{ isRead: true, endedAt: expect.any(String) }]);
});
