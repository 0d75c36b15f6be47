import { contractMessages, locales } from '@pdf2press/contract';
import { startMailServer } from '@pdf2press/mail/testing';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import type { Room } from '@pdf2press/storage';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { retryEffect } from '../effects/deliver.ts';
import { notifyHolders } from '../effects/notify-holders.ts';
import { noteIntake } from '../sources/inlets.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { giveSettings } from '../testing/settings.ts';
import { alarms } from './catalogue.ts';
import { lookAtCertificates } from './certificates.ts';
import { keepAlarms } from './keep-alarms.ts';
import { noticeKinds, showNotice } from './notice.ts';
import { noteBackup } from './of-house.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let admin: string;
let operator: string;
let room: Room;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
  room = { freeBytes: 50, totalBytes: 100 };
  admin = await addPerson([
    'settings.smtp.manage',
    'inboundEmail.view',
    'cloudStorage.view',
    'sftpServer.view',
    'workflows.view',
  ]);
  operator = await addPerson(['sessions.restart']);
  await lab.sql.query(`insert into host_facts (key, value) values ('host.administrators', $1), ('pump', '{}')`, [
    JSON.stringify([admin]),
  ]);
});
afterEach(() => lab.close());

const context = () => ({ subscriberId: lab.subscriberId });

async function addPerson(permissions: string[], subscriberId = lab.subscriberId): Promise<string> {
  const id = newId('user');
  const roleId = newId('role');
  await lab.deps.database.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.create({ data: { id, userName: id, email: `${id.toLowerCase()}@example.com` } });
    await tx.role.create({ data: { id: roleId, name: roleId, permissions } });
    await tx.userRole.create({ data: { userId: id, roleId } });
  });
  return id;
}

/** Looks for alarms with the room that the test says; resolves to `kind person` of what is open then. */
async function open(): Promise<string[]> {
  const storage = { ...lab.deps.storage, room: async () => room };
  await keepAlarms({ ...lab.deps, storage });
  const { rows } = await lab.sql.query<{ kind: string; person: string }>(
    'select kind, user_id as person from notifications where ended_at is null order by kind',
  );
  return rows.map(
    ({ kind, person }) => `${kind} ${person === admin ? 'admin' : person === operator ? 'operator' : person}`,
  );
}
const ended = async () =>
  (await lab.sql.query('select kind from notifications where ended_at is not null and read_at is not null')).rows
    .length;

/** A connection whose only source has failed for so many minutes. */
async function failingSource(kind: string, minutes: number, fault: string): Promise<string> {
  const connectionId = newId('profile');
  await lab.deps.database.withSubscriber(context(), (tx) =>
    tx.profile.create({ data: { id: connectionId, kind, name: `A ${kind}`, currentNo: 1 } }),
  );
  await lab.sql.query(
    `insert into inlets (id, subscriber_id, workflow_id, connection_id, kind, place, failing_since, error_code, error_params)
     values ($1, $2, $3, $4, 'x', 'x', now() - make_interval(mins => $5), $6, '{"host": "mail.example"}')`,
    [connectionId, lab.subscriberId, lab.workflowId, connectionId, minutes, fault],
  );
  return connectionId;
}

test('nothing is told of an installation that is well', async () => {
  await noteIntake(lab.deps);
  await lab.deps.database.asHost((tx) => noteBackup(tx, { isGood: true }));
  expect(await open()).toEqual([]);
});

test('a mailbox that fails is told once to those who see mailboxes, and ends by itself when it is read again', async () => {
  const id = await failingSource('inboundEmail', 11, 'source.hostUnknown');
  expect(await open()).toEqual(['mailbox.failing admin']);
  expect(await open()).toEqual(['mailbox.failing admin']);
  const { rows } = await lab.sql.query('select kind, data from notifications');
  expect(showNotice('en', rows[0].kind, rows[0].data)).toEqual({
    kind: 'mailbox.failing',
    message:
      'Mailbox “A inboundEmail” cannot be read. The name of the server mail.example is not known. Check how it is written.',
    whatToDo: 'Check its server, user name and password there, and test the connection.',
    link: `/email/edit/${id}`,
  });
  await lab.sql.query('update inlets set failing_since = null, error_code = null');
  expect(await open()).toEqual([]);
  expect(await ended()).toBe(1);
  await lab.sql.query(`update inlets set failing_since = now() - interval '1 h', error_code = 'source.denied'`);
  expect(await open(), 'what begins again is told again').toEqual(['mailbox.failing admin']);
});

test('a short failure of a mailbox is not told, a missing sign-in at once', async () => {
  await failingSource('inboundEmail', 5, 'source.unreachable');
  await failingSource('cloudStorage', 1, 'source.signInNeeded');
  expect(await open()).toEqual(['cloud.signInMissing admin']);
  await lab.sql.query(`update inlets set error_code = 'source.signInNeeded'`);
  expect(await open()).toEqual(['cloud.signInMissing admin', 'mailbox.signInMissing admin']);
  await lab.sql.query(`update inlets set error_code = 'source.unreachable', failing_since = now() - interval '1 h'`);
  expect(await open()).toEqual(['cloud.failing admin', 'mailbox.failing admin']);
});

