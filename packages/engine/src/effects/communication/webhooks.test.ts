import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { noteNotTaken } from '../../sessions/not-taken.ts';
import { type Lab, openLab } from '../../testing/lab.ts';
import { startMessageWorker } from '../../testing/message-worker.ts';
import type { RunningWorker } from '../../worker/worker.ts';
import { retryEffect } from '../deliver.ts';
import { actionSecretPurpose } from '../webhook/contract.ts';
import { callAddresses, signatureOf } from '../webhook/run.ts';
import { composeMessages } from './run.ts';

/* Programs that a communication profile calls about events, with a real worker, a real Postgres and a real receiver. */

const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
let replies: number[] = [];
const receiver: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    taken.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(replies.shift() ?? 200).end('no');
  });
});
const secret = 'a secret of thirty-two letters!!';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
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
beforeEach(() => {
  taken.length = 0;
  replies = [];
});
afterEach(async () => {
  expect(await lab.broken()).toEqual([]);
  await worker?.stop();
  await lab.close();
});

const definition: WorkflowDefinition = workflowDefinitionSchema.parse({
  communicationProfileId: 'prf_told',
  steps: [
    { id: 'inject', kind: 'Inject' },
    { id: 'end', kind: 'Complete' },
  ],
  edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'end' }],
});

/** A lab whose profile calls the receiver about these events, with quiet hours that hold all day. */
async function open(about: string[], events: object): Promise<void> {
  lab = await openLab(server, { definition });
  const keys = await openInstanceKeys({ dataDir: lab.folder });
  const { subscriberId } = lab;
  const secretId = await lab.deps.database.withSubscriber({ subscriberId }, (tx) =>
    keepSecret(tx, keys, { subscriberId, purpose: actionSecretPurpose, text: secret }),
  );
  const settings = communicationProfileSchema.parse({
    quietHours: { isOn: true, from: '00:00', until: '23:59' },
    webhooks: [{ name: 'Orders', url: `http://127.0.0.1:${port}/events`, secretId, events: about }],
    events,
  });
  const profile = { id: 'prf_told', kind: 'communication', name: 'Told', version: 1, settings };
  await lab.sql.query(`alter table workflow_versions disable trigger immutable`);
  await lab.sql.query(`update workflow_versions set profiles = $1::jsonb`, [JSON.stringify({ prf_told: profile })]);
  const deps = { ...lab.deps, app: { title: 'House', baseUrl: 'https://print.test' } };
  worker = await startMessageWorker(lab, deps, {
    communication: composeMessages(deps),
    webhook: callAddresses(deps, { keys, allowedHosts: [{ host: '127.0.0.1', port, scheme: 'http' }] }),
  });
}
const calls = async () =>
  (await lab.sql.query(`select id, state::text, attempt, session_id, payload from effects where kind = 'webhook'`))
    .rows;
const stand = (states: string[]) =>
  expect.poll(async () => (await calls()).map(({ state }) => state), { timeout: 60_000 }).toEqual(states);

test('a program is called once about an event, signed, whether mail is on or not and whatever the hour', async () => {
  await open(['Completed'], { Received: { isOn: false }, Completed: { isOn: false } });
  const id = await lab.hand();
  await lab.settled();
  await stand(['Done']);
  expect(taken).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = taken;
  const [, seconds = ''] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(String(headers['x-signature'])) ?? [];
  expect(headers['x-signature']).toBe(signatureOf(secret, body, Number(seconds) * 1000));
  expect(headers['idempotency-key']).toMatch(/^webhook Completed [0-9a-f]{64}$/);
  expect(JSON.parse(body)).toMatchObject({
    event: 'Completed',
    session: { id, status: 'Completed', url: `https://print.test/workflows/session/${id}`, externalId: null },
    workflow: { id: lab.workflowId, name: 'Test', version: 1 },
    file: { originalName: 'test.pdf' },
    proof: null,
    failure: null,
    message: { subject: expect.stringContaining('test.pdf') },
  });
});

test('where the conditions do not hold nothing is called', async () => {
  const when = { match: 'all', rules: [{ fact: 'file.name', operator: 'contains', value: 'nothing like it' }] };
  await open(['Completed'], { Received: { isOn: false }, Completed: { isOn: false, when } });
  await lab.hand();
  await lab.settled();
  await expect
    .poll(async () => (await lab.sql.query(`select state::text from effects where kind = 'communication'`)).rows, {
      timeout: 60_000,
    })
    .toEqual([{ state: 'Done' }]);
  expect([await calls(), taken]).toEqual([[], []]);
});

test('a refusal is tried again with the same key; what is given up is told to who may mend it, and sent again by hand', async () => {
  await open(['Completed'], { Received: { isOn: false }, Completed: { isOn: false } });
  const { subscriberId } = lab;
  await lab.deps.database.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.create({ data: { id: 'usr_1', email: 'a@a.test', userName: 'a', firstName: '', lastName: '' } });
    await tx.role.create({ data: { id: 'rol_1', name: 'Told', permissions: ['communication.manage'] } });
    await tx.userRole.create({ data: { userId: 'usr_1', roleId: 'rol_1' } });
  });
  replies = [500, 404];
  await lab.hand();
  await lab.settled();
  const tries = async () => (await calls())[0]?.attempt;
  await expect.poll(tries, { timeout: 60_000 }).toBe(1);
  // As if it had been tried for more than a day.
  await lab.sql.query(
    `update effects set next_at = clock_timestamp(), created_at = created_at - interval '25 hours' where kind = 'webhook'`,
  );
  await stand(['Dead']);
  const keys = new Set(taken.map(({ headers }) => headers['idempotency-key']));
  expect([taken.length, keys.size]).toEqual([2, 1]);
  const { rows } = await lab.sql.query(`select kind, data ->> 'name' as name from notifications`);
  expect(rows).toEqual([{ kind: 'webhook.dead', name: 'Orders' }]);
  const [{ id }] = await calls();
  await lab.deps.database.withSubscriber({ subscriberId }, (tx) => retryEffect(tx, { id, kind: 'webhook' }));
  await stand(['Done']);
  expect(taken).toHaveLength(3);
});

test('a file that was refused is told without a session, whatever it is called', async () => {
  await open(['Rejected'], {});
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
    session: { id: null, status: null, sourceName: 'Flyers' },
    file: { originalName: 'Größe ☃.txt', sizeBytes: 12 },
    failure: { code: 'file.notPdf' },
  });
});
