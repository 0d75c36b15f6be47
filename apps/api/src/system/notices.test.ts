import type { RouteResult, routes } from '@pdf2press/contract';
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
