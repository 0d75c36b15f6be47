import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MessageEvent, type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { showNotice } from '../../alarms/notice.ts';
import { webhookDisabled } from '../../alarms/of-webhooks.ts';
import { type InstanceKeys, keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { noteNotTaken } from '../../sessions/not-taken.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { startMessageWorker } from '../../testing/message-worker.ts';
import type { RunningWorker } from '../../worker/worker.ts';
import { composeMessages } from '../communication/run.ts';
import { retryEffect } from '../deliver.ts';
import { actionSecretPurpose } from './contract.ts';
import { callAddresses, signatureOf } from './run.ts';
import { webhookEnds } from './standing.ts';
import { sweepSecrets } from './sweep-secrets.ts';

/* The webhooks of a subscriber, with a real worker, a real Postgres and a real receiver. No session here has a profile. */

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const taken: Call[] = [];
let replies: number[] = [];
const receiver: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    taken.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(replies.shift() ?? 200).end('no');
  });
});
const secret = 'a secret of thirty-two letters!!';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let keys: InstanceKeys;
let worker: RunningWorker | undefined;
let port = 0;
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await server.stop();
});

const definition: WorkflowDefinition = workflowDefinitionSchema.parse({
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'end', kind: 'Complete' },
  ],
  edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'end' }],
});

beforeEach(async () => {
  taken.length = 0;
  replies = [];
  lab = await openLab(server, { definition });
  keys = await openInstanceKeys({ dataDir: lab.folder });
  const deps = { ...lab.deps, app: { title: 'House', baseUrl: 'https://print.test' } };
  worker = await startMessageWorker(lab, deps, {
    communication: composeMessages(deps),
    webhook: callAddresses(deps, { keys, allowedHosts: [{ host: '127.0.0.1', port, scheme: 'http' }] }),
  });
});
afterEach(async () => {
  expect(await lab.broken()).toEqual([]);
  await worker?.stop();
  await lab.close();
});

const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1], subscriberId = lab.subscriberId) =>
  lab.deps.database.withSubscriber<T>({ subscriberId }, work);
const keep = (text: string, subscriberId = lab.subscriberId) =>
  inside((tx) => keepSecret(tx, keys, { subscriberId, purpose: actionSecretPurpose, text }), subscriberId);

async function hook(name: string, events: MessageEvent[], subscriberId = lab.subscriberId): Promise<string> {
  const id = newId('webhook');
  const secretId = await keep(secret, subscriberId);
  const url = `http://127.0.0.1:${port}/${name}`;
  await inside((tx) => tx.webhook.create({ data: { id, name, url, events, secretId } }), subscriberId);
  return id;
}
const calls = async () =>
  (
    await lab.sql.query(
      `select id, state::text, attempt, last_error as error, payload ->> 'webhookId' as webhook
         from effects where kind = 'webhook' order by created_at, id`,
    )
  ).rows;
const stand = (states: string[]) =>
  expect.poll(async () => (await calls()).map(({ state }) => state), { timeout: 60_000 }).toEqual(states);
const row = async (id: string) => inside((tx) => tx.webhook.findUniqueOrThrow({ where: { id } }));
const makeDue = () =>
  lab.sql.query(`update effects set next_at = clock_timestamp() where kind = 'webhook' and state = 'Pending'`);
const eventOf = ({ body }: Call): { event: string; at: string } => JSON.parse(body);
const timeOf = ({ headers }: Call): number => Number(/^t=(\d+),/.exec(String(headers['x-signature']))?.[1]) * 1000;

