import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  archivingFormSchema,
  type Permission,
  type Profile,
  type SystemSettings,
  storedSecretMark,
  valueFaultOf,
} from '@pdf2press/contract';
import { archivingKeysPurpose } from '@pdf2press/engine';
import { revealSecret } from '@pdf2press/engine/secrets';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-buckets-'));
let s3: TestS3;
let lab: Lab;
let owner: SignedIn;
let clerk: SignedIn;
let subscriberId: string;

beforeAll(async () => {
  s3 = await startTestS3(folder, { buckets: ['house', 'deep'] });
  lab = await startLab({ variables: { ARCHIVE_ENDPOINT: s3.endpoint } });
  const home = await lab.makeSubscriber('Paper + Ink');
  subscriberId = home;
  owner = await lab.signIn(await lab.makeAdministrator(home, 'ana@example.com'));
  const few: Permission[] = ['archiving.view', 'archiving.manage', 'workflows.view', 'workflows.create'];
  clerk = await lab.signIn(await lab.makePerson(home, 'clerk@example.com', few));
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: owner });
  const config = { accessKey: 'S3RVER', bucketName: 'house', region: 'us-east-1', secretKey: 'S3RVER' };
  const archivingSettings = { ...result.archivingSettings, enabled: true, config };
  const saved = await lab.call('PUT', '/SystemSettings', { as: owner, body: { ...result, archivingSettings } });
  expect(saved.statusCode).toBe(200);
});
afterAll(async () => {
  await lab.stop();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const create = (name: string, settings: object, as = owner) =>
  lab.call<Profile>('POST', '/profiles/archiving', { as, body: { name, settings } });
const denied = { statusCode: 403, envelope: { errors: [{ code: 'access.denied' }] } };

test('a bucket is chosen only by those who may set the archive in the settings', async () => {
  expect(await create('sent away', { bucketName: 'deep' }, clerk)).toMatchObject(denied);
  expect(await create('sent away', { region: 'eu-west-1' }, clerk)).toMatchObject(denied);
  expect((await create('of the house', {}, clerk)).statusCode).toBe(201);

  const { result } = await create('kept deep', { bucketName: 'deep' });
  expect(result.settings).toMatchObject({ bucketName: 'deep', region: '' });
  let { version } = result;
  const save = async (settings: object, as = clerk) => {
    const url = `/profiles/archiving/${result.id}`;
    const answer = await lab.call<Profile>('PUT', url, { as, body: { name: 'kept deep', settings, version } });
    if (answer.statusCode === 200) version = answer.result.version;
    return answer;
  };
  expect(await save({ ...result.settings, afterDays: 3 })).toMatchObject({ statusCode: 200 });
  for (const change of [{ bucketName: 'house' }, { bucketName: '' }, { region: 'eu-west-1' }])
    expect(await save({ ...result.settings, ...change })).toMatchObject(denied);
  const { result: kept } = await lab.call<Profile>('GET', `/profiles/archiving/${result.id}`, { as: clerk });
  expect([kept.version, kept.settings]).toMatchObject([2, { afterDays: 3, bucketName: 'deep', region: '' }]);
  expect(await save({ ...result.settings, bucketName: '' }, owner)).toMatchObject({ statusCode: 200 });
});

test('a bucket does not come with an imported workflow either', async () => {
  const archive = { id: 'prf_a', kind: 'archiving', name: 'sent away', settings: { bucketName: 'deep' } };
  const step = { id: 'a', kind: 'Preflight', name: 'Check', settings: { profileId: 'prf_a' } };
  const carried = (settings: object) => ({
    format: 'pdf2press-workflow',
    formatVersion: 1,
    name: 'Carried',
    definition: { steps: [step] },
    profiles: [{ ...archive, settings }],
  });
  const bring = (settings: object) => lab.call('POST', '/workflows/import', { as: clerk, body: carried(settings) });
  expect(await bring({ bucketName: 'deep' })).toMatchObject(denied);
  expect((await bring({})).statusCode, 'it is the bucket that was refused').toBe(201);
});

test.each([{ bucketName: 'b@evil.example/' }, { bucketName: 'UPPER' }, { region: 'x.evil.example' }])(
  '%o names no bucket',
  async (settings) => {
    const answer = await create('elsewhere', settings);
    expect([answer.statusCode, answer.envelope.errors[0]?.code]).toEqual([422, 'profile.invalid']);
  },
);

test('the bucket is tried with the keys of the settings, and nothing is left in it', async () => {
  const tried = (body: object, as = owner) => lab.call('POST', '/profiles/archiving-test', { as, body });
  expect(await tried({ bucketName: 'deep' })).toMatchObject({ statusCode: 200, result: { isConnected: true } });
  expect(await tried({}), 'that of the settings').toMatchObject({ statusCode: 200 });
  expect(await tried({ bucketName: 'nowhere' })).toMatchObject({
    statusCode: 502,
    envelope: { errors: [{ code: 'archiving.connectionFailed', params: { stage: 'write' } }] },
  });
  expect(await tried({ bucketName: 'deep' }, clerk)).toMatchObject(denied);
  const own = { bucketName: 'deep', accessKey: 'S3RVER', secretKey: 'S3RVER' };
  expect(await tried(own), 'keys of its own').toMatchObject({ statusCode: 200 });
  for (const wrong of [{ accessKey: 'OTHER' }, { secretKey: 'another secret' }])
    expect(await tried({ ...own, ...wrong })).toMatchObject({
      statusCode: 502,
      envelope: { errors: [{ code: 'archiving.connectionFailed', params: { stage: 'write' } }] },
    });
  const left = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('_object'));
  expect(left).toEqual([]);
});

const keys = { bucketName: 'deep', accessKey: 'S3RVER', secretKey: 'the secret of the policy' };

test('keys of a policy are encrypted, never come out, and stay with a mark', async () => {
  const made = await create('with keys', keys);
  expect(made.result.settings).toMatchObject({ accessKey: 'S3RVER', secretKey: storedSecretMark });
  const url = `/profiles/archiving/${made.result.id}`;
  const save = (settings: object, version: number, as = owner) =>
    lab.call<Profile>('PUT', url, { as, body: { name: 'with keys', settings, version } });
  const stored = () =>
    lab.deps.db.withSubscriber({ subscriberId }, async (tx) => {
      const rows = await tx.profileVersion.findMany({ where: { profileId: made.result.id }, orderBy: { no: 'desc' } });
      expect(JSON.stringify(rows)).not.toContain('secret of the policy');
      const { secretId: id } = (rows[0]?.settings ?? { secretId: '' }) as { secretId: string };
      const text = await revealSecret(tx, lab.deps.keys, { subscriberId, id, purpose: archivingKeysPurpose });
      return { id, keys: JSON.parse(text) as object };
    });
  const first = await stored();
  expect(first.keys).toEqual({ accessKey: 'S3RVER', secretKey: 'the secret of the policy' });

  const changed = await save({ ...made.result.settings, afterDays: 2 }, 1, clerk);
  expect(changed).toMatchObject({ statusCode: 200, result: { settings: { secretKey: storedSecretMark } } });
  expect(await stored()).toEqual(first);
  const list = await lab.call('GET', '/profiles/archiving', { as: owner });
  const read = await lab.call('GET', url, { as: clerk });
  for (const { body } of [made, changed, list, read]) expect(body).not.toMatch(/secret of the policy|secretId/);

  const { settings } = changed.result;
  for (const change of [
    { secretKey: 'mine' },
    { accessKey: '', secretKey: '' },
    { accessKey: 'MINE', secretKey: 'mine' },
  ])
    expect(await save({ ...settings, ...change }, 2, clerk)).toMatchObject(denied);
  expect(await save({ ...settings, accessKey: 'OTHER' }, 2), 'a stored secret is of its access key').toMatchObject({
    statusCode: 422,
    envelope: { errors: [{ code: 'value.required', field: 'settings.secretKey' }] },
  });

  expect((await save({ ...settings, accessKey: 'NEW', secretKey: 'new' }, 2)).statusCode).toBe(200);
  expect(await stored(), 'replaced for the same bucket').toEqual({
    id: first.id,
    keys: { accessKey: 'NEW', secretKey: 'new' },
  });
  const moved = await save({ ...settings, accessKey: 'NEW', bucketName: 'house' }, 3);
  expect(moved.statusCode).toBe(200);
  const elsewhere = await stored();
  expect(elsewhere.id, 'what lies in the old bucket keeps its keys').not.toBe(first.id);
  expect(elsewhere.keys).toEqual({ accessKey: 'NEW', secretKey: 'new' });
  const bare = await save({ ...settings, accessKey: '', secretKey: '' }, 4);
  expect(bare.result.settings).not.toHaveProperty('secretKey');
});

test('a stored secret is tried with its policy only', async () => {
  const { result } = await create('tried with stored keys', { ...keys, secretKey: 'S3RVER' });
  const body = { bucketName: 'deep', accessKey: 'S3RVER', secretKey: storedSecretMark };
  const tried = (more: object) =>
    lab.call('POST', '/profiles/archiving-test', { as: owner, body: { ...body, ...more } });
  expect(await tried({ id: result.id })).toMatchObject({ statusCode: 200 });
  expect(await tried({})).toMatchObject({ statusCode: 422 });
  expect(await tried({ id: result.id, accessKey: 'OTHER' })).toMatchObject({ statusCode: 422 });
});

test.each([
  [{ accessKey: 'A', bucketName: 'deep' }, 'value.required', 'settings.secretKey'],
  [{ secretKey: 's', bucketName: 'deep' }, 'value.required', 'settings.accessKey'],
  [{ accessKey: 'A', secretKey: 's' }, 'value.required', 'settings.bucketName'],
  [{ bucketName: 'Not A Bucket' }, 'value.bucketName', 'settings.bucketName'],
  [{ region: 'eu.central' }, 'value.regionName', 'settings.region'],
])('%o is refused as the form refuses it', async (settings, code, field) => {
  const answer = await create('not whole', settings);
  expect(answer).toMatchObject({ statusCode: 422 });
  expect(answer.envelope.errors).toContainEqual(expect.objectContaining({ code, field }));
  const said = archivingFormSchema.safeParse(settings, { reportInput: true }).error?.issues ?? [];
  expect(said.map((issue) => [valueFaultOf(issue).code, `settings.${issue.path.join('.')}`])).toEqual([[code, field]]);
});

test('the settings take no name that no bucket can have', async () => {
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: owner });
  const save = (config: object) => {
    const { archivingSettings: held } = result;
    const archivingSettings = { ...held, config: { ...held.config, ...config } };
    return lab.call('PUT', '/SystemSettings', { as: owner, body: { ...result, archivingSettings } });
  };
  const refused = await save({ bucketName: 'Not A Bucket' });
  expect(refused.statusCode).toBe(400);
  expect(refused.envelope.errors).toContainEqual(
    expect.objectContaining({ code: 'value.bucketName', field: 'archivingSettings.config.bucketName' }),
  );
  expect((await save({ region: 'eu.west' })).envelope.errors[0]?.code).toBe('value.regionName');
  expect((await save({ bucketName: '' })).statusCode, 'none is one, too').toBe(200);
});
