import type { RouteResult, routes } from '@pdf2press/contract';
import { type NotTaken, noteNotTaken } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Arrivals = RouteResult<typeof routes.arrivals.list>;

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let customer: SignedIn;
let origin: string;
let session: string;
let workflowId: string;

/** Hands a file in by one call. */
async function post(name: string, text: string, sidecar?: string): Promise<{ id: string; codes: string[] }> {
  const body = new FormData();
  body.append('workflowId', workflowId);
  body.append('file', new Blob([text]), name);
  if (sidecar !== undefined) body.append('sidecar', new Blob([sidecar]), 'values.json');
  const headers = { authorization: `Bearer ${ana.token}` };
  const response = await fetch(`${origin}/api/sessions`, { method: 'POST', body, headers });
  const { result, errors } = (await response.json()) as { result: { id: string } | null; errors: { code: string }[] };
  return { id: result?.id ?? '', codes: errors.map(({ code }) => code) };
}

const read = async (query = '', { as = ana, headers = {} }: { as?: SignedIn; headers?: Record<string, string> } = {}) =>
  (await lab.call<Arrivals>('GET', `/arrivals${query}`, { as, headers })).result;
const names = ({ items }: Arrivals) => items.map(({ name }) => name);

const mailed = (item: Partial<NotTaken> & Pick<NotTaken, 'name' | 'state' | 'reason'>) =>
  noteNotTaken(
    lab.deps.engine,
    { subscriberId: ana.subscriberId },
    {
      workflowId: 'wfl_none',
      kind: 'email',
      key: item.name,
      size: 4_000_000,
      way: 'email',
      sourceName: 'Orders ← zoe@paper.example',
      params: {},
      ...item,
    },
  );

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  const { result: organization } = await lab.call<{ id: string }>('POST', '/organizations', {
    as: ana,
    body: { name: 'Baker' },
  });
  const person = await lab.makePerson(subscriberId, 'customer@example.com', ['sessions.view']);
  await lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
    await tx.user.update({ where: { id: person.id }, data: { isOrganizationRestricted: true } });
    await tx.userOrganization.create({ data: { userId: person.id, organizationId: organization.id } });
  });
  customer = await lab.signIn(person);
  origin = await lab.listen();

  const name = 'Takes each file once';
  const made = await lab.call<{ id: string; draftRevision: number }>('POST', '/workflows', { as: ana, body: { name } });
  const { draftRevision } = made.result;
  workflowId = made.result.id;
  const draft = {
    steps: [
      { id: 'inject', kind: 'Inject', settings: { duplicates: 'refuse' } },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
  };
  await lab.call('PUT', `/workflows/${workflowId}`, { as: ana, body: { name, draft, draftRevision } });
  expect((await lab.call('POST', `/workflows/${workflowId}/publish`, { as: ana })).statusCode).toBe(200);

  session = (await post('Flyer 50%.pdf', '%PDF-1.4 flyer')).id;
  expect((await post('Flyer again.pdf', '%PDF-1.4 flyer')).codes).toEqual(['file.duplicate']);
  expect((await post('Card.pdf', '%PDF-1.4 card', '{"a": 1}')).codes).toEqual(['sidecar.notTaken']);
  await mailed({ name: 'Book.pdf', state: 'Rejected', reason: 'file.tooLarge', params: { limit: 2_000_000 } });
  await mailed({ name: 'Map.pdf', state: 'Retry', reason: 'storage.full' });
});
afterAll(() => lab.stop());

