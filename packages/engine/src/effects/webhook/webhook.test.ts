import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampled } from '@pdf2press/config/by-day';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelSession } from '../../commands/hold-commands.ts';
import { keepSecret, openInstanceKeys } from '../../secrets/secrets.ts';
import { chain, type Lab, openLab } from '../../testing/lab.ts';
import { places } from '../../testing/places.ts';
import { startProcess, type WorkerProcess } from '../../testing/processes.ts';
import { actionSecretPurpose } from './contract.ts';
import { valueAt } from './run.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}
/** Answered when the test lets go. */
let held: (() => void)[] = [];
let isHolding = false;
type Reply = { status: number; body?: string; headers?: Record<string, string> } | 'hang up';

const received: Received[] = [];
let replies: Reply[] = [];
const usual: Reply = { status: 200, body: '{"order": {"number": "4711", "lines": [{"copies": 250}]}}' };

const address: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(parts).toString() });
    const reply = replies.shift() ?? usual;
    if (reply === 'hang up') {
      request.socket.destroy();
      return;
    }
    const answerIt = () => {
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
    };
    if (isHolding) held.push(answerIt);
    else answerIt();
  });
});

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let origin = '';
beforeAll(async () => {
  server = await startTestPostgres();
  await new Promise<void>((resolve) => address.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(address.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => address.close(resolve));
  await server.stop();
});

let started: WorkerProcess[] = [];
beforeEach(() => {
  received.length = 0;
  replies = [];
  held = [];
  isHolding = false;
  started = [];
});
let lab: Lab | undefined;
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await lab?.close();
});

const timing = { lease: 10_000, heartbeat: 1_000 };
function start(at: Lab, options: Parameters<typeof startProcess>[1] = {}) {
  const one = startProcess(at, {
    timing,
    allowedHosts: [{ host: '127.0.0.1', port: Number(new URL(origin).port), scheme: 'http' }],
    ...options,
  });
  started.push(one);
  return one;
}

const variables = [
  { name: 'order', type: 'String' },
  { name: 'copies', type: 'Number' },
] as const;

async function openCalling(settings: Record<string, unknown>): Promise<Lab> {
  const definition = chain(['Inject', 'Action', 'Complete'], { 1: { url: `${origin}/hook`, ...settings } });
  lab = await openLab(server, {
    definition: {
      ...definition,
      variables: variables.map((each) => ({ ...each, default: null, isRequired: false, isPublic: false, options: [] })),
    },
  });
  return lab;
}
const answer = [
  { path: 'order.number', variable: 'order' },
  { path: 'order.lines.0.copies', variable: 'copies' },
];

const sessionOf = async (at: Lab, id: string) =>
  (await at.sql.query(`select status::text, variables, error_code, error_params from sessions where id = $1`, [id]))
    .rows[0];
const actionOf = async (at: Lab) =>
  (await at.sql.query(`select status::text, attempt, output from step_runs where kind = 'Action'`)).rows[0];
/** Lets a try that waits for its turn, or whose worker died, be taken up at once. */
const hurry = (at: Lab) => at.sql.query(`update effects set next_at = now(), lease_until = now() - interval '1 s'`);
async function hurried(at: Lab): Promise<void> {
  for (;;) {
    await hurry(at);
    const settled = await at.settled(1_500).then(
      () => true,
      () => false,
    );
    if (settled) return;
  }
}

test('the file is told, signed, and the answer becomes variables; nothing secret is kept with the call', async () => {
  const at = await openCalling({
    url: `${origin}/hook?name={{file.name}}`,
    headers: [{ name: 'X-House', value: 'Druck {{workflow.name}} ✓' }],
    body: '{"file": "{{file.name}}", "bytes": "{{file.sizeBytes}}", "pages": "{{pdf.pageCount}}", "note": "1 \\"{{order}}\\""}',
    answer,
  });
  const keys = await openInstanceKeys({ dataDir: at.folder });
  const [secretId, authorizationId] = await at.deps.database.withSubscriber(at, async (tx) => {
    const keep = (text: string) =>
      keepSecret(tx, keys, { subscriberId: at.subscriberId, purpose: actionSecretPurpose, text });
    return [await keep('very secret'), await keep('Bearer abc')];
  });
  await at.sql.query(`alter table workflow_versions disable trigger immutable`);
  await at.sql.query(
    `update workflow_versions set definition = jsonb_set(definition, '{steps,1,settings}',
       definition #> '{steps,1,settings}' || $1::jsonb)`,
    [JSON.stringify({ secretId, authorizationId })],
  );
  start(at);
  const id = await at.hand();
  await at.settled();
  expect(await sessionOf(at, id)).toMatchObject({ status: 'Completed', variables: { order: '4711', copies: 250 } });
  const [call] = received;
  expect(call).toMatchObject({ method: 'POST', url: '/hook?name=test.pdf' });
  expect(JSON.parse(call?.body ?? '')).toEqual({ file: 'test.pdf', bytes: 64, pages: null, note: '1 ""' });
  expect(call?.headers).toMatchObject({
    'x-house': 'Druck Test %E2%9C%93',
    authorization: 'Bearer abc',
    'content-type': 'application/json',
  });
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(call?.headers['x-signature'])) ?? [];
  expect(mac).toBe(createHmac('sha256', 'very secret').update(`${seconds}.${call?.body}`).digest('hex'));
  expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(300);
  const { rows } = await at.sql.query(`select payload::text || coalesce(answer::text, '') as kept from effects`);
  expect(rows[0].kept).not.toMatch(/very secret|Bearer abc/);
  expect(await actionOf(at)).toMatchObject({ status: 'Succeeded', attempt: 1 });
  expect(await at.broken()).toEqual([]);
});