test('a server of SFTP that fails is told with the way to its form', async () => {
  const id = await failingSource('sftpServer', 11, 'source.denied');
  expect(await open()).toEqual(['sftp.failing admin']);
  const { rows } = await lab.sql.query('select kind, data from notifications');
  expect(showNotice('en', rows[0].kind, rows[0].data)?.link).toBe(`/sftp-servers/edit/${id}`);
  await lab.sql.query('update inlets set failing_since = null, error_code = null');
  expect(await open()).toEqual([]);
});

test('a hot folder that fails is told with its workflow', async () => {
  await failingSource('x', 20, 'source.failed');
  await lab.sql.query('update inlets set connection_id = null');
  expect(await open()).toEqual(['hotFolder.failing admin']);
  await lab.sql.query('update workflows set is_enabled = false');
  expect(await open()).toEqual([]);
});

test('many failures of one workflow are one notification with the present number, and end when most go well', async () => {
  const ids = [];
  for (let no = 0; no < 6; no += 1) ids.push(await lab.hand());
  const fail = (list: string[]) =>
    lab.sql.query(`update sessions set status = 'Failed', finished_at = now() where id = any ($1)`, [list]);
  await fail(ids.slice(0, 4));
  expect(await open()).toEqual([]);
  await fail(ids.slice(4, 5));
  expect(await open()).toEqual(['files.failing operator']);
  await fail(ids.slice(5));
  expect(await open()).toEqual(['files.failing operator']);
  const { rows } = await lab.sql.query('select data from notifications');
  expect(rows).toMatchObject([{ data: { id: lab.workflowId, count: 6 } }]);
  await lab.sql.query(`update sessions set created_at = now() - interval '3 hours'`);
  expect(await open()).toEqual([]);
});

test('messages that the mail server refuses are told with their number', async () => {
  const mails = (attempt: number) =>
    lab.sql.query(
      `insert into effects (id, subscriber_id, key, kind, payload, attempt) values ($1, $2, $1, 'mail', '{}', $3)`,
      [newId('effect'), lab.subscriberId, attempt],
    );
  await mails(2);
  expect(await open()).toEqual([]);
  await mails(3);
  expect(await open()).toEqual(['mail.refused admin']);
  await lab.sql.query(`update effects set state = 'Done', done_at = now()`);
  expect(await open()).toEqual([]);
});

test('the installation’s troubles are told to its administrators only', async () => {
  const fact = (key: string, age: string) =>
    lab.sql.query(
      `insert into host_facts (key, value, updated_at) values ($1, '{}', now() - $2::interval)
       on conflict (key) do update set updated_at = excluded.updated_at`,
      [key, age],
    );
  await fact('pump', '3 minutes');
  await fact('intake', '3 minutes');
  room = { freeBytes: 14, totalBytes: 100 };
  await lab.deps.database.asHost((tx) => noteBackup(tx, { isGood: false }));
  const other = await lab.addSubscriber();
  await addPerson(['settings.general.manage'], other.subscriberId);
  expect(await open()).toEqual(['backup.failed admin', 'intake.gone admin', 'room.low admin', 'worker.gone admin']);
  await fact('pump', '0');
  await fact('intake', '0');
  room = { freeBytes: 15, totalBytes: 100 };
  await lab.deps.database.asHost((tx) => noteBackup(tx, { isGood: true }));
  expect(await open()).toEqual([]);
  await lab.sql.query(
    `update host_facts set value = jsonb_set(value, '{goodAt}', to_jsonb(now() - interval '73 hours')) where key = 'backup'`,
  );
  expect(await open()).toEqual(['backup.late admin']);
  await lab.deps.database.asHost((tx) => noteBackup(tx, { isGood: false }));
  expect(await open(), 'a failed one does not make the last good one younger').toEqual(['backup.failed admin']);
});

test('a step that waits for long is told as late work, but not beside a missing worker', async () => {
  const id = await lab.hand();
  await lab.sql.query(`update step_runs set ready_at = now() - interval '16 minutes' where session_id = $1`, [id]);
  expect(await open()).toEqual(['work.late admin']);
  await lab.sql.query(`update host_facts set updated_at = now() - interval '1 h' where key = 'pump'`);
  expect(await open()).toEqual(['worker.gone admin']);
});

test('who loses the permission, or leaves, is told no more', async () => {
  await failingSource('inboundEmail', 11, 'source.denied');
  expect(await open()).toHaveLength(1);
  await lab.sql.query('update users set is_active = false where id = $1', [admin]);
  expect(await open()).toEqual([]);
});