test('everything that arrived is told with what became of it, the newest first', async () => {
  const all = await read();
  expect(names(all)).toEqual(['Map.pdf', 'Book.pdf', 'Card.pdf', 'Flyer again.pdf', 'Flyer 50%.pdf']);
  expect(all).toMatchObject({ total: 5, isCut: false, failing: [] });
  const [map, book, card, again, flyer] = all.items;
  expect(map).toMatchObject({ outcome: 'waiting', why: { code: 'storage.full' }, attempts: 1, session: null });
  expect(Date.parse(map?.nextTryAt ?? '')).toBeGreaterThan(Date.now());
  expect(book).toMatchObject({ outcome: 'refused', way: 'email', sizeBytes: 4_000_000, nextTryAt: null });
  expect(book?.why?.message).toContain('1.91');
  expect(card).toMatchObject({ outcome: 'refused', way: 'manual', why: { code: 'sidecar.notTaken' } });
  expect(again).toMatchObject({
    outcome: 'duplicate',
    session: null,
    duplicateOf: { id: session, fileName: 'Flyer 50%.pdf' },
  });
  expect(flyer).toMatchObject({ outcome: 'session', session: { id: session, isDeleted: false }, why: null });
});

const [flyer, again, card, book, map] = ['Flyer 50%.pdf', 'Flyer again.pdf', 'Card.pdf', 'Book.pdf', 'Map.pdf'];
test.each([
  { sort: 'at', up: [flyer, again, card, book, map], down: [map, book, card, again, flyer] },
  { sort: 'name', up: [book, card, flyer, again, map], down: [map, again, flyer, card, book] },
  // Of equal ones the newest come first.
  { sort: 'from', up: [map, book, card, again, flyer], down: [card, again, flyer, map, book] },
  { sort: 'outcome', up: [flyer, again, book, card, map], down: [map, book, card, again, flyer] },
])('they are sorted by $sort, both ways, page by page', async ({ sort, up, down }) => {
  const whole = async (direction: string) => {
    const of = (page: number) => read(`?sort=${sort}&direction=${direction}&pageSize=3&page=${page}`);
    return [...names(await of(1)), ...names(await of(2))];
  };
  expect(await whole('asc')).toEqual(up);
  expect(await whole('desc')).toEqual(down);
});

test('a refusal is told in the language of the reader', async () => {
  const { result } = await lab.call<{ key: string }>('POST', '/api-keys', {
    as: ana,
    body: { name: 'shop', permissions: ['sessions.view'] },
  });
  const of = async (language: string) => {
    const answer = await lab.call<Arrivals>('GET', '/arrivals?search=Book', {
      headers: { 'x-api-key': result.key, 'accept-language': language },
    });
    return answer.result.items[0]?.why?.message;
  };
  const [english, french] = [await of('en'), await of('fr')];
  expect(english).toBeTruthy();
  expect(french).toBeTruthy();
  expect(french).not.toBe(english);
});

test('one search finds a file by its name, by who sent it, and by its session', async () => {
  expect(names(await read('?search=flyer'))).toEqual(['Flyer again.pdf', 'Flyer 50%.pdf']);
  expect(names(await read('?search=50%25'))).toEqual(['Flyer 50%.pdf']);
  expect(names(await read('?search=ZOE@paper'))).toEqual(['Map.pdf', 'Book.pdf']);
  expect(names(await read(`?search=${session}`))).toEqual(['Flyer 50%.pdf']);
  expect(await read('?search=_')).toMatchObject({ items: [], total: 0 });
});

test('ways, outcomes and times narrow the list, and pages divide it', async () => {
  expect(names(await read('?way=email&outcome=refused&outcome=duplicate'))).toEqual(['Book.pdf']);
  expect(names(await read('?outcome=duplicate'))).toEqual(['Flyer again.pdf']);
  expect(names(await read(`?to=${new Date(Date.now() - 86_400_000).toISOString()}`))).toEqual([]);
  expect((await read(`?from=${new Date(Date.now() - 86_400_000).toISOString()}`)).total).toBe(5);
  expect(names(await read('?pageSize=2&page=2'))).toEqual(['Card.pdf', 'Flyer again.pdf']);
  expect((await lab.call('GET', '/arrivals?from=nonsense', { as: ana })).statusCode).toBe(400);
  expect((await lab.call('GET', '/arrivals?outcome=lost', { as: ana })).statusCode).toBe(400);
});

