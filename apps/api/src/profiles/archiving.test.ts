import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Permission, Profile, SystemSettings } from '@pdf2press/contract';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-buckets-'));
let s3: TestS3;
let lab: Lab;
let owner: SignedIn;
let clerk: SignedIn;

beforeAll(async () => {
  s3 = await startTestS3(folder, { buckets: ['house', 'deep'] });
  lab = await startLab({ variables: { ARCHIVE_ENDPOINT: s3.endpoint } });
  const home = await lab.makeSubscriber('Paper + Ink');
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
  const left = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('_object'));
  expect(left).toEqual([]);
});
