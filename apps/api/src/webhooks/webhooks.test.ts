import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AuditEntry, mostWebhooks, type RouteResult, type routes } from '@pdf2press/contract';
import { enqueueEffect } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Made = RouteResult<typeof routes.webhooks.create>;
type List = RouteResult<typeof routes.webhooks.list>;
type Calls = RouteResult<typeof routes.webhooks.calls>;

const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
const receiver: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    taken.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status).end();
  });
});

let lab: Lab;
let ana: SignedIn;
let clerk: SignedIn;
let stranger: SignedIn;
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
  lab = await startLab({ variables: { OUTBOUND_ALLOWED_HOSTS: `http://127.0.0.1:${port}` } });
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  clerk = await lab.signIn(await lab.makePerson(subscriberId, 'clerk@example.com', ['settings.view', 'sessions.view']));
  const away = await lab.makeSubscriber('Other Print');
  stranger = await lab.signIn(await lab.makeAdministrator(away, 'stranger@example.com'));
});
afterAll(async () => {
  await lab.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

const body = (more: object = {}) => ({
  name: 'Orders',
  url: `http://127.0.0.1:${port}/events`,
  events: ['Completed', 'Failed', 'Completed'],
  ...more,
});
const make = (more: object = {}, as = ana) => lab.call<Made>('POST', '/webhooks', { as, body: body(more) });
const list = async (as = ana) => lab.call<List>('GET', '/webhooks', { as });
const codeOf = ({ envelope }: { envelope: { errors: { code: string }[] } }) => envelope.errors[0]?.code;
const signed = (secret: string, { headers, body: sent }: (typeof taken)[number]): boolean => {
  const [time = '', ...signatures] = String(headers['x-signature']).split(',');
  const own = createHmac('sha256', secret)
    .update(`${time.slice(2)}.${sent}`)
    .digest('hex');
  return signatures.includes(`v1=${own}`);
};

test('a secret is shown once; rotated, both sign until the old one ends, or it ends at once', async () => {
  const { result, statusCode } = await make();
  expect(statusCode).toBe(201);
  expect(result).toMatchObject({ name: 'Orders', events: ['Completed', 'Failed'], isOn: true, oldSecretUntil: null });
  expect(result.secret).toMatch(/^p2w_[\w-]{43}$/);
  const { id, secret } = result;
  expect((await list()).body).not.toContain(secret);
  const tryIt = () => lab.call('POST', `/webhooks/${id}/test`, { as: ana });
  const last = () => taken.at(-1) ?? { headers: {}, body: '' };
  expect((await tryIt()).statusCode).toBe(200);
  expect(JSON.parse(last().body)).toMatchObject({ event: 'Completed', isTest: true });
  expect(signed(secret, last())).toBe(true);

  const rotate = async (overlapHours: number) =>
    (await lab.call<Made>('POST', `/webhooks/${id}/rotate`, { as: ana, body: { overlapHours } })).result;
  const second = await rotate(24);
  expect(second.secret).not.toBe(secret);
  const hours = (new Date(second.oldSecretUntil ?? '').getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
  await tryIt();
  expect([secret, second.secret].map((each) => signed(each, last()))).toEqual([true, true]);

  const third = await rotate(0);
  expect(third.oldSecretUntil).toBeNull();
  await tryIt();
  expect([secret, second.secret, third.secret].map((each) => signed(each, last()))).toEqual([false, false, true]);
  // Of the secrets that ended nothing is left.
  const left = await lab.deps.db.asHost((tx) => tx.secret.count({ where: { subscriberId: ana.subscriberId } }));
  expect(left).toBe(1);

  status = 410;
  const refused = await tryIt();
  status = 200;
  expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'noticeHook.refused']);
  expect((await lab.call('DELETE', `/webhooks/${id}`, { as: ana })).statusCode).toBe(200);
  expect((await tryIt()).statusCode).toBe(404);
  expect(await lab.deps.db.asHost((tx) => tx.secret.count({ where: { subscriberId: ana.subscriberId } }))).toBe(0);
  const { result: audit } = await lab.call<{ items: AuditEntry[] }>('GET', '/audit?kind=webhook', { as: ana });
  expect([...new Set(audit.items.map(({ act }) => act))].toSorted()).toEqual(
    ['webhook.create', 'webhook.remove', 'webhook.rotate', 'webhook.test'].toSorted(),
  );
  expect(JSON.stringify(audit)).not.toMatch(/p2w_/);
});

test('calls are listed with what became of them, and what was given up is made again; one on a closed network is blocked', async () => {
  const { id } = (await make({ name: 'Log' })).result;
  const { subscriberId } = ana;
  const record = (key: string) =>
    lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
      enqueueEffect(tx, {
        kind: 'webhook',
        key,
        payload: {
          ...{
            url: 'https://mis.example/',
            method: 'POST',
            headers: [],
            body: '{}',
            secretId: '',
            authorizationId: '',
          },
          ...{ paths: [], maxTries: null, webhookId: id },
          told: { name: 'Log', event: 'Completed', subject: `“${key}” is done`, text: '' },
        },
      }),
    );
  for (const key of ['one', 'two', 'three']) await record(key);
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    const dead = { state: 'Dead' as const, attempt: 4, lastError: 'ACTION_REFUSED 500 no' };
    await tx.effect.updateMany({ where: { key: { in: ['one', 'two'] } }, data: dead });
    const done = { state: 'Done' as const, attempt: 1, remoteRef: '204', doneAt: new Date() };
    await tx.effect.updateMany({ where: { key: 'three' }, data: done });
  });
  const calls = async (as = ana) => lab.call<Calls>('GET', `/webhooks/${id}/calls`, { as });
  const states = async () => (await calls()).result.map(({ subject, state }) => `${subject} ${state}`);
  expect((await calls()).result[0]).toMatchObject({ state: 'taken', status: 204, tries: 1, lastError: null });
  expect((await calls()).result[2]).toMatchObject({ state: 'failed', tries: 4 });
  // Why a call was given up is told in the reader's language.
  const [, refused, oldest] = (await calls()).result;
  expect([refused, oldest].map((call) => call?.lastError)).toEqual(
    Array(2).fill('mis.example refused the call with status 500. no'),
  );
  // All of them as a file, also those that the list has no room for.
  for (let no = 0; no < 120; no += 1) await record(`=more ${no}`);
  const exported = (as = ana) => lab.call('GET', `/webhooks/${id}/calls/export.csv`, { as });
  expect((await exported(stranger)).statusCode).toBe(404);
  const lines = (await exported()).body.slice(1).trim().split('\r\n');
  expect(lines[0]?.split(',').slice(0, 5)).toEqual(['id', 'event', 'sessionId', 'subject', 'state']);
  expect([lines.length - 1, (await calls()).result.length]).toEqual([123, 100]);
  expect(lines.slice(-3).map((line) => line.split(',').slice(3, 6))).toEqual([
    ['“three” is done', 'taken', '1'],
    ['“two” is done', 'failed', '4'],
    ['“one” is done', 'failed', '4'],
  ]);
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.effect.deleteMany({ where: { key: { startsWith: '=more' } } }),
  );
  const retry = (callId: string | undefined, as = ana) =>
    lab.call('POST', `/webhooks/${id}/calls/${callId}/retry`, { as });
  expect((await retry(oldest?.id, stranger)).statusCode).toBe(404);
  expect((await retry(oldest?.id)).statusCode).toBe(200);
  expect((await retry(oldest?.id)).statusCode, 'it waits already').toBe(404);
  expect(await states()).toEqual(['“three” is done taken', '“two” is done failed', '“one” is done waiting']);
  const all = await lab.call<{ count: number }>('POST', `/webhooks/${id}/retry`, { as: ana });
  expect(all.result).toEqual({ count: 1 });
  expect(await states()).toEqual(['“three” is done taken', '“two” is done waiting', '“one” is done waiting']);

  const inner = (await make({ name: 'Inner', url: 'https://10.0.0.1/' })).result;
  const blocked = await lab.call('POST', `/webhooks/${inner.id}/test`, { as: ana });
  expect([blocked.statusCode, codeOf(blocked)]).toEqual([422, 'hook.blocked']);
});