test('the export tells of each arrival in a line, filtered as the list', async () => {
  const { body } = await lab.call('GET', '/arrivals/export.csv?way=email', { as: ana });
  const [head, ...lines] = body.slice(1).trim().split('\r\n');
  expect(head).toMatch(/^id,at,name,sizeBytes,way,source,outcome,/);
  expect(lines.map((line) => line.split(',').slice(2, 7))).toEqual([
    ['Map.pdf', '4000000', 'email', 'Orders ← zoe@paper.example', 'waiting'],
    ['Book.pdf', '4000000', 'email', 'Orders ← zoe@paper.example', 'refused'],
  ]);
});

test('no other house and no person of an organization sees what is not theirs', async () => {
  expect(await read('', { as: stranger })).toMatchObject({ items: [], total: 0 });
  expect(await read('', { as: customer })).toMatchObject({ items: [], total: 0 });
  const [mine] = await lab.deps.db.withSubscriber({ subscriberId: ana.subscriberId }, async (tx) => {
    const organizations = await tx.organization.findMany({ select: { id: true } });
    await tx.session.update({ where: { id: session }, data: { organizationId: organizations[0]?.id ?? '' } });
    return organizations;
  });
  expect(mine).toBeDefined();
  expect(names(await read('', { as: customer }))).toEqual(['Flyer 50%.pdf']);
});

