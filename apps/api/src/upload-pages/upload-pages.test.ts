import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import {
  type Organization,
  subscriberPlanSchema,
  type UploadPage,
  type UploadReceipt,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { publishWorkflow } from '@pdf2press/engine';
import { listKeptMail } from '@pdf2press/mail';
import { newId, toJson } from '@pdf2press/prisma';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../auth/tokens.ts';
import { type Answer, type Lab, type SignedIn, startLab } from '../testing/lab.ts';
import { sizeOnDisk, sweepUploads } from '../uploads/upload-files.ts';

/** The upload page of an organization, as strangers use it. */
let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let origin: string;
/** Asks for public variables, takes PDF only, refuses bytes that came before. */
let cards: string;
/** Asks for nothing, takes images. */
let posters: string;
let acme: Organization;

const variables = [
  { name: 'copies', type: 'Number', isRequired: true, isPublic: true },
  { name: 'paper', type: 'Select', options: ['matt', 'gloss'], default: 'matt', isPublic: true },
  { name: 'price', type: 'Number', default: 5 },
];

async function publish(as: SignedIn, name: string, definition: object, inject: object = {}): Promise<string> {
  const id = newId('workflow');
  const draft = workflowDefinitionSchema.parse({
    steps: [
      { id: 'inject', kind: 'Inject', settings: inject },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [{ id: 'a', from: 'inject', outcome: 'done', to: 'complete' }],
    ...definition,
  });
  await lab.deps.db.withSubscriber({ subscriberId: as.subscriberId, userId: as.id }, async (tx) => {
    await tx.workflow.create({ data: { id, name, draft: toJson(draft), createdById: as.id } });
    expect((await publishWorkflow(tx, id, as.id)).issues).toEqual([]);
  });
  return id;
}

const organize = async (as: SignedIn, name: string, uploadPage: object): Promise<Organization> =>
  (
    await lab.call<Organization>('POST', '/organizations', {
      as,
      body: { name, color: '#0d9494', uploadPage: { isPublic: true, ...uploadPage } },
    })
  ).result;

beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'stranger@example.com'));
  cards = await publish(ana, 'Business cards', { variables }, { fileTypes: ['PDF'], duplicates: 'refuse' });
  posters = await publish(ana, 'Posters', {}, { fileTypes: ['PDF', 'PNG'] });
  acme = await organize(ana, 'Acme', {
    slug: 'acme',
    workflowIds: [cards, posters],
    defaultWorkflowId: cards,
    defaults: { copies: 250 },
    frameOrigins: ['https://acme.example'],
  });
  origin = await lab.listen();
}, 120_000);
afterAll(() => lab.stop());

const open = (slug = 'acme', code?: string) =>
  lab.call<UploadPage>('POST', `/upload-pages/${slug}`, { body: code === undefined ? {} : { code } });
const begin = (slug = 'acme', body: object = {}) =>
  lab.call<{ visit: string; expiresAt: string }>('POST', `/upload-pages/${slug}/visits`, { body });
const visitOf = async (slug = 'acme', body: object = {}): Promise<string> => (await begin(slug, body)).result.visit;

