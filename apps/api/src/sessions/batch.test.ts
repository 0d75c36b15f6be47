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

/** An upload that waits to be named: all of it has arrived, unless less is said. */
async function upload(name: string, bytes: Buffer, { sent = bytes.length, as = { token: key } } = {}): Promise<string> {
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await lab.call('POST', '/uploads', {
    as,
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  expect(begun.statusCode).toBe(201);
  const path = String(begun.headers.location).replace('/api', '');
  if (sent > 0) {
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const { statusCode, headers: answered } = await lab.call('PATCH', path, {
      as,
      body: bytes.subarray(0, sent),
      headers,
    });
    expect([statusCode, answered['x-session-id']]).toEqual([204, sent === bytes.length ? '' : undefined]);
  }
  return path.split('/').at(-1) ?? '';
}
const pdf = (text: string) => Buffer.from(`%PDF-1.4 ${text} %%EOF`);
const sessionsOf = (externalId: string) =>
  lab.call<{ items: { id: string; fileName: string }[] }>('GET', `/sessions?externalId=${externalId}`, { as: ana });

test('uploads that were begun without a workflow are named by their ids, beside addresses; each becomes one session', async () => {
  const [first, second, partly, others] = [
    await upload('first.pdf', pdf('first')),
    await upload('second.pdf', pdf('second')),
    await upload('partly.pdf', pdf('partly'), { sent: 4 }),
    await upload('others.pdf', pdf('others'), { as: ana }),
  ];
  const items = [
    { workflowId, uploadId: first, externalId: 'U-1', variables: {} },
    card(20),
    { workflowId, uploadId: second, fileName: 'renamed.pdf', externalId: 'U-2' },
    { workflowId, uploadId: partly },
    { workflowId, uploadId: others },
    { workflowId },
    { workflowId, uploadId: first, fileUrl: 'https://93.184.216.34/1.pdf' },
    { workflowId: 'wfl_nothing', uploadId: second },
  ];
  const { result } = await send(items);
  expect(
    result.map(({ created, errors }) => (created ? [created.isDuplicate] : [errors[0]?.code, errors[0]?.field])),
  ).toEqual([
    [false],
    [false],
    [false],
    ['upload.incomplete', 'uploadId'],
    ['upload.notFound', 'uploadId'],
    ['value.required', 'fileUrl'],
    ['value.invalid', 'uploadId'],
    // It is a session by now, and its workflow is not asked for again.
    [true],
  ]);
  expect(result[7]?.created?.id).toBe(result[2]?.created?.id);
  expect((await sessionsOf('U-1')).result.items).toMatchObject([{ id: result[0]?.created?.id, fileName: 'first.pdf' }]);
  expect((await sessionsOf('U-2')).result.items).toMatchObject([{ fileName: 'renamed.pdf' }]);
  const single = await lab.call<{ id: string; isDuplicate: boolean }>('POST', '/sessions', {
    as: { token: key },
    body: items[0],
  });
  expect([single.statusCode, single.result]).toMatchObject([201, { id: result[0]?.created?.id, isDuplicate: true }]);
});

test('an upload that is named twice at the same moment under two keys becomes one session', async () => {
  const uploadId = await upload('twice.pdf', pdf('twice'));
  const named = (no: number) => send([{ workflowId, uploadId, externalId: 'U-3', idempotencyKey: `twice-${no}` }]);
  const answers = await Promise.all([named(1), named(2), named(3)]);
  const ids = answers.map(({ result }) => result[0]?.created?.id);
  expect(answers.flatMap(({ result }) => result.flatMap(({ errors }) => errors))).toEqual([]);
  expect(new Set(ids)).toEqual(new Set([ids[0]]));
  expect((await sessionsOf('U-3')).result.items).toHaveLength(1);
});

test('a key that is known gives the first session to the same bytes uploaded anew, and refuses others; what is refused can be named again', async () => {
  const named = async (bytes: Buffer, workflow = workflowId) => {
    const uploadId = await upload('again.pdf', bytes);
    const item = { workflowId: workflow, uploadId, externalId: 'U-4', idempotencyKey: 'again' };
    return { item, answer: (await send([item])).result[0] };
  };
  const wrong = await named(pdf('again'), 'wfl_nothing');
  expect(wrong.answer?.errors).toMatchObject([{ code: 'resource.notFound', field: 'workflowId' }]);
  const first = (await send([{ ...wrong.item, workflowId }])).result[0];
  expect(first?.created).toMatchObject({ isDuplicate: false });
  const same = await named(pdf('again'));
  expect(same.answer?.created).toMatchObject({ id: first?.created?.id, isDuplicate: true });
  const other = await named(pdf('something else'));
  expect(other.answer?.errors).toMatchObject([{ code: 'delivery.differs' }]);
  expect((await sessionsOf('U-4')).result.items).toHaveLength(1);
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