test('every webhook is called once about each of its events, signed, and about no other; no other house is told', async () => {
  const other = await lab.addSubscriber();
  await hook('all', ['Received', 'Completed']);
  await hook('end', ['Completed']);
  await hook('declined', ['ProofDeclined']);
  await hook('stranger', ['Received', 'Completed'], other.subscriberId);
  const id = await lab.hand();
  await lab.settled();
  await stand(['Done', 'Done', 'Done']);
  expect(taken.map((call) => `${call.path} ${eventOf(call).event}`).toSorted()).toEqual([
    '/all Completed',
    '/all Received',
    '/end Completed',
  ]);
  for (const call of taken) {
    expect(call.headers['x-signature']).toBe(signatureOf(secret, call.body, timeOf(call)));
    expect(call.headers['idempotency-key']).toMatch(/^webhook \w+ [0-9a-f]{64}$/);
    expect(JSON.parse(call.body)).toMatchObject({ session: { id }, workflow: { name: 'Test' }, failure: null });
  }
  expect(new Set(taken.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test('a call that is overtaken is made again with its key, and the times in the calls tell the order of the events', async () => {
  await hook('all', ['Received', 'Completed']);
  replies = [503];
  await lab.hand();
  await lab.settled();
  await expect.poll(() => taken.length, { timeout: 60_000 }).toBe(2);
  await expect
    .poll(async () => (await calls()).filter(({ state }) => state === 'Pending').map(({ attempt }) => attempt), {
      timeout: 60_000,
    })
    .toEqual([1]);
  await makeDue();
  await stand(['Done', 'Done']);
  expect(taken).toHaveLength(3);
  expect(taken[2]?.headers['idempotency-key']).toBe(taken[0]?.headers['idempotency-key']);
  expect(taken[2]?.body).toBe(taken[0]?.body);
  const told = taken.map(eventOf).toSorted((one, two) => (one.at < two.at ? -1 : 1));
  expect([...new Set(told.map(({ event }) => event))]).toEqual(['Received', 'Completed']);
});

test('a call whose worker was lost after it had arrived is made once more, with the same key @night', async () => {
  await hook('end', ['Completed']);
  await lab.hand();
  await lab.settled();
  await stand(['Done']);
  // As a worker leaves it that is killed between the answer and its commit.
  await lab.sql.query(
    `update effects set state = 'Sending', done_at = null, lease_until = clock_timestamp() - interval '1 second'
      where kind = 'webhook'`,
  );
  await expect.poll(() => taken.length, { timeout: 60_000 }).toBe(2);
  await stand(['Done']);
  expect(new Set(taken.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('while a secret is rotated both sign, also what waited; afterwards the new one alone, and the old one is removed', async () => {
  const id = await hook('end', ['Completed']);
  replies = [500];
  await lab.hand();
  await lab.settled();
  await expect.poll(async () => (await calls())[0]?.attempt, { timeout: 60_000 }).toBe(1);
  const { secretId: oldSecretId } = await row(id);
  const next = 'another secret of thirty letters';
  const secretId = await keep(next);
  const until = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const rotate = (oldSecretUntil: Date) =>
    inside((tx) => tx.webhook.update({ where: { id }, data: { secretId, oldSecretId, oldSecretUntil } }));
  await rotate(until(1));
  await lab.sql.query(`update secrets set created_at = now() - interval '31 days'`);
  expect(await sweepSecrets(lab.deps)).toBe(0);
  await expect.poll(async () => (await calls())[0]?.state, { timeout: 60_000 }).toBe('Pending');
  await makeDue();
  await stand(['Done']);
  const [, second] = taken;
  if (!second) throw new Error('not called again');
  expect(second.headers['x-signature']).toBe(signatureOf([next, secret], second.body, timeOf(second)));
  expect(second.headers['x-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  await rotate(until(-1));
  await lab.hand();
  await lab.settled();
  await stand(['Done', 'Done']);
  const third = taken[2];
  expect(third?.headers['x-signature']).toBe(third && signatureOf(next, third.body, timeOf(third)));
  expect(await sweepSecrets(lab.deps)).toBe(1);
  expect((await lab.sql.query('select id from secrets')).rows).toEqual([{ id: secretId }]);
});

test('after a day of failures a webhook is off, operators are told, and what waited can be sent when it is on again', async () => {
  const id = await hook('end', ['Completed']);
  await inside((tx) =>
    tx.webhook.update({
      where: { id },
      data: { failures: webhookEnds.failures - 2, failingSince: new Date(Date.now() - 25 * 3_600_000) },
    }),
  );
  const looked = () => inside((tx) => webhookDisabled.look(tx, {} as never));
  replies = [500, 500];
  await lab.hand();
  await lab.settled();
  await expect.poll(async () => (await row(id)).failures, { timeout: 60_000 }).toBe(webhookEnds.failures - 1);
  expect([(await row(id)).isOn, await looked()]).toEqual([true, []]);
  await expect.poll(async () => (await calls())[0]?.state, { timeout: 60_000 }).toBe('Pending');
  await makeDue();
  await expect.poll(async () => (await row(id)).isOn, { timeout: 60_000 }).toBe(false);
  expect(await looked()).toEqual([{ id, params: { name: 'end', host: `127.0.0.1:${port}` } }]);
  await expect.poll(async () => (await calls())[0]?.state, { timeout: 60_000 }).toBe('Pending');
  await makeDue();
  await stand(['Dead']);
  expect((await calls())[0]?.error).toBe('WEBHOOK_OFF');
  expect(taken).toHaveLength(2);
  // That it is off is told once, not by each of its calls; and of what happens meanwhile nothing is recorded.
  expect((await lab.sql.query(`select kind from notifications`)).rows).toEqual([]);
  await lab.hand();
  await lab.settled();
  expect(await calls()).toHaveLength(1);
  await inside((tx) => tx.webhook.update({ where: { id }, data: { isOn: true, disabledAt: null } }));
  const [call] = await calls();
  expect(await inside((tx) => retryEffect(tx, { id: call?.id, kind: 'webhook' }))).toBe(true);
  await stand(['Done']);
  expect(await row(id)).toMatchObject({ failures: 0, failingSince: null });
});

test('failures that are many but young, or old but few, leave it on', async () => {
  const id = await hook('end', ['Completed']);
  const failing = (failures: number, hours: number) =>
    inside((tx) =>
      tx.webhook.update({ where: { id }, data: { failures, failingSince: new Date(Date.now() - hours * 3_600_000) } }),
    );
  await failing(500, 1);
  replies = [500, 500];
  await lab.hand();
  await lab.settled();
  await expect.poll(async () => (await row(id)).failures, { timeout: 60_000 }).toBe(501);
  await expect.poll(async () => (await calls())[0]?.state, { timeout: 60_000 }).toBe('Pending');
  await failing(1, 100);
  await makeDue();
  await expect.poll(async () => (await row(id)).failures, { timeout: 60_000 }).toBe(2);
  expect((await row(id)).isOn).toBe(true);
});

test('a call that is given up is told to who may mend the webhook, and leads to its calls', async () => {
  const id = await hook('end', ['Completed']);
  const { subscriberId } = lab;
  await lab.deps.database.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.create({ data: { id: 'usr_hooks', email: 'h@h.test', userName: 'h', firstName: '', lastName: '' } });
    await tx.role.create({ data: { id: 'rol_hooks', name: 'Hooks', permissions: ['webhooks.manage'] } });
    await tx.userRole.create({ data: { userId: 'usr_hooks', roleId: 'rol_hooks' } });
  });
  replies = [500, 404];
  await lab.hand();
  await lab.settled();
  await expect.poll(async () => (await calls())[0]?.attempt, { timeout: 60_000 }).toBe(1);
  // As if it had been tried for more than a day.
  await lab.sql.query(
    `update effects set next_at = clock_timestamp(), created_at = created_at - interval '25 hours' where kind = 'webhook'`,
  );
  await stand(['Dead']);
  const { rows } = await lab.sql.query(`select kind, user_id as person, data from notifications`);
  expect(rows).toMatchObject([{ kind: 'webhook.dead', person: 'usr_hooks', data: { name: 'end', webhookId: id } }]);
  expect(showNotice('en', rows[0].kind, rows[0].data)).toMatchObject({ kind: 'effect.dead', link: '/webhooks' });
  // One of a communication profile stands in its session.
  const { webhookId: _, ...own } = rows[0].data;
  expect(showNotice('en', 'webhook.dead', own).link).toBe(`/workflows/session/${own.sessionId}`);
});

test('a file that was refused is told without a session', async () => {
  await hook('refused', ['Rejected']);
  await noteNotTaken(lab.deps, lab, {
    workflowId: lab.workflowId,
    kind: 'folder',
    key: 'Größe ☃.txt',
    name: 'Größe ☃.txt',
    size: 12,
    way: 'hotFolder',
    sourceName: 'Flyers',
    state: 'Rejected',
    reason: 'file.notPdf',
    params: {},
  });
  await stand(['Done']);
  expect(JSON.parse(taken[0]?.body ?? '')).toMatchObject({
    event: 'Rejected',
    session: { id: null, sourceName: 'Flyers' },
    file: { originalName: 'Größe ☃.txt', sizeBytes: 12 },
    failure: { code: 'file.notPdf' },
  });
});