test('one that is off stays off until it is switched on, which gives it a new start', async () => {
  const { id } = (await make({ name: 'Off' })).result;
  const { subscriberId } = ana;
  await lab.deps.db.withSubscriber({ subscriberId }, (tx) =>
    tx.webhook.update({
      where: { id },
      data: { isOn: false, disabledAt: new Date(), failures: 31, failingSince: new Date() },
    }),
  );
  const read = async () => (await list()).result.find((one) => one.id === id);
  expect(await read()).toMatchObject({ isOn: false, failures: 31, disabledAt: expect.any(String) });
  const saved = await lab.call('PUT', `/webhooks/${id}`, { as: ana, body: body({ name: 'Off', isOn: true }) });
  expect(saved.statusCode).toBe(200);
  expect(await read()).toMatchObject({ isOn: true, failures: 0, failingSince: null, disabledAt: null });
});

test('it takes its own permission, nobody reaches that of another house, and their number is bounded', async () => {
  const { id } = (await make({ name: 'Walls' })).result;
  const ways = [
    ['PUT', `/webhooks/${id}`, body()],
    ['DELETE', `/webhooks/${id}`],
    ['POST', `/webhooks/${id}/rotate`, { overlapHours: 0 }],
    ['POST', `/webhooks/${id}/test`],
    ['GET', `/webhooks/${id}/calls`],
    ['POST', `/webhooks/${id}/retry`],
  ] as const;
  for (const [method, path, sent] of ways) {
    const as = (who: SignedIn) => lab.call(method, path, { as: who, ...(sent && { body: sent }) });
    expect((await as(clerk)).statusCode, `${method} ${path}`).toBe(403);
    expect((await as(stranger)).statusCode, `${method} ${path}`).toBe(404);
  }
  expect((await list(clerk)).statusCode).toBe(403);
  expect((await list(stranger)).result).toEqual([]);
  for (const wrong of [{ url: 'ftp://mis.example' }, { events: [] }, { events: ['Printed'] }, { name: ' ' }])
    expect((await make(wrong)).statusCode, JSON.stringify(wrong)).toBe(400);
  const there = (await list()).result.length;
  for (let at = there; at < mostWebhooks; at++) expect((await make({ name: `Hook ${at}` })).statusCode).toBe(201);
  const one = await make({ name: 'One more' });
  expect([one.statusCode, codeOf(one)]).toEqual([409, 'webhook.tooMany']);
});
