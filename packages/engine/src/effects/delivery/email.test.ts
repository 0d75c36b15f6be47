import { startMailServer, type TestMailServer } from '@pdf2press/mail/testing';
import { newId, toJson } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { patient } from '../../testing/in-lab.ts';
import { chain, type Lab, openLab } from '../../testing/lab.ts';
import { startProcess, type WorkerProcess } from '../../testing/processes.ts';
import { noteBounces } from '../mail/bounce.ts';
import { resendDelivery } from './resend.ts';

/* Deliveries by e-mail, with real workers, a real Postgres and a real mail server whose messages are read. */

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let mails: TestMailServer;
beforeAll(async () => {
  server = await startTestPostgres();
  mails = await startMailServer();
});
afterAll(async () => {
  await mails.stop();
  await server.stop();
});

let started: WorkerProcess[] = [];
let lab: Lab;
beforeEach(async () => {
  started = [];
  mails.received = [];
  mails.refused = [];
  lab = await openLab(server);
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await lab.close();
});

function start(options: Parameters<typeof startProcess>[1] = {}) {
  const one = startProcess(lab, { timing: patient, deliveryRoot: lab.folder, smtpPort: mails.port, ...options });
  started.push(one);
  return one;
}

const usual = { kind: 'email', to: 'press@house.test, Carla@customer.test', subject: 'Job {{file.name}}' };

/** A house whose workflow delivers its result by e-mail. */
async function deliverTo(settings: object = {}): Promise<string> {
  const targetId = newId('profile');
  await lab.deps.database.withSubscriber(lab, async (tx) => {
    await tx.profile.create({ data: { id: targetId, kind: 'delivery', name: 'Customer' } });
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: targetId, no: 1, settings: toJson({ ...usual, ...settings }) },
    });
  });
  const deliveries = [{ targetId, name: '{{file.baseName}} job' }];
  await lab.sql.query(`alter table workflow_versions disable trigger immutable`);
  await lab.sql.query(`update workflow_versions set definition = $1`, [
    JSON.stringify(chain(['Inject', 'Complete'], { 1: { deliveries } })),
  ]);
  return lab.hand();
}
const effect = async () =>
  (await lab.sql.query(`select id, state::text, remote_ref, answer, progress from effects where kind = 'delivery'`))
    .rows[0];
const ended = (state: string) => expect.poll(async () => (await effect())?.state, { timeout: 60_000 }).toBe(state);
const hurry = () =>
  lab.sql.query(
    `update effects set next_at = now(), lease_until = now() - interval '1 s' where state in ('Pending', 'Sending')`,
  );
const to = () => mails.received.map((one) => one.to).sort();
const idOf = ({ text }: { text: string }) => /^Message-ID: (.*)$/im.exec(text)?.[1];