test.each(
  places(
    'beforeCommit',
    'insideCommit',
    'afterCommit',
    'beforeEffect',
    'afterEffect',
    'insideEffectCommit',
    'afterEffectCommit',
  ),
)('a worker killed (SIGKILL) %s: the call is repeated under its key, and decides once', async (place) => {
  const at = await openCalling({ answer });
  const id = await at.hand();
  // The first step is over when the worker dies, so that the next one begins with the step that calls.
  expect(await start(at, { failpoints: 'afterCommit:kill', allowedHosts: [] }).ended).toBe('SIGKILL');
  expect(await start(at, { failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
  await at.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
  start(at);
  await hurried(at);
  expect(await sessionOf(at, id)).toMatchObject({ status: 'Completed', variables: { order: '4711', copies: 250 } });
  expect(received.length).toBeGreaterThan(0);
  expect(received.length).toBeLessThanOrEqual(place === 'afterEffect' || place === 'insideEffectCommit' ? 2 : 1);
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  const { rows } = await at.sql.query(
    `select kind, count(*)::int from session_events where step_run_id = (select id from step_runs where kind = 'Action')
        and kind in ('StepStarted', 'StepFinished') group by kind order by kind`,
  );
  expect(rows).toContainEqual({ kind: 'StepFinished', count: 1 });
  expect(await at.broken()).toEqual([]);
});

test('killed inside the commit of its cause, a call is neither recorded nor made @night', async () => {
  const at = await openCalling({ answer });
  const id = await at.hand();
  expect(await start(at, { failpoints: 'afterCommit:kill', allowedHosts: [] }).ended).toBe('SIGKILL');
  expect(await start(at, { failpoints: 'insideCommit:kill', allowedHosts: [] }).ended).toBe('SIGKILL');
  expect((await at.sql.query('select key from effects')).rows).toEqual([]);
  expect(received).toEqual([]);
  await at.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
  start(at);
  await hurried(at);
  expect(await sessionOf(at, id)).toMatchObject({ status: 'Completed' });
  expect(received).toHaveLength(1);
  expect(await at.broken()).toEqual([]);
});

test('a worker killed (SIGKILL) after the answer came and before it was taken over: it is taken over once @night', async () => {
  const at = await openCalling({ answer });
  const id = await at.hand();
  expect(await start(at, { failpoints: 'afterCommit:kill' }).ended).toBe('SIGKILL');
  expect(await start(at, { failpoints: 'afterEffectCommit:kill' }).ended).toBe('SIGKILL');
  expect(await start(at, { failpoints: 'insideCommit:kill' }).ended).toBe('SIGKILL');
  await at.sql.query(`update step_runs set lease_until = now() - interval '1 s' where status = 'Running'`);
  start(at);
  await at.settled();
  expect(await sessionOf(at, id)).toMatchObject({ status: 'Completed', variables: { order: '4711', copies: 250 } });
  expect(received).toHaveLength(1);
  expect(await at.broken()).toEqual([]);
});

test('a fault that passes is tried again, five times at most, then the session fails and says why @night', async () => {
  const at = await openCalling({});
  replies = ['hang up', { status: 503 }, { status: 429 }, usual];
  start(at);
  const first = await at.hand();
  await hurried(at);
  expect(await at.status(first)).toBe('Completed');
  expect(received).toHaveLength(4);
  received.length = 0;
  replies = Array.from({ length: 9 }, () => ({ status: 500, body: 'Out of\n order' }));
  const second = await at.hand();
  await hurried(at);
  expect(received).toHaveLength(6);
  expect(await sessionOf(at, second)).toMatchObject({
    status: 'Failed',
    error_code: 'ACTION_REFUSED',
    error_params: { status: 500, text: 'Out of order', to: origin.slice('http://'.length) },
  });
  expect(await at.broken()).toEqual([]);
});

const unusable = [
  ['a refusal', { status: 404, body: 'no such hook' }, 'ACTION_REFUSED'],
  ['a redirection, which is not followed', { status: 302, headers: { Location: '/other' } }, 'ACTION_REFUSED'],
  ['an answer without end', { status: 200, body: 'x'.repeat(1_100_000) }, 'ACTION_ANSWER_TOO_LONG'],
  ['an answer that is no JSON', { status: 200, body: 'OK' }, 'ACTION_ANSWER_LACKS'],
  [
    'a value of another type',
    { status: 200, body: '{"order":{"number":"1","lines":[{"copies":"many"}]}}' },
    'ACTION_ANSWER_LACKS',
  ],
] as const;
test.each(sampled(unusable, 2))(
  '%s is not repeated; the session goes on with a warning where it is to',
  async (_, reply, code) => {
    const at = await openCalling({ answer, onError: 'warn' });
    replies = [reply];
    start(at);
    const id = await at.hand();
    await at.settled();
    expect(await at.status(id)).toBe('Completed');
    expect(received).toHaveLength(1);
    expect(await actionOf(at)).toMatchObject({ status: 'Warned', output: { summary: { problem: { code } } } });
  },
);

test('no host of this machine or of a private network is called unless the environment names it', async () => {
  const at = await openCalling({});
  start(at, { allowedHosts: [] });
  const id = await at.hand();
  await at.settled();
  expect(await sessionOf(at, id)).toMatchObject({ status: 'Failed', error_code: 'ACTION_BLOCKED' });
  expect(received).toEqual([]);
});

test('a session that is cancelled while its step waits calls nobody any more', async () => {
  const at = await openCalling({ onError: 'retry' });
  replies = [{ status: 404 }];
  start(at);
  const id = await at.hand();
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1);
  await expect
    .poll(async () => (await at.sql.query(`select state from effects`)).rows, { timeout: 60_000 })
    .toEqual([{ state: 'Pending' }]);
  await cancelSession(at.deps, at, { sessionId: id, by: { kind: 'user', name: 'Tester' } });
  expect((await at.sql.query(`select state, last_error from effects`)).rows).toEqual([
    { state: 'Dead', last_error: 'its step has ended' },
  ]);
  expect(await at.status(id)).toBe('CanceledByOperator');
  expect(await at.broken()).toEqual([]);
});

test('two calls at most go to one host at a time, whatever the workers; the others wait, others’ calls pass them, and none is lost @night', async () => {
  const at = await openCalling({});
  isHolding = true;
  const other = await at.addSubscriber();
  // The same workflow for both; its calls go to the same host, which is another lane for each subscriber.
  await at.sql.query(`alter table workflow_versions disable trigger immutable`);
  await at.sql.query(
    `update workflow_versions set definition = (select definition from workflow_versions where subscriber_id = $1)`,
    [at.subscriberId],
  );
  const ids = await Promise.all(Array.from({ length: 5 }, () => at.hand()));
  start(at);
  start(at);
  const waiting = async () =>
    (await at.sql.query(`select count(*)::int as n from effects where state = 'Pending'`)).rows[0].n;
  await expect.poll(async () => [received.length, await waiting()], { timeout: 60_000 }).toEqual([2, 3]);
  const another = await at.hand({ to: other });
  await expect.poll(() => received.length, { timeout: 60_000 }).toBe(3);
  // Both workers search again and again meanwhile; the three stay where they are.
  await at.sql.query(`select pg_notify('pdf2press_effects', '')`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect([received.length, await waiting()]).toEqual([3, 3]);
  isHolding = false;
  for (const answerIt of held) answerIt();
  await at.settled();
  for (const id of [...ids, another]) expect(await at.status(id)).toBe('Completed');
  expect(received).toHaveLength(6);
  expect(await at.broken()).toEqual([]);
});

test('in a trial nothing is called, and the step tells what would be', async () => {
  const at = await openCalling({ body: '{"name": "{{file.name}}"}' });
  const id = await at.hand();
  await at.sql.query(`update sessions set is_trial = true`);
  start(at);
  await at.settled();
  expect(await at.status(id)).toBe('Completed');
  expect(received).toEqual([]);
  expect((await at.sql.query(`select 1 from effects`)).rows).toEqual([]);
  expect(await actionOf(at)).toMatchObject({
    output: {
      summary: { trial: { would: 'act' }, sent: [{ to: `POST ${origin}/hook`, text: '{"name":"test.pdf"}' }] },
    },
  });
});

test('values are read from an answer by their place; what is not plain, or belongs to every object, is none', () => {
  const value = { a: { b: [{ c: 1 }, { c: false }], 'd e': 'x' }, n: null };
  const at = (path: string) => valueAt(value, path);
  expect(['a.b.0.c', 'a.b.1.c', 'a.d e'].map(at)).toEqual([1, false, 'x']);
  for (const path of ['a', 'n', 'a.b.2.c', 'constructor.name', '__proto__', 'a.toString'])
    expect(at(path)).toBeUndefined();
});
