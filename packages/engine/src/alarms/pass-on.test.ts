import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { decodedMail, startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { newId, toJson } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliverDue } from '../effects/deliver.ts';
import { deliverMail } from '../effects/mail/run.ts';
import { actionSecretPurpose } from '../effects/webhook/contract.ts';
import { callAddresses } from '../effects/webhook/run.ts';
import { type InstanceKeys, keepSecret, openInstanceKeys } from '../secrets/secrets.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { giveSettings } from '../testing/settings.ts';
import { keepAlarms } from './keep-alarms.ts';
import { tryNoticeHook } from './notice-hook.ts';

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}
let server: Awaited<ReturnType<typeof startTestPostgres>>;
let smtp: TestMailServer;
let lab: Lab;
let keys: InstanceKeys;
const calls: Call[] = [];
let status = 200;
const hook = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    calls.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status).end();
  });
});
const hookUrl = () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/notices`;
const allowedHosts = () => [{ host: '127.0.0.1', port: (hook.address() as AddressInfo).port, scheme: 'http' as const }];

beforeAll(async () => {
  server = await startTestPostgres();
  smtp = await startMailServer(decodedMail);
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await smtp.stop();
  await new Promise((resolve) => hook.close(resolve));
  await server.stop();
});
beforeEach(async () => {
  lab = await openLab(server);
  lab.deps.app = { title: 'pdf2press', baseUrl: 'https://print.test' };
  keys = await openInstanceKeys({ dataDir: lab.folder });
  smtp.received.length = 0;
  calls.length = 0;
  status = 200;
  await lab.sql.query(
    `insert into host_facts (key, value) values ('pump', '{}') on conflict (key) do update set updated_at = now()`,
  );
});
afterEach(() => lab.close());

const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
  lab.deps.database.withSubscriber<T>({ subscriberId: lab.subscriberId }, work);

async function addPerson(email: string, preferences: object): Promise<string> {
  const id = newId('user');
  const roleId = newId('role');
  await inside(async (tx) => {
    await tx.user.create({ data: { id, userName: id, email, firstName: 'Ana', preferences: toJson(preferences) } });
    await tx.role.create({ data: { id: roleId, name: roleId, permissions: ['webhooks.manage'] } });
    await tx.userRole.create({ data: { userId: id, roleId } });
  });
  return id;
}
const tell = (userId: string, kind: string, data: object, cause?: string) =>
  inside((tx) =>
    tx.notification.create({
      data: { id: newId('notification'), userId, kind, severity: 'Error', data: toJson(data), ...(cause && { cause }) },
    }),
  );
/** As if so much time had passed since everything that was told. */
const later = (time: string) =>
  lab.sql.query(
    `update notifications set created_at = created_at - $1::interval, mailed_at = mailed_at - $1::interval`,
    [time],
  );

/** Passes on what is new and carries it out. */
async function pass(): Promise<void> {
  await keepAlarms(lab.deps);
  const { port } = smtp;
  const hostServer = {
    host: '127.0.0.1',
    port,
    username: '',
    password: null,
    senderEmail: 'a@a.test',
    enableSsl: false,
  };
  const environment = { keepFolder: path.join(lab.folder, 'mail'), allowedHosts: [], hostServer };
  const runs = {
    mail: deliverMail(lab.deps, { keys, environment, title: 'pdf2press', baseUrl: 'https://print.test' }),
    webhook: callAddresses(lab.deps, { keys, allowedHosts: allowedHosts() }),
  };
  await lab.sql.query(`update effects set next_at = now() where state = 'Pending'`);
  await deliverDue(lab.deps, runs, { count: 50, stopped: new AbortController().signal });
}

async function setHook(change: object = {}): Promise<void> {
  const { subscriberId } = lab;
  await inside(async (tx) => {
    const secret = await keepSecret(tx, keys, { subscriberId, purpose: actionSecretPurpose, text: 'very secret' });
    const noticeSettings = { hook: { url: hookUrl(), secret, muted: [], ...change } };
    await tx.systemSetting.deleteMany({});
    await giveSettings(tx, subscriberId, { noticeSettings });
  });
}

test('a mail goes to those who want the kind by mail, once, with what to do and where', async () => {
  const wants = await addPerson('wants@example.com', { mailedNotices: ['effect.dead'] });
  const others = await addPerson('others@example.com', { mailedNotices: ['session.failed'] });
  const mutes = await addPerson('mutes@example.com', { mailedNotices: ['effect.dead'], mutedNotices: ['effect.dead'] });
  for (const id of [wants, others, mutes]) await tell(id, 'mail.dead', { to: 'x@y.test', template: 'reset' });
  await pass();
  expect(smtp.received, 'what begins in the same minute goes together').toEqual([]);
  await later('61 seconds');
  await pass();
  await pass();
  expect(smtp.received.map(({ to }) => to)).toEqual(['wants@example.com']);
  const text = smtp.received[0]?.text ?? '';
  expect(text).toContain('Subject: pdf2press: A message to x@y.test could not be delivered.');
  expect(text).toContain('Check the mail server in the settings');
  expect(text).toContain('https://print.test/settings?tab=mail');
});

test('a storm is one mail, and what follows is one more after ten minutes', async () => {
  const id = await addPerson('ana@example.com', { mailedNotices: ['session.failed'] });
  for (let no = 0; no < 30; no += 1) await tell(id, 'session.failed', { file: `${no}.pdf`, sessionId: `ses_${no}` });
  await later('2 minutes');
  await pass();
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]?.text).toContain('And 10 more.');
  expect(smtp.received[0]?.text).toContain('https://print.test/notification');
  for (let no = 0; no < 3; no += 1) await tell(id, 'session.failed', { file: `late ${no}.pdf`, sessionId: 'ses_x' });
  await later('5 minutes');
  await pass();
  expect(smtp.received).toHaveLength(1);
  await later('6 minutes');
  await pass();
  expect(smtp.received).toHaveLength(2);
  expect(smtp.received[1]?.text).toContain('late 2.pdf');
});

test('what is over before the mail goes is not sent, and a mail that is given up asks for no other', async () => {
  const id = await addPerson('ana@example.com', { mailedNotices: ['session.failed', 'effect.dead'] });
  await tell(id, 'session.failed', { file: 'a.pdf' });
  await lab.sql.query(`update notifications set ended_at = now()`);
  await later('2 minutes');
  await pass();
  expect(smtp.received).toEqual([]);
  smtp.refused.push('ana@example.com');
  await tell(id, 'session.failed', { file: 'b.pdf' });
  await later('2 minutes');
  await pass();
  smtp.refused.length = 0;
  const { rows } = await lab.sql.query(`select kind from notifications where ended_at is null`);
  expect(rows).toEqual([{ kind: 'session.failed' }]);
});

test('the web address is called once for each cause, signed, whatever the number of people told', async () => {
  await setHook({ muted: ['quota'] });
  const people = [await addPerson('a@example.com', {}), await addPerson('b@example.com', {})];
  for (const id of people) {
    await tell(id, 'mail.dead', { to: 'x@y.test', template: 'reset' }, 'eff_1');
    await tell(id, 'quota', { fault: 'quota.sessions', faultParams: { limit: 5 } }, 'sessions');
    await tell(id, 'session.mentioned', { by: 'Ben', file: 'a.pdf' });
  }
  await lab.sql.query(
    `insert into effects (id, subscriber_id, key, kind, payload, state) values ('eff_1', $1, 'x', 'mail', '{}', 'Dead')`,
    [lab.subscriberId],
  );
  await lab.sql.query(`update subscribers set plan = '{"quotas": {"sessionsPerMonth": 1}}'`);
  await pass();
  await tell(await addPerson('c@example.com', {}), 'mail.dead', { to: 'x@y.test', template: 'reset' }, 'eff_1');
  await pass();
  expect(calls).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = calls;
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? [];
  expect(mac).toBe(createHmac('sha256', 'very secret').update(`${seconds}.${body}`).digest('hex'));
  expect(JSON.parse(body)).toEqual({
    event: 'notifications',
    notifications: [
      {
        id: expect.any(String),
        kind: 'effect.dead',
        code: 'mail.dead',
        severity: 'Error',
        message: 'A message to x@y.test could not be delivered.',
        whatToDo: expect.stringMatching(/^Check the mail server/),
        link: 'https://print.test/settings?tab=mail',
        at: expect.stringMatching(/^\d{4}-/),
      },
    ],
  });
});

test('an address that refuses is told at the bell, not to itself, and ends when a call goes through or it is changed', async () => {
  await setHook();
  const id = await addPerson('a@example.com', {});
  status = 410;
  await tell(id, 'work.late', {});
  for (let no = 0; no < 4; no += 1) await pass();
  const open = async () =>
    (await lab.sql.query(`select kind, data from notifications where ended_at is null and kind like 'noticeHook%'`))
      .rows;
  expect(await open()).toEqual([{ kind: 'noticeHook.failing', data: { host: new URL(hookUrl()).host } }]);
  const told = calls.map(({ body }) => body).join();
  expect(told).not.toContain('noticeHook.failing');
  status = 200;
  await pass();
  await keepAlarms(lab.deps);
  expect(await open()).toEqual([]);
  await lab.sql.query(`update effects set state = 'Dead' where kind = 'webhook'`);
  await keepAlarms(lab.deps);
  expect(await open()).toHaveLength(1);
  await setHook({ url: '' });
  await keepAlarms(lab.deps);
  expect(await open()).toEqual([]);
});

test('without an address nothing is kept for one that is set later', async () => {
  await tell(await addPerson('a@example.com', {}), 'work.late', {});
  await pass();
  await setHook();
  await pass();
  expect(calls).toEqual([]);
});

test('a test of the address says how it went, and private addresses are not called', async () => {
  const notice = {
    ...{ id: 'x', kind: 'x', code: 'x', severity: 'Info', message: 'm', whatToDo: null, link: null },
    at: new Date().toISOString(),
  };
  const attempt = (hosts = allowedHosts()) => tryNoticeHook({ url: hookUrl(), secret: 's', notice }, hosts);
  await attempt();
  expect(calls[0]?.headers['x-signature']).toMatch(/^t=/);
  status = 500;
  await expect(attempt()).rejects.toMatchObject({
    problems: [{ code: 'noticeHook.refused', params: { status: 500 } }],
  });
  await expect(attempt([])).rejects.toMatchObject({ problems: [{ code: 'hook.blocked' }] });
});
