import { deflateSync } from 'node:zlib';
import {
  type Organization,
  type OrganizationSummary,
  permissions,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { newId, storedAs, toJson } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form } from '../testing/form.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let home: string;
let admin: SignedIn;
let eve: SignedIn;
let workflowId: string;
let otherWorkflowId: string;

beforeAll(async () => {
  lab = await startLab();
  home = await lab.makeSubscriber('Home Print');
  admin = await lab.signIn(await lab.makeAdministrator(home, 'admin@example.com'));
  eve = await lab.signIn(await lab.makePerson(home, 'eve@example.com', ['sessions.view', 'organizations.view']));
  [workflowId, otherWorkflowId] = [newId('workflow'), newId('workflow')];
  const draft = workflowDefinitionSchema.parse({
    variables: [
      { name: 'copies', type: 'Number', isPublic: true },
      { name: 'cost', type: 'Number' },
    ],
  });
  await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) =>
    tx.workflow.createMany({
      data: [
        { id: workflowId, name: 'Flyers', draft: toJson(draft) },
        { id: otherWorkflowId, name: 'Cards', draft: toJson(draft) },
      ],
    }),
  );
});
afterAll(() => lab.stop());

const page = (more: object = {}) => ({ isPublic: true, slug: 'acme', workflowIds: [workflowId], ...more });
const make = (body: object, as = admin) => lab.call<Organization>('POST', '/organizations', { as, body });
const change = (id: string, body: object, as = admin) =>
  lab.call<Organization>('PUT', `/organizations/${id}`, { as, body });
const list = (query = '', as = admin) =>
  lab.call<{ items: OrganizationSummary[] }>('GET', `/organizations${query}`, { as });
const codeOf = ({ envelope }: { envelope: { errors: { code: string; field?: string | undefined }[] } }) =>
  envelope.errors.map(({ code, field }) => [code, field]);
const acts = (object: string) =>
  lab.deps.db.withSubscriber({ subscriberId: home }, async (tx) =>
    (await tx.auditEntry.findMany({ where: { object }, orderBy: { no: 'asc' } })).map(({ act }) => act),
  );

