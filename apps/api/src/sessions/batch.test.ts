import { type RouteResult, type routes, subscriberPlanSchema } from '@pdf2press/contract';
import { toJson } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Answers = RouteResult<typeof routes.sessions.createMany>;

let lab: Lab;
let ana: SignedIn;
let subscriberId: string;
let key: string;
let workflowId: string;
beforeAll(async () => {
  lab = await startLab();
  subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId =
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
  const body = { name: 'shop', permissions: ['sessions.inject'] };
  key = (await lab.call<{ key: string }>('POST', '/api-keys', { as: ana, body })).result.key;
});
afterAll(() => lab.stop());

const send = (items: unknown, headers: Record<string, string> = {}, as: { token: string } = { token: key }) =>
  lab.call<Answers>('POST', '/sessions/batch', { as, body: { items }, headers });
const card = (no: number) => ({ workflowId, fileUrl: `https://93.184.216.34/${no}.pdf`, externalId: `B-${no}` });
const asked = () =>
  lab.deps.db.withSubscriber(
    { subscriberId },
    async (tx) => (await tx.effect.findMany({ where: { kind: 'fetch' } })).length,
  );

test('each item is taken or refused for itself, in their order, with the field that is wrong', async () => {
  const before = await asked();
  const { statusCode, result } = await send([
    card(1),
    { ...card(2), fileUrl: 'https://10.0.0.1:22/a.pdf' },
    { ...card(3), workflowId: 'wfl_nothing' },
    'no item',
    { ...card(5), order: { quantity: 0 } },
    { ...card(6), organizationId: 'org_nothing' },
    { ...card(7), variables: { a: { b: 1 } } },
    card(8),
  ]);
  expect(statusCode).toBe(200);
  expect(
    result.map(({ created, errors }) => created?.arrivalId?.split(' ')[0] ?? [errors[0]?.code, errors[0]?.field]),
  ).toEqual([
    'api',
    ['address.blocked', 'fileUrl'],
    ['resource.notFound', 'workflowId'],
    ['value.invalid', undefined],
    ['value.min', 'order.quantity'],
    ['organization.notYours', 'organizationId'],
    ['value.invalid', 'variables.a'],
    'api',
  ]);
  for (const { created, errors } of result) expect(created === null).toBe(errors.length > 0);
  expect(result[1]?.errors[0]?.message).toContain('10.0.0.1');
  expect(await asked()).toBe(before + 2);
});

test('a batch that is sent again makes nothing twice; a key of an item goes before that of the batch', async () => {
  const headers = { 'idempotency-key': 'night-1' };
  const first = await send([card(1), { ...card(2), idempotencyKey: 'own' }], headers);
  const before = await asked();
  const again = await send([card(1), { ...card(2), idempotencyKey: 'own' }, card(3)], headers);
  expect(again.result.map(({ created }) => created?.isDuplicate)).toEqual([true, true, false]);
  expect(again.result.slice(0, 2).map(({ created }) => created?.arrivalId)).toEqual(
    first.result.map(({ created }) => created?.arrivalId),
  );
  expect(await asked()).toBe(before + 1);
  const other = await send([{ ...card(9), idempotencyKey: 'own' }]);
  expect(other.result[0]?.errors).toMatchObject([{ code: 'delivery.differs' }]);
  expect((await send([card(1)], { 'idempotency-key': 'x'.repeat(201) })).statusCode).toBe(400);
});

test('too many items, and none, are refused with what is allowed, and nothing is taken', async () => {
  const before = await asked();
  const many = await send(Array.from({ length: 101 }, (_, no) => card(no)));
  expect(many.statusCode).toBe(400);
  expect(many.envelope.errors).toMatchObject([{ code: 'value.tooMany', params: { max: 100 }, field: 'items' }]);
  expect(many.envelope.errors[0]?.message).toContain('100');
  expect((await send([])).statusCode).toBe(400);
  expect((await send(undefined)).statusCode).toBe(400);
  expect(await asked()).toBe(before);
  expect((await send(Array.from({ length: 100 }, (_, no) => card(no)))).result).toHaveLength(100);
});

test('who may not hand in is refused as a whole; what the plan has no room for is refused item by item', async () => {
  const viewer = await lab.signIn(await lab.makePerson(subscriberId, 'viewer@example.com', ['sessions.view']));
  expect((await send([card(1)], {}, viewer)).statusCode).toBe(403);
  await lab.deps.db.asHost((tx) =>
    tx.subscriber.update({
      where: { id: subscriberId },
      data: { plan: toJson(subscriberPlanSchema.parse({ quotas: { sessionsPerMonth: 1 } })) },
      select: { id: true },
    }),
  );
  const { statusCode, result } = await send([card(1), card(2)]);
  expect(statusCode).toBe(200);
  expect(result.map(({ errors }) => errors[0]?.code)).toEqual(['quota.sessions', 'quota.sessions']);
});