test('a small file goes along to each recipient, and the session tells to whom', async () => {
  start();
  await deliverTo({ text: 'For {{workflow.name}}' });
  await ended('Done');
  expect(to()).toEqual(['carla@customer.test', 'press@house.test']);
  const [{ text: raw = '' } = {}] = mails.received;
  expect(raw).toContain('Subject: Job test job.pdf');
  expect(raw).toContain('For Test');
  expect(raw).toMatch(/Content-Disposition: attachment; filename="?test job\.pdf/);
  expect(raw).toMatch(/^To: press@house\.test, carla@customer\.test$/m);
  expect(new Set(mails.received.map(idOf)).size).toBe(2);
  expect((await effect()).answer).toEqual({ address: 'press@house.test, carla@customer.test' });
  expect(await lab.broken()).toEqual([]);
});

test('a large file stays here, and one link leads to it, of which only the hash is stored', async () => {
  start();
  await deliverTo({ attachUpToMb: 0, linkDays: 3 });
  await ended('Done');
  const links = mails.received.map(
    ({ text }) => /https:\/\/print\.test\/delivered\/[A-Za-z0-9_-]{43}/.exec(text.replace(/=\r\n/g, ''))?.[0],
  );
  expect(links[0]).toBeDefined();
  expect(new Set(links).size).toBe(1);
  expect(mails.received[0]?.text).not.toContain('Content-Disposition: attachment');
  const { rows } = await lab.sql.query(
    `select name, extract(day from expires_at - created_at)::int as days, encode(link_hash, 'hex') as hash from file_links`,
  );
  expect(rows).toEqual([{ name: 'test job.pdf', days: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const secret = links[0]?.split('/').at(-1) ?? '';
  const stored = await lab.sql.query(
    `select effects::text as row from effects union all select file_links::text from file_links`,
  );
  expect(JSON.stringify(stored.rows)).not.toContain(secret);
});

test('a worker killed after some were written to writes to the others, and to nobody twice @night', async () => {
  await deliverTo();
  expect(await start({ failpoints: 'afterProgress:kill' }).ended).toBe('SIGKILL');
  expect(to()).toEqual(['press@house.test']);
  await hurry();
  start();
  await ended('Done');
  expect(to()).toEqual(['carla@customer.test', 'press@house.test']);
});

test('a recipient whom the server refuses is told; sent again by hand, only they are written to', async () => {
  mails.refused = ['carla@customer.test'];
  start();
  const sessionId = await deliverTo();
  await ended('Dead');
  const { answer, id } = await effect();
  expect(answer).toMatchObject({ code: 'delivery.mailRefused', target: 'Customer' });
  expect(to()).toEqual(['press@house.test']);
  mails.refused = [];
  await lab.deps.database.withSubscriber(lab, (tx) => resendDelivery(tx, { sessionId, id }));
  await ended('Done');
  expect(to()).toEqual(['carla@customer.test', 'press@house.test']);
});

test('a message that comes back gives the delivery up and tells it; sent again, it goes to that recipient alone', async () => {
  const { mailId } = await lab.deps.database.withSubscriber(lab, async (tx) => {
    const [userId, roleId] = [newId('user'), newId('role')];
    const named = { email: 'desk@example.com', userName: 'desk', firstName: '', lastName: '' };
    await tx.user.create({ data: { id: userId, ...named } });
    await tx.role.create({ data: { id: roleId, name: 'Desk', permissions: ['delivery.view'] } });
    await tx.userRole.create({ data: { userId, roleId } });
    return { mailId: userId };
  });
  start();
  const sessionId = await deliverTo();
  await ended('Done');
  const { id } = await effect();
  const messageId = idOf(mails.received.find((one) => one.to === 'carla@customer.test') ?? { text: '' })?.trim() ?? '';
  expect(messageId).toMatch(new RegExp(`^<${id}\\.[0-9a-f]+@pdf2press>$`));
  const bounce = { messageId, addresses: ['Carla@customer.test'], said: '5.1.1 no such mailbox', at: new Date() };
  for (const wrong of [
    { addresses: ['somebody@else.test'] },
    { messageId: '<eff_nothing.00@pdf2press>' },
    // Of an earlier time: it was sent again since.
    { at: new Date(Date.now() - 86_400_000) },
  ])
    expect(await noteBounces(lab.deps, lab, [{ ...bounce, ...wrong }])).toBe(0);
  expect(await noteBounces(lab.deps, { subscriberId: newId('subscriber') }, [bounce])).toBe(0);
  expect((await effect()).state).toBe('Done');

  expect(await noteBounces(lab.deps, lab, [bounce])).toBe(1);
  // Read again, as after a crash.
  expect(await noteBounces(lab.deps, lab, [bounce])).toBe(0);
  expect(await effect()).toMatchObject({
    state: 'Dead',
    answer: {
      code: 'delivery.mailReturned',
      params: { to: 'carla@customer.test', text: '5.1.1 no such mailbox' },
      target: 'Customer',
    },
    progress: { sentTo: ['press@house.test'] },
  });
  const { rows } = await lab.sql.query(
    `select kind::text, data from session_events where session_id = $1 and kind in ('Delivered', 'DeliveryFailed') order by seq`,
    [sessionId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['Delivered', 'DeliveryFailed']);
  const notices = await lab.deps.database.withSubscriber(lab, (tx) => tx.notification.findMany());
  expect(notices).toMatchObject([{ userId: mailId, kind: 'delivery.dead', data: { target: 'Customer', sessionId } }]);

  mails.received = [];
  await lab.deps.database.withSubscriber(lab, (tx) => resendDelivery(tx, { sessionId, id }));
  await ended('Done');
  expect(to()).toEqual(['carla@customer.test']);
  expect(await lab.broken()).toEqual([]);
});

test.each([
  [{ to: '{{order.id}}' }, 'delivery.noRecipient'],
  [{ to: 'press@house.test, nobody' }, 'delivery.noRecipient'],
])('with recipients %j nobody is written to', async (settings, code) => {
  start();
  await deliverTo(settings);
  await ended('Dead');
  expect((await effect()).answer).toMatchObject({ code });
  expect(mails.received).toEqual([]);
});

test('without a mail server the delivery says so', async () => {
  const one = startProcess(lab, { timing: patient, deliveryRoot: lab.folder });
  started.push(one);
  await deliverTo();
  await ended('Dead');
  expect((await effect()).answer).toMatchObject({ code: 'delivery.noMailServer' });
});
