import type { ArrivedItem, RouteResult, routes, Session } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Created = RouteResult<typeof routes.sessions.create>;

let lab: Lab;
let ana: SignedIn;
let key: string;
let origin: string;

const publish = async (name: string, ways: object = {}) => {
  const made = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', { as: ana, body: { name } });
  const { id, draftRevision } = made.result;
  const draft = {
    steps: [
      { id: 'inject', kind: 'Inject', settings: { ways } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
  };
  await lab.call('PUT', `/workflows/${id}`, { as: ana, body: { name, draft, draftRevision } });
  expect((await lab.call('POST', `/workflows/${id}/publish`, { as: ana })).statusCode).toBe(200);
  return id;
};

let workflowId: string;
beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  const body = { name: 'Pressero', permissions: ['sessions.inject'] };
  key = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result.key;
  origin = await lab.listen();
  workflowId = await publish('Orders');
});
afterAll(() => lab.stop());

/** As a shop sends the bytes. */
async function send(fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ workflowId, ...fields })) body.append(name, value);
  body.append('file', new Blob(['%PDF-1.4 card']), 'card.pdf');
  const response = await fetch(`${origin}/api/sessions`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}` },
  });
  const { result, errors } = (await response.json()) as {
    result: Created | null;
    errors: { code: string; field?: string }[];
  };
  return { status: response.status, id: result?.id ?? '', errors };
}
const order = { id: '4711', quantity: 500, dueDate: '2026-11-27', product: 'Flyer A4' };
const asShop = { shop: 'Pressero', order: JSON.stringify(order) };
const arrivals = async (search: string) =>
  (await lab.call<{ items: ArrivedItem[] }>('GET', `/arrivals?search=${search}`, { as: ana })).result.items;

test('the order of a shop is a value of the session, by its number the shop finds it again, and its way is its own', async () => {
  const { status, id } = await send(asShop);
  expect(status).toBe(201);
  const { result } = await lab.call<Session>('GET', `/sessions/${id}`, { as: ana });
  expect(result.variables).toEqual({
    'order.id': '4711',
    'order.quantity': 500,
    'order.dueDate': '2026-11-27',
    'order.product': 'Flyer A4',
    'order.externalId': '4711',
  });
  const found = await lab.call<{ items: { id: string }[] }>('GET', '/sessions?externalId=4711', { as: ana });
  expect(found.result.items).toEqual([expect.objectContaining({ id })]);
  expect((await arrivals(id))[0]).toMatchObject({ way: 'pressero', outcome: 'session' });
});

test('a number of the shop’s own goes before that of the order; without a shop it comes by the API', async () => {
  const { id } = await send({ order: '{"id": "4712"}', externalId: 'WEB-9' });
  const { result } = await lab.call<Session>('GET', `/sessions/${id}`, { as: ana });
  expect(result.variables).toEqual({ 'order.id': '4712', 'order.externalId': 'WEB-9' });
  expect((await arrivals(id))[0]).toMatchObject({ way: 'api' });
});

test('by the address of the file it is the same', async () => {
  const { host } = new URL(origin);
  lab.deps.env.outboundAllowedHosts.push({ host: '127.0.0.1', port: Number(host.split(':')[1]), scheme: 'http' });
  const given = { workflowId, fileUrl: `${origin}/card.pdf`, shop: 'Pressero', order: { ...order, id: '4713' } };
  const asked = await lab.call<Created>('POST', '/sessions', { as: { token: key }, body: given });
  expect(asked.statusCode, asked.body).toBe(202);
  expect((await arrivals('4713'))[0]).toMatchObject({ way: 'pressero', outcome: 'waiting' });
  const effect = await lab.deps.db.asHost((tx) => tx.effect.findFirstOrThrow({ where: { kind: 'fetch' } }));
  expect(effect.payload).toMatchObject({
    way: 'pressero',
    externalId: '4713',
    variables: { 'order.quantity': 500, 'order.externalId': '4713' },
  });
});

test.each([
  [{ quantity: 0 }, 'order.quantity'],
  [{ quantity: '500' }, 'order.quantity'],
  [{ dueDate: '27.11.2026' }, 'order.dueDate'],
  [{ product: '' }, 'order.product'],
  [{ color: 'red' }, 'order'],
])('what no order has is refused by its name: %j', async (change, field) => {
  const { status, errors } = await send({ ...asShop, order: JSON.stringify({ ...order, ...change }) });
  expect(status).toBe(400);
  expect(errors[0]?.field).toContain(field);
});

test('a shop that is not known is refused; one whose way is switched off as well, and the refusal stands in what arrived', async () => {
  expect(await send({ shop: 'Nobody' })).toMatchObject({ status: 400, errors: [{ field: 'shop' }] });
  const closed = await publish('Closed', { pressero: false });
  expect(await send({ ...asShop, workflowId: closed })).toMatchObject({ errors: [{ code: 'workflow.wayOff' }] });
  const refused = await lab.call<{ items: ArrivedItem[] }>('GET', '/arrivals?way=pressero&outcome=refused', {
    as: ana,
  });
  expect(refused.result.items).toMatchObject([{ why: { code: 'workflow.wayOff' } }]);
  expect((await send({ workflowId: closed })).status).toBe(201);
});