test('a source that fails is told until it works, or until nobody looks into it any more', async () => {
  const write = (due: string) =>
    lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        insert into inlets (id, subscriber_id, workflow_id, kind, place, failing_since, error_code, error_params, due_at)
        values ('inl_test', ${ana.subscriberId}, ${workflowId}, 'folder', 'orders', clock_timestamp(), 'source.folderMissing',
                '{"folder": "orders"}', clock_timestamp() + ${due}::interval)
        on conflict (id) do update set due_at = excluded.due_at`,
    );
  await write('1 minute');
  const { failing } = await read();
  expect(failing).toMatchObject([{ way: 'hotFolder', place: 'orders', why: { code: 'source.folderMissing' } }]);
  expect(failing[0]?.why.message).toContain('orders');
  expect((await read('', { as: stranger })).failing).toEqual([]);
  expect((await read('', { as: customer })).failing).toEqual([]);
  await write('-1 hour');
  expect((await read()).failing).toEqual([]);
});

test('a file that is tried again keeps the time when it arrived, and tells its last end', async () => {
  await mailed({ name: 'Late.pdf', state: 'Retry', reason: 'workflow.disabled' });
  const before = (await read('?search=Late')).items[0];
  expect(before).toMatchObject({ outcome: 'waiting', attempts: 1 });
  await mailed({ name: 'Late.pdf', state: 'Rejected', reason: 'mail.gone' });
  expect((await read('?search=Late')).items[0]).toMatchObject({ outcome: 'refused', attempts: 2, at: before?.at });
});

test('what was refused or waits is tried again when somebody with the right asks, once', async () => {
  await mailed({ name: 'prf_1 poster', state: 'Rejected', reason: 'file.typeNotAccepted', params: { types: 'PDF' } });
  await mailed({ name: 'prf_1 words', state: 'Rejected', reason: 'mail.noAttachment' });
  const retry = (name: string, as: SignedIn = ana) =>
    lab.call('POST', '/arrivals/retry', { as, body: { id: `email ${name}` } });
  const of = async (name: string) => (await read()).items.find((item) => item.name === name);
  expect((await of('prf_1 poster'))?.canRetry).toBe(true);
  expect((await of('prf_1 words'))?.canRetry).toBe(false);
  expect((await of('Card.pdf'))?.canRetry).toBe(false);

  expect((await retry('prf_1 poster', customer)).statusCode).toBe(403);
  expect((await retry('prf_1 poster', stranger)).statusCode).toBe(404);
  expect((await retry('no such item')).statusCode).toBe(404);
  expect((await retry('prf_1 words')).statusCode).toBe(409);
  const acts = async () =>
    (await lab.deps.db.asHost((tx) => tx.auditEntry.findMany({ where: { act: 'arrival.retry' } }))).map(
      ({ object, after }) => [object, after],
    );
  expect(await acts()).toEqual([]);
  const both = await Promise.all([retry('prf_1 poster'), retry('prf_1 poster')]);
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(await of('prf_1 poster')).toMatchObject({ outcome: 'waiting', canRetry: true });
  expect(await acts()).toEqual([['email prf_1 poster', { name: 'prf_1 poster', reason: 'file.typeNotAccepted' }]]);
  expect((await retry('Map.pdf')).statusCode).toBe(200);
  const waits = (await of('Map.pdf'))?.nextTryAt ?? '';
  expect(new Date(waits).getTime()).toBeLessThanOrEqual(Date.now() + 1000);
});

test('what one connection brought is told alone, whichever kind it is', async () => {
  const refused = { state: 'Rejected', reason: 'file.notPdf' } as const;
  await mailed({ ...refused, name: 'Anna.txt', key: 'prf_anna <1@x> 2' });
  await mailed({ ...refused, name: 'Other.txt', key: 'prf_annabel <1@x> 2' });
  await mailed({ ...refused, name: 'Drive.txt', key: 'prf_drive  folder id 1', kind: 'cloud', way: 'cloudFolder' });
  expect(names(await read('?connection=prf_anna'))).toEqual(['Anna.txt']);
  expect(names(await read('?connection=prf_drive&outcome=refused'))).toEqual(['Drive.txt']);
  expect(await read('?connection=prf_drive&outcome=waiting')).toMatchObject({ items: [], total: 0 });
});

test('a file that turned out to be unusable when it was opened is refused, with its session and why, until that goes on', async () => {
  const { id } = await post('Broken.pdf', '%PDF-1.4 broken');
  const inside = <T>(work: Parameters<typeof lab.deps.db.withSubscriber<T>>[1]) =>
    lab.deps.db.withSubscriber<T>({ subscriberId: ana.subscriberId }, work);
  const becomes = (step: string, status: string, code: string | null) =>
    inside(async (tx) => {
      await tx.$executeRaw`update step_runs set status = ${step}::step_status where session_id = ${id}`;
      await tx.$executeRaw`update sessions set status = ${status}::session_status, error_code = ${code} where id = ${id}`;
    });
  const broken = async (query = '?search=Broken.pdf') => (await read(query)).items[0];
  await becomes('Running', 'Processing', null);
  expect(await broken()).toMatchObject({ outcome: 'session', why: null });
  await becomes('Failed', 'Failed', 'PDF_DAMAGED');
  expect(await broken('?search=Broken.pdf&outcome=refused')).toMatchObject({
    ...{ outcome: 'refused', why: { code: 'PDF_DAMAGED' }, canRetry: false },
    session: { id, status: 'Failed' },
  });
  const key = (await broken())?.id;
  expect((await lab.call('POST', '/arrivals/retry', { as: ana, body: { id: key } })).statusCode).toBe(409);
  // Of a file among several, what is wrong with it is said in words.
  await inside(async (tx) => {
    const params = { name: 'back.pdf', reason: 'PDF_EMPTY' };
    await tx.$executeRaw`update sessions set error_code = 'MERGE_FILE', error_params = ${params} where id = ${id}`;
  });
  expect((await broken())?.why?.message).toMatch(/^back\.pdf cannot be read, .*The file is empty/);
  // What a later step finds is what the workflow is for.
  await inside(
    (tx) => tx.$executeRaw`
      insert into step_runs (id, session_id, run_no, node_id, kind, kind_version, input)
      select 'stp_later', session_id, run_no, 'later', 'Preflight', 1, input from step_runs where session_id = ${id}`,
  );
  expect(await broken()).toMatchObject({ outcome: 'session', why: null });
});
