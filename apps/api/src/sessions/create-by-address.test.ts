import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ArrivedItem, RouteResult, routes } from '@pdf2press/contract';
import { deliverDue, fetchFiles, guardedFetch } from '@pdf2press/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Created = RouteResult<typeof routes.sessions.create>;

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let key: string;
let workflowId: string;
let server: Server;
let host: string;
let status: number;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'other@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId =
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
  const body = { name: 'shop', permissions: ['sessions.inject'] };
  key = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result.key;
  server = createServer((_, response) => response.writeHead(status).end('%PDF-1.4 card'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  host = `127.0.0.1:${port}`;
  lab.deps.env.outboundAllowedHosts.push({ host: '127.0.0.1', port, scheme: 'http' });
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await lab.stop();
});
beforeEach(() => {
  status = 200;
});

const post = (body: object, headers: Record<string, string> = {}) =>
  lab.call<Created>('POST', '/sessions', { as: { token: key }, body, headers });
const card = () => ({ workflowId, fileUrl: `http://${host}/orders/card.pdf?signature=secret` });
/** As a worker does it. */
const fetchDue = () =>
  deliverDue(
    lab.deps.engine,
    { fetch: fetchFiles(lab.deps.engine, { fetch: guardedFetch(lab.deps.env.outboundAllowedHosts), maxBytes: 1000 }) },
    { count: 10, stopped: new AbortController().signal },
  );
const arrival = (id: string | null, as: { token: string } = { token: key }) =>
  lab.call<ArrivedItem>('GET', `/arrivals/item?id=${encodeURIComponent(id ?? '')}`, { as });

test('a file is handed in by its address: accepted at once, fetched, and told of by the id of its arrival', async () => {
  const headers = { 'idempotency-key': 'web-1' };
  const asked = await post({ ...card(), externalId: 'WEB-1', variables: { order: 'A-1' } }, headers);
  expect(asked.statusCode).toBe(202);
  expect(asked.result).toMatchObject({ id: null, status: null, isDuplicate: false });
  const { arrivalId } = asked.result;
  expect((await arrival(arrivalId)).result).toMatchObject({
    name: 'card.pdf',
    outcome: 'waiting',
    source: 'shop · WEB-1',
    session: null,
    why: null,
  });
  expect((await post(card(), headers)).result).toMatchObject({ id: null, isDuplicate: true, arrivalId });
  expect((await arrival(arrivalId, stranger)).statusCode).toBe(404);
  await fetchDue();
  const { result } = await arrival(arrivalId);
  expect(result).toMatchObject({ outcome: 'session', canRetry: false, session: { fileName: 'card.pdf' } });
  const found = await lab.call<{ items: { id: string; source: string }[] }>('GET', '/sessions?externalId=WEB-1', {
    as: ana,
  });
  expect(found.result.items).toEqual([expect.objectContaining({ id: result.session?.id, source: 'shop' })]);
  const again = await post(card(), headers);
  expect(again.statusCode).toBe(201);
  expect(again.result).toMatchObject({ id: result.session?.id, isDuplicate: true });
  const other = await post({ ...card(), fileUrl: `http://${host}/other.pdf` }, headers);
  expect(other).toMatchObject({ statusCode: 409, envelope: { errors: [{ code: 'delivery.differs' }] } });
});

test('a refusal is told to who asks, stands in what arrived, and is tried again by hand', async () => {
  status = 403;
  const { arrivalId } = (await post(card())).result;
  await fetchDue();
  expect((await arrival(arrivalId)).result).toMatchObject({
    outcome: 'refused',
    why: { code: 'address.refused', message: expect.stringContaining('403') },
    canRetry: true,
  });
  const listed = await lab.call<{ items: ArrivedItem[] }>('GET', '/arrivals?outcome=refused', { as: ana });
  expect(listed.result.items.map(({ id }) => id)).toContain(arrivalId);
  status = 200;
  expect((await lab.call('POST', '/arrivals/retry', { as: ana, body: { id: arrivalId } })).statusCode).toBe(200);
  await fetchDue();
  expect((await arrival(arrivalId)).result.outcome).toBe('session');
});

test('what cannot become a session is refused before anything is fetched', async () => {
  const cases: [object, number, string, string][] = [
    [{ fileUrl: 'https://10.0.0.1:22/a.pdf' }, 422, 'address.blocked', 'fileUrl'],
    [{ fileUrl: 'http://example.com/a.pdf' }, 422, 'address.blocked', 'fileUrl'],
    [{ fileUrl: 'https://user:word@example.com/a.pdf' }, 422, 'address.blocked', 'fileUrl'],
    [{ fileUrl: 'file:///etc/passwd' }, 422, 'address.blocked', 'fileUrl'],
    [{ fileUrl: 'card.pdf' }, 400, 'value.invalid', 'fileUrl'],
    [{ fileUrl: undefined }, 400, 'value.required', 'fileUrl'],
    [{ variables: { a: { b: 1 } } }, 400, 'value.invalid', 'variables.a'],
    [{ workflowId: 'wfl_nothing' }, 404, 'resource.notFound', 'workflowId'],
    [{ organizationId: 'org_nothing' }, 403, 'organization.notYours', 'organizationId'],
  ];
  for (const [change, code, error, field] of cases) {
    const answer = await post({ ...card(), ...change });
    expect(answer.statusCode, JSON.stringify(change)).toBe(code);
    expect(answer.envelope.errors[0], JSON.stringify(change)).toMatchObject({ code: error, field });
  }
  expect(await fetchDue()).toBe(0);
});