test('what was given up is told once, and ends when it is tried again or by a later one', async () => {
  const sessionId = await lab.hand();
  const die = async (kind: string) => {
    const id = newId('effect');
    await lab.sql.query(
      `insert into effects (id, subscriber_id, key, kind, payload, state, session_id) values ($1, $2, $1, $3, '{}', 'Dead', $4)`,
      [id, lab.subscriberId, kind, sessionId],
    );
    await lab.deps.database.withSubscriber(context(), async (tx) => {
      const told = { kind: `${kind}.dead`, data: { file: 'a.pdf', sessionId }, cause: id };
      await notifyHolders(tx, 'settings.smtp.manage', told);
      await notifyHolders(tx, 'settings.smtp.manage', told);
    });
    return id;
  };
  const mail = await die('mail');
  await die('archive');
  expect(await open()).toEqual(['archive.dead admin', 'mail.dead admin']);
  await lab.deps.database.withSubscriber(context(), (tx) => retryEffect(tx, { id: mail, kind: 'mail' }));
  const { rows } = await lab.sql.query(`select ended_at is null as open from notifications where kind = 'mail.dead'`);
  expect(rows, 'at once, not only when somebody looks').toEqual([{ open: false }]);
  await lab.sql.query(
    `insert into effects (id, subscriber_id, key, kind, payload, state, session_id, created_at)
     values ('eff_later', $1, 'later', 'archive', '{}', 'Done', $2, now() + interval '1 s')`,
    [lab.subscriberId, sessionId],
  );
  expect(await open()).toEqual([]);
});

test('the certificate of a mail server is told 30 days ahead and again with 7 left, to whom the server belongs', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const know = (days: number) => {
    const of = { until: inDays(days), readAt: inDays(0) };
    const value = {
      servers: { 'mail.a.example:465': of, 'mail.house.example:587': of },
      house: 'mail.house.example:587',
    };
    return lab.sql.query(
      `insert into host_facts (key, value) values ('mail.certificates', $1) on conflict (key) do update set value = excluded.value`,
      [JSON.stringify(value)],
    );
  };
  await lab.deps.database.withSubscriber(context(), (tx) =>
    giveSettings(tx, lab.subscriberId, { smtpSettings: { host: 'Mail.A.example' } }),
  );
  await know(31);
  expect(await open()).toEqual([]);
  await know(29);
  const both = ['mail.certificateEnding admin', 'mail.houseCertificateEnding admin'];
  expect(await open()).toEqual(both);
  await know(6);
  expect(await open()).toEqual(both);
  const { rows } = await lab.sql.query(
    `select severity, data, ended_at is null as open from notifications where kind = 'mail.certificateEnding' order by created_at`,
  );
  expect(rows.map(({ severity, open: isOpen }) => [severity, isOpen])).toEqual([
    ['Warning', false],
    ['Error', true],
  ]);
  expect(rows[1].data).toEqual({ host: 'mail.a.example', day: inDays(6).slice(0, 10) });
  await know(90);
  expect(await open()).toEqual([]);
});

test('certificates are read once a day; of a server that does not answer what was known stays', async () => {
  const smtp = await startMailServer();
  const hostServer = {
    host: '127.0.0.1',
    port: smtp.port,
    username: '',
    password: null,
    senderEmail: '',
    enableSsl: true,
  };
  const environment = { keepFolder: '', allowedHosts: [], hostServer };
  const name = `127.0.0.1:${smtp.port}`;
  const kept = async () =>
    (await lab.sql.query(`select value from host_facts where key = 'mail.certificates'`)).rows[0]?.value;
  // This one does not encrypt.
  await lookAtCertificates(lab.deps, environment);
  expect(await kept()).toEqual({ servers: {}, house: name });
  const of = { until: '2030-01-01T00:00:00.000Z', readAt: '2020-01-01T00:00:00.000Z' };
  await lab.sql.query(`update host_facts set value = $1 where key = 'mail.certificates'`, [
    JSON.stringify({ servers: { [name]: of, 'gone.example:465': of }, house: null }),
  ]);
  await lookAtCertificates(lab.deps, environment);
  expect(await kept()).toEqual({ servers: { [name]: of }, house: name });
  await smtp.stop();
});

test('two processes that look at the same time tell once', async () => {
  await failingSource('inboundEmail', 11, 'source.denied');
  await Promise.all(Array.from({ length: 6 }, () => open()));
  expect((await lab.sql.query('select 1 from notifications')).rows).toHaveLength(1);
});

test('every kind has a sentence, what to do and a name in each language', () => {
  for (const locale of locales) {
    const words = contractMessages[locale];
    for (const [kind] of alarms) {
      const shown = showNotice(locale, kind, { id: 'x', name: 'x', count: 1, percent: 1 });
      expect(shown.message, `${locale} ${kind}`).not.toBe(kind);
      expect(shown.whatToDo, `${locale} ${kind}`).toBeTruthy();
      expect(shown.link, kind).toMatch(/^\/[a-z]/);
    }
    for (const { kind } of noticeKinds) expect(words[`noticeKind.${kind}`], `${locale} ${kind}`).toBeTruthy();
  }
});