const tus = { 'tus-resumable': '1.0.0' };
const create = (visit: string, size: number, name = 'card.pdf') =>
  lab.call('POST', `/upload-visits/${visit}/files`, {
    headers: {
      ...tus,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
const patch = (url: string, offset: number, bytes: Buffer) =>
  lab.call('PATCH', url, {
    body: bytes,
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
  });
/** Uploads bytes; answers the upload's id. */
async function put(visit: string, bytes: Buffer = randomBytes(2000), name?: string): Promise<string> {
  const begun = await create(visit, bytes.length, name);
  expect(begun.statusCode).toBe(201);
  const url = String(begun.headers.location).replace('/api', '');
  expect((await patch(url, 0, bytes)).statusCode).toBe(204);
  return url.split('/').at(-1) ?? '';
}
const person = { name: 'Lima, Ana', email: 'ana@lima.example', message: 'By Friday, please.' };
const send = (visit: string, files: string[], more: object = {}): Promise<Answer<UploadReceipt>> =>
  lab.call('POST', `/upload-visits/${visit}/send`, { body: { workflowId: cards, files, ...person, ...more } });
const faults = (answer: Answer<unknown>) => answer.envelope.errors.map(({ code, field }) => [code, field]);
const sessionsOf = async (as: SignedIn, search: string) =>
  (await lab.call<{ items: { id: string; fileName: string }[] }>('GET', `/sessions?search=${search}`, { as })).result
    .items;

test('a page tells what it offers, and nothing of the house that is not for its customers', async () => {
  const { result, headers } = await open();
  expect(result).toMatchObject({
    house: { organization: { name: 'Acme', color: '#0d9494', logo: null } },
    defaultWorkflowId: cards,
    maxFiles: 20,
  });
  expect(result.workflows.map(({ id, types }) => [id, types])).toEqual([
    [cards, ['PDF']],
    [posters, ['PDF', 'PNG']],
  ]);
  expect(result.workflows[0]?.variables.map(({ name, default: value }) => [name, value])).toEqual([
    ['copies', 250],
    ['paper', 'matt'],
  ]);
  expect(headers['x-robots-tag']).toBe('noindex, nofollow');
});

test('files become a session each, with what was said of them; repeated, there are no more', async () => {
  const visit = await visitOf();
  const files = [await put(visit), await put(visit, randomBytes(3000), '../../back\u202e side.pdf')];
  const listed = await lab.call<{ files: { name: string }[]; receipt: unknown }>('GET', `/upload-visits/${visit}`);
  expect(listed.result.files).toHaveLength(2);
  expect(listed.result.receipt).toBeNull();
  // Nothing is a session before it is submitted.
  expect(await sessionsOf(ana, 'Lima')).toEqual([]);

  const order = { variables: { copies: 500, paper: 'gloss', price: 0, 'upload.email': 'x@evil.example', odd: 'x' } };
  const { result: receipt } = await send(visit, files, order);
  expect(receipt.reference).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  expect(receipt.files.map(({ name, problem }) => [name, problem])).toEqual([
    ['card.pdf', null],
    ['back side.pdf', null],
  ]);
  const again = await Promise.all([send(visit, files, order), send(visit, files, { ...order, name: 'Else' })]);
  expect(again.map(({ result }) => result)).toEqual([receipt, receipt]);
  expect((await lab.call('GET', `/upload-visits/${visit}`)).envelope).toMatchObject({ result: { files: [], receipt } });

  const sessions = await sessionsOf(ana, receipt.reference);
  expect(sessions).toHaveLength(2);
  const session = await lab.call('GET', `/sessions/${sessions[0]?.id}`, { as: ana });
  expect(session.envelope.result).toMatchObject({
    sourceType: 'PublicFileUpload',
    source: `Lima, Ana · ${receipt.reference}`,
    variables: {
      copies: 500,
      paper: 'gloss',
      price: 5,
      'upload.name': 'Lima, Ana',
      'upload.email': 'ana@lima.example',
      'upload.message': 'By Friday, please.',
    },
  });
  const row = await lab.deps.db.asHost((tx) => tx.session.findFirst({ where: { id: sessions[0]?.id ?? '' } }));
  expect([row?.organizationId, row?.organizationDecidedBy]).toEqual([acme.id, 'Workflow']);
  expect(session.body).not.toContain('odd');
  expect(await sessionsOf(stranger, receipt.reference)).toEqual([]);
});

test('the sender is written to once, in their language and in fixed words', async () => {
  const visit = await visitOf();
  const email = 'carla@lima.example';
  const files = [await put(visit)];
  const order = { workflowId: cards, files, ...person, name: 'Win at https://evil.example', email };
  const path = `/upload-visits/${visit}/send`;
  const { result } = await lab.call<UploadReceipt>('POST', path, { body: order, headers: { 'accept-language': 'it' } });
  await lab.call('POST', path, { body: order });
  await lab.deliverMails();
  const mails = (await listKeptMail(lab.deps.mail.keepFolder, ana.subscriberId)).filter(({ to }) => to === email);
  expect(mails.map(({ subject }) => subject)).toEqual([`I suoi file sono arrivati: ${result.reference}`]);
  expect(mails[0]?.text).toContain('Acme ha ricevuto i suoi file');
  expect(mails[0]?.text).not.toContain('evil');
});

test('two submissions at the same moment begin one session', async () => {
  const visit = await visitOf();
  const files = [await put(visit)];
  const both = await Promise.all([send(visit, files), send(visit, files)]);
  expect(both[0]?.result).toEqual(both[1]?.result);
  expect(await sessionsOf(ana, both[0]?.result.reference ?? '')).toHaveLength(1);
});

test('the client resumes after a reload where its bytes ended', async () => {
  const visit = await visitOf();
  const bytes = randomBytes(900_000);
  const begun = await create(visit, bytes.length);
  const url = String(begun.headers.location);
  await patch(url.replace('/api', ''), 0, bytes.subarray(0, 400_000));
  const { result } = await lab.call<{ files: { offset: number }[] }>('GET', `/upload-visits/${visit}`);
  expect(result.files[0]?.offset).toBe(400_000);
  const files = [url.split('/').at(-1) ?? ''];
  expect(faults(await send(visit, files))).toEqual([['upload.incomplete', `files.${files[0]}`]]);
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(bytes, {
      uploadUrl: `${origin}${url}`,
      chunkSize: 200_000,
      retryDelays: null,
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
  expect((await send(visit, files)).statusCode).toBe(200);
});

test('what cannot be taken is refused at its field, and nothing is begun', async () => {
  const visit = await visitOf();
  const pdf = await put(visit);
  const png = await put(visit, randomBytes(100), 'poster.PNG');
  expect(faults(await send(visit, [pdf, png]))).toEqual([['file.typeNotAccepted', `files.${png}`]]);
  expect(faults(await send(visit, [pdf], { variables: { copies: 'many' } }))).toEqual([
    ['workflow.variableInvalid', 'variables.copies'],
  ]);
  expect(faults(await send(visit, [pdf], { email: 'nobody' })).map(([, field]) => field)).toEqual(['email']);
  expect(faults(await send(visit, [pdf], { workflowId: newId('workflow') }))).toEqual([
    ['workflow.disabled', 'workflowId'],
  ]);
  expect(faults(await create(visit, 10, 'virus.exe'))).toEqual([['file.typeNotAccepted', undefined]]);
  expect(faults(await create(visit, 0))).toEqual([['file.empty', undefined]]);
  expect((await create(visit, 5 * 1024 ** 3)).statusCode).toBe(413);
  expect((await lab.call('POST', '/upload-pages/acme', { body: { code: 'x'.repeat(20_000) } })).statusCode).toBe(413);
  // Once the workflow is chosen that takes it, both go.
  const { result } = await send(visit, [pdf, png], { workflowId: posters });
  expect(result.files.every(({ problem }) => problem === null)).toBe(true);
});

test('a file that came before is told in the receipt, where the workflow refuses such files', async () => {
  const bytes = randomBytes(1000);
  const earlier = await visitOf();
  await send(earlier, [await put(earlier, bytes)]);
  const visit = await visitOf();
  const { result } = await send(visit, [await put(visit, bytes, 'again.pdf'), await put(visit)]);
  expect(result.files.map(({ name, problem }) => [name, problem?.code])).toEqual([
    ['again.pdf', 'file.duplicate'],
    ['card.pdf', undefined],
  ]);
  const alone = await visitOf();
  expect(faults(await send(alone, [await put(alone, bytes)])).map(([code]) => code)).toEqual(['file.duplicate']);
});

describe('a visit', () => {
  test('reaches its own uploads only, and none of them can be read', async () => {
    const [mine, other] = [await visitOf(), await visitOf()];
    const file = await put(mine);
    const url = `/upload-visits/${other}/files/${file}`;
    expect((await lab.call('HEAD', url, { headers: tus })).statusCode).toBe(404);
    expect((await patch(url, 0, Buffer.alloc(1))).statusCode).toBe(404);
    expect((await lab.call('DELETE', url, { headers: tus })).statusCode).toBe(404);
    expect(faults(await send(other, [file]))).toEqual([['upload.notFound', `files.${file}`]]);
    expect((await lab.call('GET', `/uploads/${file}`, { as: ana })).statusCode).toBe(404);
    expect((await lab.call('GET', `/upload-visits/${mine}/files/${file}`)).statusCode).toBe(404);
    const wrong = await lab.call('GET', `/upload-visits/${'A'.repeat(43)}`);
    expect([wrong.statusCode, wrong.body]).toEqual([404, (await open('no-such-page')).body]);
  });

  test('keeps its secret only as a hash', async () => {
    const visit = await visitOf();
    expect(Buffer.from(visit, 'base64url')).toHaveLength(32);
    const rows = await lab.deps.db.asHost((tx) => tx.uploadVisit.findMany());
    expect(JSON.stringify(rows.map((row) => [row, Buffer.from(row.secretHash).toString()]))).not.toContain(visit);
  });

  test('takes a limited number of files; a removed one makes room', async () => {
    const visit = await visitOf();
    const urls: string[] = [];
    for (let no = 0; no < 20; no += 1) urls.push(String((await create(visit, 10)).headers.location));
    expect(faults(await create(visit, 10))).toEqual([['upload.tooMany', undefined]]);
    await lab.call('DELETE', String(urls[0]).replace('/api', ''), { headers: tus });
    expect((await create(visit, 10)).statusCode).toBe(201);
  });

  test('ends after a day, with all that was not submitted', async () => {
    const visit = await visitOf();
    const file = await put(visit);
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update upload_visits set expires_at = now() where id = (select principal->>'id' from uploads where id = ${file})`,
    );
    expect((await send(visit, [file])).statusCode).toBe(404);
    await sweepUploads(lab.deps, lab.deps.uploads);
    expect(await sizeOnDisk(lab.deps, file)).toBeUndefined();
    const row = await lab.deps.db.asHost((tx) => tx.upload.findFirst({ where: { id: file } }));
    expect(row?.state).toBe('Expired');
  });
});

describe('uploads at the same moment', () => {
  const size = 1_000;
  const begun: ClientRequest[] = [];
  /** Sends half of a file and goes on holding the connection. Resolves when its bytes are being written. */
  async function holdOpen(visit: string): Promise<string> {
    const path = String((await create(visit, size)).headers.location);
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const held = request(`${origin}${path}`, { method: 'PATCH', headers: { ...headers, 'content-length': size } });
    held.on('error', () => undefined);
    held.write(Buffer.alloc(size / 2));
    begun.push(held);
    const id = path.split('/').at(-1) ?? '';
    const find = { where: { id }, select: { metadata: true } };
    const writing = async () => (await lab.deps.db.asHost((tx) => tx.upload.findFirst(find)))?.metadata;
    await expect.poll(writing).toHaveProperty('until');
    return path.replace('/api', '');
  }
  afterEach(async () => {
    for (const held of begun.splice(0)) held.destroy();
    const left = () =>
      lab.deps.db.asHost(
        (tx) => tx.$queryRaw`select id from uploads where (metadata ->> 'until')::timestamptz > clock_timestamp()`,
      );
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  });
  const told = ({ statusCode, headers, envelope }: Answer<unknown>) => [
    ...[statusCode, headers['retry-after']],
    ...(envelope?.errors ?? []).map(({ code }) => code),
  ];

  test('an address uploads three files at once in however many visits; the next is told when to ask, and goes on then', async () => {
    const [visit, other] = [await visitOf(), await visitOf()];
    const waiting = String((await create(other, size)).headers.location).replace('/api', '');
    const open = [await holdOpen(visit), await holdOpen(visit), await holdOpen(visit)];
    const bytes = randomBytes(size);
    // Before a file is begun, before its bytes are sent, and in place of them.
    expect(told(await create(other, size))).toEqual([429, '2', 'upload.busy']);
    const asked = await lab.call('HEAD', waiting, { headers: tus });
    expect([asked.statusCode, asked.headers['retry-after']]).toEqual([423, '2']);
    expect(told(await patch(waiting, 0, bytes))).toEqual([429, '2', 'upload.busy']);
    // Somebody at another address does not wait for them.
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const url = `/api${String((await createFrom('192.0.2.7', other)).headers.location).replace('/api', '')}`;
    const elsewhere = { method: 'PATCH', url, remoteAddress: '192.0.2.7', headers, payload: bytes } as const;
    expect((await lab.app.inject(elsewhere)).statusCode).toBe(204);
    // A file that is sent anew by its own sender is no further one.
    expect((await lab.call('HEAD', open[0] ?? '', { headers: tus })).statusCode).toBe(200);
    expect((await patch(waiting, 0, bytes)).statusCode).toBe(204);
  });

  const createFrom = (remoteAddress: string, visit: string) =>
    lab.app.inject({
      ...{ method: 'POST', url: `/api/upload-visits/${visit}/files`, remoteAddress },
      headers: { ...tus, 'upload-length': String(size), 'upload-metadata': `filename ${btoa('card.pdf')}` },
    });

  test('a subscriber has fifty, a sender five; other subscribers are not kept waiting', async () => {
    const visit = await visitOf();
    await create(visit, size);
    const fill = (most: number, sender: string) =>
      lab.deps.db.asHost(
        (tx) => tx.$executeRaw`
          insert into uploads
          select (jsonb_populate_record(one, jsonb_build_object(
                   'id', one.id || ${sender}::text || n,
                   'principal', jsonb_build_object('kind', 'user', 'id', coalesce(nullif(${sender}, ''), 'other' || n)),
                   'metadata', jsonb_build_object('until', clock_timestamp() + interval '1 minute')))).*
            from uploads one, generate_series(1, ${most}::int) n
           where one.subscriber_id = ${ana.subscriberId} and one.state = 'Open'
             and one.id = (select max(id) from uploads where subscriber_id = ${ana.subscriberId} and length(id) < 40)`,
      );
    const beginAs = (as: SignedIn) =>
      lab.call('POST', '/uploads', {
        as,
        headers: { ...tus, 'upload-length': '9', 'upload-metadata': `filename ${btoa('card.pdf')}` },
      });
    const clear = () =>
      lab.deps.db.asHost((tx) => tx.$executeRaw`delete from uploads where (metadata ->> 'until') is not null`);
    expect(await fill(4, ana.id)).toBe(4);
    expect((await beginAs(ana)).statusCode).toBe(201);
    await clear();
    expect(await fill(5, ana.id)).toBe(5);
    expect(told(await beginAs(ana))).toEqual([429, '2', 'upload.busy']);
    await clear();
    expect(await fill(49, '')).toBe(49);
    expect((await beginAs(ana)).statusCode).toBe(201);
    await clear();
    expect(await fill(50, '')).toBe(50);
    expect(told(await beginAs(ana))).toEqual([429, '2', 'upload.busy']);
    expect(told(await create(visit, size))).toEqual([429, '2', 'upload.busy']);
    expect((await beginAs(stranger)).statusCode).toBe(201);
    await clear();
  });
});

describe('a page that is not there', () => {
  test('unknown, not public, without a workflow, and private without its code are one answer', async () => {
    const none = await open('nobody-knows');
    expect(none.statusCode).toBe(404);
    const dark = await organize(ana, 'Dark', { slug: 'dark-page', workflowIds: [posters] });
    expect((await open('dark-page')).statusCode).toBe(200);
    await lab.call('PUT', `/organizations/${dark.id}`, {
      as: ana,
      body: { ...dark, uploadPage: { ...dark.uploadPage, isPublic: false } },
    });
    const off = await publish(ana, 'Off', {}, { ways: { uploadPage: false } });
    await organize(ana, 'Off', { slug: 'no-way-in', workflowIds: [off] });
    const unset = await publish(ana, 'Unset', { variables: [{ name: 'secret', type: 'String', isRequired: true }] });
    await organize(ana, 'Unset', { slug: 'cannot-be-set', workflowIds: [unset] });
    const shut = await organize(ana, 'Shut', { slug: 'shut-page', workflowIds: [posters] });
    const { code } = (await lab.call<{ code: string }>('POST', `/organizations/${shut.id}/upload-code`, { as: ana }))
      .result;
    const answers = [
      await open('dark-page'),
      await open('no-way-in'),
      await open('cannot-be-set'),
      await open('shut-page'),
      await open('shut-page', `${code.slice(0, -1)}_`),
      await begin('dark-page'),
      await begin('shut-page', { code: 'x' }),
    ];
    for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([404, none.body]);

    expect((await open('SHUT-page', code)).result.house.organization.name).toBe('Shut');
    const visit = await visitOf('shut-page', { code });
    const file = await put(visit);
    // A new code ends what was begun with the old one.
    await lab.call('POST', `/organizations/${shut.id}/upload-code`, { as: ana });
    expect((await send(visit, [file], { workflowId: posters })).statusCode).toBe(404);
    expect((await open('shut-page', code)).statusCode).toBe(404);
  });

  test('ends visits when it is no longer public', async () => {
    const page = await organize(ana, 'Short', { slug: 'short-lived', workflowIds: [posters] });
    const visit = await visitOf('short-lived');
    await lab.call('PUT', `/organizations/${page.id}`, {
      as: ana,
      body: { ...page, uploadPage: { ...page.uploadPage, isPublic: false } },
    });
    expect((await create(visit, 10)).statusCode).toBe(404);
  });
});

test('it may be framed by the pages that its organization names, and by no others', async () => {
  const policyOf = async (url: string) =>
    String((await lab.app.inject({ url, headers: { accept: 'text/html' } })).headers['content-security-policy']);
  expect(await policyOf('/upload/acme')).toContain('frame-ancestors https://acme.example');
  expect(await policyOf('/upload/short-lived')).toContain("frame-ancestors 'none'");
  expect(await policyOf('/upload/acme/x')).toContain("frame-ancestors 'none'");
  expect(await policyOf('/proofing-preview')).toContain("frame-ancestors 'self'");
  expect(await policyOf('/proofing')).toContain("frame-ancestors 'none'");
});

test('what the plan has no room for is refused before its bytes, and what was taken runs on', async () => {
  const visit = await visitOf();
  const taken = await put(visit);
  const setPlan = (quotas: object) =>
    lab.deps.db.asHost((tx) =>
      tx.subscriber.update({
        where: { id: ana.subscriberId },
        data: { plan: toJson(subscriberPlanSchema.parse({ quotas })) },
      }),
    );
  try {
    await setPlan({ uploadBytes: 1_000 });
    expect(faults(await create(visit, 1_001))).toEqual([['file.tooLarge', undefined]]);
    await setPlan({ storageBytes: 1 });
    expect(faults(await create(visit, 10))).toEqual([['quota.storage', undefined]]);
    await setPlan({ sessionsPerMonth: 1 });
    expect(faults(await create(visit, 10))).toEqual([['quota.sessions', undefined]]);
  } finally {
    await setPlan({});
  }
  expect((await send(visit, [taken])).statusCode).toBe(200);
});

test('a page takes so many bytes a day', async () => {
  await organize(ana, 'Busy', { slug: 'busy-page', workflowIds: [posters] });
  const visit = await visitOf('busy-page');
  const size = 3.5 * 1024 ** 3;
  for (let no = 0; no < 2; no += 1) expect((await create(visit, size)).statusCode).toBe(201);
  expect(faults(await create(visit, size))).toEqual([['upload.pageFull', undefined]]);
});

test('a page takes so many files a day, whoever brings them', async () => {
  const page = await organize(ana, 'Crowded', { slug: 'crowded-page', workflowIds: [posters] });
  expect((await create(await visitOf('crowded-page'), 10)).statusCode).toBe(201);
  // As those of 198 other visits.
  await lab.deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into uploads
      select (jsonb_populate_record(one, jsonb_build_object(
               'id', one.id || n, 'principal', one.principal || jsonb_build_object('id', 'other' || n)))).*
        from uploads one, generate_series(1, 198) n where one.organization_id = ${page.id}`,
  );
  expect((await create(await visitOf('crowded-page'), 10)).statusCode).toBe(201);
  const late = await visitOf('crowded-page');
  expect(faults(await create(late, 10))).toEqual([['upload.pageFull', undefined]]);
  // Other pages take on, and so does this one when a day has passed.
  expect((await create(await visitOf(), 10)).statusCode).toBe(201);
  await lab.deps.db.asHost(
    (tx) =>
      tx.$executeRaw`update uploads set created_at = created_at - interval '1 day' where organization_id = ${page.id}`,
  );
  expect((await create(late, 10)).statusCode).toBe(201);
});

describe('limits of an address', () => {
  let narrow: Lab;
  const slug = 'narrow-page';
  beforeAll(async () => {
    narrow = await startLab({ limitFactor: 1, variables: { CAPTCHA_PROVIDER: 'altcha' } });
  }, 120_000);
  afterAll(() => narrow.stop());

  test('an address begins so many files an hour, in however many visits; another one still does', async () => {
    const subscriberId = await narrow.makeSubscriber('Diligent');
    const organizationId = newId('organization');
    const secrets = ['first', 'second'].map((name) => Buffer.from(name.padEnd(32, '.')).toString('base64url'));
    const workflowId = newId('workflow');
    const definition = workflowDefinitionSchema.parse({ steps: [{ id: 'inject', kind: 'Inject' }], edges: [] });
    await narrow.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: workflowId, name: 'Cards', draft: {}, publishedNo: 1 } });
      const version = { id: newId('workflowVersion'), workflowId, no: 1, profiles: {}, hash: '' };
      await tx.workflowVersion.create({ data: { ...version, definition: toJson(definition) } });
      const named = { name: 'Diligent', isPublic: true, uploadSlug: 'diligent-page' };
      await tx.organization.create({ data: { id: organizationId, ...named } });
      await tx.organizationWorkflow.create({ data: { organizationId, workflowId } });
      for (const [at, secret] of secrets.entries())
        await tx.uploadVisit.create({
          data: {
            ...{ id: newId('uploadVisit'), organizationId, reference: `TEST-000${at}` },
            ...{ secretHash: hashOf(secret), expiresAt: new Date(Date.now() + 3_600_000) },
          },
        });
    });
    const beginFrom = (remoteAddress: string, visit = '') =>
      narrow.app.inject({
        ...{ method: 'POST', url: `/api/upload-visits/${visit}/files`, remoteAddress },
        headers: {
          ...tus,
          'upload-length': '10',
          'upload-metadata': `filename ${Buffer.from('card.pdf').toString('base64')}`,
        },
      });
    for (let no = 0; no < 20; no += 1) {
      const begun = await beginFrom('192.0.2.1', secrets[no % 2]);
      expect(begun.statusCode, begun.body).toBe(201);
    }
    const refused = await beginFrom('192.0.2.1', secrets[0]);
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([429, 'request.rateLimited']);
    expect((await beginFrom('192.0.2.2', secrets[0])).statusCode).toBe(201);
  });

  test('pages and codes can be guessed a few times only, and a visit needs a captcha', async () => {
    const subscriberId = await narrow.makeSubscriber('Narrow');
    await narrow.deps.db.withSubscriber({ subscriberId }, (tx) =>
      tx.organization.create({ data: { id: newId('organization'), name: slug, isPublic: true, uploadSlug: slug } }),
    );
    const visit = await narrow.call('POST', `/upload-pages/${slug}/visits`, { body: { captcha: 'nonsense' } });
    expect(faults(visit)).toEqual([['auth.captchaFailed', undefined]]);
    const statuses: number[] = [];
    for (let tries = 0; tries < 70; tries += 1)
      statuses.push((await narrow.call('POST', '/upload-pages/guessed', { body: {} })).statusCode);
    expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});