/** One chunk of a PNG; the checksum is that of PNG, 1.2 Annex D. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  let sum = 0xffffffff;
  for (const byte of body) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE((sum ^ 0xffffffff) >>> 0);
  return Buffer.concat([size, body, check]);
}
/** A grey PNG with a text beside the pixels. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from('Comment\0written beside the pixels')),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const draw = (bytes: Uint8Array) => {
  const { body, headers } = form({}, { name: 'logo.png', bytes });
  return lab.call<{ logo: string; width: number; height: number }>('POST', '/logos', { as: admin, body, headers });
};

test('an organization is made, changed and read back whole, and each act is in the audit', async () => {
  const { result } = await make({
    name: 'Acme',
    color: '#0D9494',
    replyTo: 'prepress@acme.example',
    culture: 'fr-FR',
    unit: 'Inches',
    members: [{ id: eve.id }],
    uploadPage: page({
      defaultWorkflowId: workflowId,
      defaults: { copies: '500', cost: 1, other: 'x' },
      frameOrigins: ['https://acme.example'],
    }),
  });
  expect(result).toMatchObject({
    color: '#0d9494',
    unit: 'Inches',
    members: [{ email: 'eve@example.com', isRestricted: false }],
    // Only public variables have a value, of their type.
    uploadPage: { defaults: { copies: 500 }, hasCode: false, defaultWorkflowId: workflowId },
  });
  expect(result.uploadPage.address).toMatch(/\/upload\/acme$/);
  const { id } = result;
  expect((await change(id, { ...result, name: 'Acme Print' })).result.name).toBe('Acme Print');
  const { code } = (await lab.call<{ code: string }>('POST', `/organizations/${id}/upload-code`, { as: admin })).result;
  expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  expect((await lab.call<Organization>('GET', `/organizations/${id}`, { as: admin })).body).not.toContain(code);
  expect(await acts(id)).toEqual(['organization.create', 'organization.update', 'organization.makeCode']);
});

test('what cannot be is refused at its field', async () => {
  expect(codeOf(await make({ name: 'B', uploadPage: page() }))).toEqual([['resource.nameTaken', 'uploadPage.slug']]);
  expect(codeOf(await make({ name: 'B', uploadPage: { isPublic: true } }))).toEqual([
    ['value.required', 'uploadPage.slug'],
    ['value.required', 'uploadPage.workflowIds'],
  ]);
  const wrong = page({ slug: 'b-print', defaults: { copies: 'many' } });
  expect(codeOf(await make({ name: 'B', uploadPage: wrong }))).toEqual([
    ['workflow.variableInvalid', 'uploadPage.defaults.copies'],
  ]);
  const { id } = (await make({ name: 'Other' })).result;
  await lab.deps.db.withSubscriber({ subscriberId: home }, (tx) =>
    tx.workflow.update({ where: { id: otherWorkflowId }, data: { organizationId: id } }),
  );
  const taken = await make({ name: 'B', uploadPage: page({ slug: 'b-print', workflowIds: [otherWorkflowId] }) });
  expect(codeOf(taken)).toEqual([['organization.workflowTaken', 'uploadPage.workflowIds']]);
  // Of what was refused nothing is left.
  expect((await list()).result.items.map(({ name }) => name)).toEqual(['Acme Print', 'Other']);
});

test('the list is sorted and filtered by the server', async () => {
  const names = async (query: string) => (await list(query)).result.items.map(({ name }) => name);
  expect(await names('?sort=name&direction=desc')).toEqual(['Other', 'Acme Print']);
  expect(await names('?sort=members&direction=desc')).toEqual(['Acme Print', 'Other']);
  expect(await names('?pages=private')).toEqual(['Acme Print']);
  expect(await names('?pages[]=public&pages[]=none')).toEqual(['Other']);
  expect(await names('?search=acm')).toEqual(['Acme Print']);
});

test('each part takes its own permission', async () => {
  const own = async (name: string, held: readonly string[]) =>
    lab.signIn(
      await lab.makePerson(
        home,
        `${name}@example.com`,
        permissions.filter((one) => held.includes(one)),
      ),
    );
  const looks = await own('looks', ['organizations.view', 'organizations.manage']);
  const pages = await own('pages', ['organizations.view', 'organizations.uploadPage.manage']);
  const other = (await list('?search=Other')).result.items[0]?.id ?? '';
  const whole = (await lab.call<Organization>('GET', `/organizations/${other}`, { as: admin })).result;
  const denied = [['access.denied', undefined]];
  expect(codeOf(await change(other, { ...whole, color: '#112233' }, pages))).toEqual(denied);
  expect(codeOf(await change(other, { ...whole, uploadPage: page({ slug: 'other' }) }, looks))).toEqual(denied);
  expect(codeOf(await change(other, { ...whole, members: [{ id: eve.id, isRestricted: true }] }, looks))).toEqual(
    denied,
  );
  expect((await change(other, { ...whole, color: '#112233' }, looks)).result.color).toBe('#112233');
  const opened = await change(other, { ...whole, color: '#112233', uploadPage: page({ slug: 'other' }) }, pages);
  expect(opened.result.uploadPage).toMatchObject({ isPublic: true, slug: 'other' });
});

test('whoever is limited to an organization sees that one and no other', async () => {
  const other = (await list('?search=Other')).result.items[0]?.id ?? '';
  const whole = (await lab.call<Organization>('GET', `/organizations/${other}`, { as: admin })).result;
  await change(other, { ...whole, members: [{ id: eve.id, isRestricted: true }] });
  const acme = (await list('?search=Acme')).result.items[0];
  expect((await list('', eve)).result.items.map(({ name }) => name)).toEqual(['Acme Print', 'Other']);
  const without = (await lab.call<Organization>('GET', `/organizations/${acme?.id}`, { as: admin })).result;
  await change(acme?.id ?? '', { ...without, members: [] });
  expect((await list('', eve)).result.items.map(({ name }) => name)).toEqual(['Other']);
  expect((await lab.call('GET', `/organizations/${acme?.id}`, { as: eve })).statusCode).toBe(404);
});

test('a logo is drawn anew, is found by its signed name only, and a picture that is none is refused', async () => {
  const { result } = await draw(png(1600, 400));
  expect(result).toMatchObject({ width: 800, height: 200 });
  const shown = await lab.call('GET', `/logos/${result.logo}`);
  expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
  expect(shown.rawPayload.subarray(1, 4).toString()).toBe('PNG');
  expect(shown.rawPayload.includes('written beside')).toBe(false);
  const [subscriberId, sha256, mark = ''] = result.logo.split('.');
  const forged = [`${subscriberId}.${sha256}.${'A'.repeat(mark.length)}`, `${subscriberId}.${'0'.repeat(64)}.${mark}`];
  for (const name of forged) {
    expect((await lab.call('GET', `/logos/${name}`)).statusCode).toBe(404);
    expect(codeOf(await make({ name: 'C', pageLogo: name }))).toEqual([['logo.notAccepted', 'pageLogo']]);
  }
  for (const bytes of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('%PDF-1.7'),
    png(64, 64).subarray(0, 90),
  ])
    expect(codeOf(await draw(bytes))).toEqual([['logo.notAccepted', 'file']]);
  expect((await draw(Buffer.alloc(5 * 1024 * 1024 + 1))).statusCode).toBe(413);
  const { id } = (await make({ name: 'C', pageLogo: result.logo, emailLogo: result.logo })).result;
  expect((await lab.call<Organization>('GET', `/organizations/${id}`, { as: admin })).result.pageLogo).toBe(
    result.logo,
  );
});

test('whoever becomes a member is welcomed once, in the look of the organization, where it wants that', async () => {
  const mails = () =>
    lab.deps.db.withSubscriber({ subscriberId: home }, async (tx) => {
      const rows = await tx.effect.findMany({ where: { kind: 'mail' }, orderBy: { createdAt: 'asc' } });
      return rows
        .map(({ payload }) => storedAs<Record<string, unknown>>(payload))
        .filter(({ template }) => template === 'organizationWelcome');
    });
  const member = { id: eve.id, isRestricted: true };
  const silent = (await make({ name: 'Silent', members: [member] })).result;
  expect(silent.welcomesMembers).toBe(false);
  expect(await mails()).toEqual([]);
  const warm = { name: 'Warm', color: '#0d9494', replyTo: 'hello@warm.example', welcomesMembers: true };
  const { result } = await make({ ...warm, members: [member] });
  expect(result.welcomesMembers).toBe(true);
  const welcome = {
    to: 'eve@example.com',
    params: { organization: 'Warm' },
    path: '/',
    brand: { name: 'Warm', color: '#0d9494' },
    fromName: 'Warm',
    replyTo: 'hello@warm.example',
  };
  expect(await mails()).toMatchObject([welcome]);
  // Saved again, and left and come back: nobody is welcomed twice.
  await change(result.id, { ...result, name: 'Warm Print' });
  await change(result.id, { ...result, members: [] });
  await change(result.id, result);
  expect(await mails()).toHaveLength(1);
  await change(result.id, { ...result, members: [member, { id: admin.id }] });
  expect((await mails()).map(({ to }) => to)).toEqual(['eve@example.com', 'admin@example.com']);
  for (const { id } of [silent, result]) await lab.call('DELETE', `/organizations/${id}`, { as: admin });
});

test('deleting names what is unassigned, and does it; the address is free again', async () => {
  const other = (await list('?search=Other')).result.items[0]?.id ?? '';
  const usage = await lab.call('GET', `/organizations/${other}/usage`, { as: admin });
  expect(usage.result).toEqual({
    members: ['eve Test'],
    stranded: ['eve Test'],
    workflows: ['Cards', 'Flyers'],
    profiles: [],
    sessions: 0,
  });
  await lab.call('DELETE', `/organizations/${other}`, { as: admin });
  expect((await lab.call('GET', `/organizations/${other}`, { as: admin })).statusCode).toBe(404);
  const left = await lab.deps.db.withSubscriber({ subscriberId: home }, async (tx) => ({
    members: await tx.userOrganization.count({ where: { organizationId: other } }),
    offered: await tx.organizationWorkflow.count({ where: { organizationId: other } }),
    assigned: await tx.workflow.count({ where: { organizationId: other } }),
  }));
  expect(left).toEqual({ members: 0, offered: 0, assigned: 0 });
  expect((await list('', eve)).result.items).toEqual([]);
  expect(await acts(other)).toContain('organization.delete');
  expect((await make({ name: 'New', uploadPage: page({ slug: 'other' }) })).statusCode).toBe(201);
});
