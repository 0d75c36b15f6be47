import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ArchivingProfile, archivingProfileSchema, retentionProfileSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveSession, unarchiveSession } from '../commands/archive-commands.ts';
import { deleteSession, restartSession } from '../commands/session-commands.ts';
import { collectGarbage } from '../files/collect-garbage.ts';
import { archiveDue, readArchiveOverview } from '../retention/archive-due.ts';
import { keepSecret, openInstanceKeys } from '../secrets/secrets.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { giveSettings } from '../testing/settings.ts';
import { filledPrefix } from '../workflows/archiving-policy.ts';
import { moveToArchive } from './archive/run.ts';
import { removeFromArchive } from './archive-remove/run.ts';
import { archivingKeysPurpose } from './archiving.ts';
import { deliverDue } from './deliver.ts';
import { hashOf } from './hash-of.ts';
import { moveFromArchive } from './unarchive/run.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-archive-'));
let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let s3: TestS3;
let keys: Awaited<ReturnType<typeof openInstanceKeys>>;
let deliver: () => Promise<number>;
const context = () => ({ subscriberId: lab.subscriberId });

beforeAll(async () => {
  postgres = await startTestPostgres();
  lab = await openLab(postgres);
  s3 = await startTestS3(folder, { buckets: ['archive', 'deep', 'elsewhere'] });
  keys = await openInstanceKeys({ dataDir: lab.folder });
  const cacheFolder = path.join(lab.folder, 'archive-cache');
  deliver = async () => {
    await lab.sql.query(`update effects set next_at = now() where state = 'Pending'`);
    const options = { keys, endpoint: s3.endpoint, cacheFolder };
    const runs = {
      archive: moveToArchive(lab.deps, options),
      unarchive: moveFromArchive(lab.deps, options),
      archiveRemove: removeFromArchive(lab.deps, options),
    };
    return deliverDue(lab.deps, runs, { count: 10, stopped: new AbortController().signal });
  };
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    const secretKey = await keepSecret(tx, keys, { ...context(), purpose: 'archiving.secretKey', text: 'S3RVER' });
    await giveSettings(tx, lab.subscriberId, {
      archivingSettings: {
        config: { accessKey: 'S3RVER', bucketName: 'archive', region: 'us-east-1', secretKey },
        enabled: true,
        enableNotification: true,
        emailRecipient: 'archive@example.com',
      },
    });
  });
});
afterAll(async () => {
  await s3.stop();
  await lab.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a session that has ended. */
async function finished(key?: string): Promise<string> {
  const id = await lab.hand(key === undefined ? {} : { key });
  await lab.sql.query(`update step_runs set status = 'Canceled', ended_at = now() where session_id = $1`, [id]);
  await lab.sql.query(`update sessions set status = 'Completed', finished_at = now() where id = $1`, [id]);
  return id;
}
const stateOf = async (id: string) =>
  (await lab.sql.query('select archive_state::text as state from sessions where id = $1', [id])).rows[0].state;
const blobOf = async (id: string) =>
  (
    await lab.sql.query(
      `select sha256, verified_at, offloaded_at, removed_at from blobs where sha256 in (select sha256 from files where session_id = $1)`,
      [id],
    )
  ).rows[0];
const sizeHere = async (id: string) => lab.storage.sizeOf({ ...context(), sha256: (await blobOf(id)).sha256 });
/** Makes the blobs of a session a day older, so that garbage collection may remove them. */
async function aDayLater(id: string): Promise<void> {
  const { sha256 } = await blobOf(id);
  await lab.sql.query(
    `update blobs set verified_at = verified_at - interval '25 h', created_at = created_at - interval '25 h' where sha256 = $1`,
    [sha256],
  );
  const { utimes } = await import('node:fs/promises');
  const old = new Date(Date.now() - 25 * 3_600_000);
  const file = path.join(lab.folder, 'blobs', lab.subscriberId, sha256.slice(0, 2), sha256);
  await utimes(file, old, old).catch(() => undefined);
}

test('a session is archived once each copy was read back; the local bytes are removed a day later and come back unchanged', async () => {
  const id = await finished();
  await archiveSession(lab.deps, context(), { sessionId: id, by: tester });
  expect(await stateOf(id)).toBe('Archiving');
  await expect(deleteSession(lab.deps, context(), { sessionId: id, by: tester })).rejects.toThrow(
    'session.actionNotAllowed',
  );
  await deliver();
  expect(await stateOf(id)).toBe('Archived');
  expect((await blobOf(id)).verified_at).not.toBeNull();
  await collectGarbage(lab.deps);
  expect(await sizeHere(id), 'the first day both copies are kept').toBeGreaterThan(0);
  await aDayLater(id);
  await collectGarbage(lab.deps);
  expect(await sizeHere(id)).toBeUndefined();
  await expect(restartSession(lab.deps, context(), { sessionId: id, by: tester })).rejects.toThrow(
    'session.actionNotAllowed',
  );

  await unarchiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await deliver();
  expect(await stateOf(id)).toBe('Unarchived');
  expect(await sizeHere(id)).toBeGreaterThan(0);
  const mails = await lab.sql.query(
    `select payload->>'template' as template, payload->>'to' as reader from effects where kind = 'mail'`,
  );
  expect(mails.rows).toEqual([{ template: 'sessionArchived', reader: 'archive@example.com' }]);
  expect(await lab.broken()).toEqual([]);
});

test('a copy that is not what was sent is found when it is read back, and made anew', async () => {
  const key = 'damaged in the archive';
  const [first, second] = [await finished(key), await finished(`${key} again`)];
  const { sha256 } = await blobOf(first);
  await lab.sql.query(`update files set sha256 = $1 where session_id = $2`, [sha256, second]);
  await archiveSession(lab.deps, context(), { sessionId: first, by: tester });
  await deliver();
  expect(await stateOf(first)).toBe('Archived');
  const object = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (name) => name.includes(sha256) && name.endsWith('_object'),
  );
  const file = path.join(folder, object ?? '');
  writeFileSync(file, Buffer.alloc(readFileSync(file).length, 'x'));
  await archiveSession(lab.deps, context(), { sessionId: second, by: tester });
  await deliver();
  expect(await stateOf(second)).toBe('Archiving');
  await deliver();
  expect(await stateOf(second)).toBe('Archived');
  expect(readFileSync(file).every((byte) => byte === 0x78)).toBe(false);
});

test('bytes that another session still shows stay', async () => {
  const key = 'shared';
  const [first, second] = [await lab.hand({ key: `${key}` }), await finished()];
  const { sha256 } = await blobOf(first);
  await lab.sql.query(`update files set sha256 = $1 where session_id = $2`, [sha256, second]);
  await archiveSession(lab.deps, context(), { sessionId: second, by: tester });
  await deliver();
  expect(await stateOf(second)).toBe('Archived');
  await aDayLater(second);
  await collectGarbage(lab.deps);
  expect(await sizeHere(first)).toBeGreaterThan(0);
});

test('an archive that does not answer is tried for a day; then the session is as before, and people are notified', async () => {
  const id = await finished();
  await archiveSession(lab.deps, context(), { sessionId: id, by: tester });
  const right = s3.endpoint;
  s3.endpoint = 'http://127.0.0.1:9';
  await deliver();
  expect(await stateOf(id), 'tried again while it does not answer').toBe('Archiving');
  await lab.sql.query(`update effects set created_at = now() - interval '25 h' where state = 'Pending'`);
  await deliver();
  s3.endpoint = right;
  expect(await stateOf(id)).toBe('Unarchived');
  const told = await lab.sql.query(
    `select payload->>'template' as template from effects where kind = 'mail' order by created_at desc limit 1`,
  );
  expect(told.rows).toEqual([{ template: 'archivingFailed' }]);
  expect(await sizeHere(id)).toBeGreaterThan(0);
});

/** Makes a policy of the only workflow, or of others; `without` are settings that there were none of when it was saved. */
async function policy(
  settings: Partial<ArchivingProfile> & { secretId?: string } = {},
  without: readonly (keyof ArchivingProfile)[] = [],
): Promise<string> {
  const { secretId, ...given } = settings;
  const read = archivingProfileSchema.parse({ workflowIds: [lab.workflowId], ...given });
  const [id, whole] = [newId('profile'), { ...read, ...(secretId && { secretId }) }];
  for (const name of without) Reflect.deleteProperty(whole, name);
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    await tx.profile.create({ data: { id, kind: 'archiving', name: id, currentNo: 1 } });
    await tx.profileVersion.create({
      data: { id: newId('profileVersion'), profileId: id, no: 1, settings: whole },
    });
  });
  return id;
}
const endedAgo = (id: string, days: number) =>
  lab.sql.query(`update sessions set finished_at = now() - make_interval(days => $2) where id = $1`, [id, days]);
/** Every session of other tests is out of the way. */
const alone = (id: string) =>
  lab.sql.query(`update sessions set archive_not_before = now() + interval '1 year' where id <> $1`, [id]);
const objects = () =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('._S3rver_object'));

test('a policy archives what ended so many days ago under its prefix, and again when it has been back for its days', async () => {
  await lab.sql.query(`insert into features (subscriber_id, feature_key) values ($1, 'Archiving')`, [lab.subscriberId]);
  await lab.sql.query(`update workflows set name = 'Étiquettes & Co' where id = $1`, [lab.workflowId]);
  const id = await finished();
  await alone(id);
  await policy({ afterDays: 10, prefix: '/jobs/{workflow}/{year}-{month}', storageClass: 'STANDARD_IA', daysBack: 3 });
  await policy({ afterDays: 1, isEnabled: false });
  await policy({ afterDays: 1, workflowIds: [] });
  await endedAgo(id, 9);
  expect(await archiveDue(lab.deps)).toBe(0);
  const overview = () => lab.deps.database.withSubscriber(context(), (tx) => readArchiveOverview(tx, lab.subscriberId));
  expect((await overview()).dueSoon).toBe(1);
  await endedAgo(id, 10);
  expect(await archiveDue(lab.deps)).toBe(1);
  expect(await overview()).toMatchObject({
    isSetUp: true,
    underWay: [{ sessionId: id, state: 'Archiving', done: 0, files: 1 }],
  });
  expect(await archiveDue(lab.deps)).toBe(0);
  await deliver();
  expect(await stateOf(id)).toBe('Archived');
  const { sha256 } = await blobOf(id);
  const month = new Date().toISOString().slice(0, 7);
  const at = objects().find((name) => name.includes(sha256)) ?? '';
  expect(at).toContain(`jobs/Etiquettes-Co/${month}/${lab.subscriberId}/`);
  expect(readFileSync(path.join(folder, at.replace('_object', '_metadata.json')), 'utf8')).toContain('STANDARD_IA');
  const bytes = await hashOf(await lab.storage.open({ ...context(), sha256 }), new AbortController().signal);

  await aDayLater(id);
  await collectGarbage(lab.deps);
  expect(await sizeHere(id)).toBeUndefined();
  await unarchiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await deliver();
  expect(await hashOf(await lab.storage.open({ ...context(), sha256 }), new AbortController().signal)).toBe(bytes);
  expect(await archiveDue(lab.deps), 'while it is back').toBe(0);
  await lab.sql.query(
    `update sessions set archive_not_before = archive_not_before - interval '71 hours' where id = $1`,
    [id],
  );
  expect(await archiveDue(lab.deps), 'for three days').toBe(0);
  await lab.sql.query(`update sessions set archive_not_before = archive_not_before - interval '1 hour' where id = $1`, [
    id,
  ]);
  expect(await archiveDue(lab.deps)).toBe(1);
  await deliver();
  expect(
    objects().filter((name) => name.includes(sha256)),
    'one copy is enough',
  ).toHaveLength(1);

  await deleteSession(lab.deps, context(), { sessionId: id, by: tester });
  await lab.sql.query(`update sessions set deleted_at = now() - interval '1 h' where id = $1`, [id]);
  await aDayLater(id);
  await collectGarbage(lab.deps);
  await deliver();
  expect(
    objects().filter((name) => name.includes(sha256)),
    'its copy is found where it lies',
  ).toEqual([]);
});

test('a policy takes only the files that it names; the others stay', async () => {
  const id = await finished();
  await alone(id);
  await lab.sql.query(`insert into blobs (subscriber_id, sha256, size) values ($1, repeat('ab', 32), 1)`, [
    lab.subscriberId,
  ]);
  await lab.sql.query(
    `insert into files (id, subscriber_id, session_id, sha256, run_no, kind, name, media_type, size)
     values ('fil_made', $1, $2, repeat('ab', 32), 1, 'ProductionFile', 'x', 'application/pdf', 1)`,
    [lab.subscriberId, id],
  );
  await noPolicies();
  await policy({ afterDays: 0, files: 'originals' });
  await archiveDue(lab.deps);
  await deliver();
  expect(await stateOf(id)).toBe('Archived');
  const { rows } = await lab.sql.query(
    `select kind::text, verified_at is not null as "isArchived" from files join blobs using (subscriber_id, sha256)
      where session_id = $1 order by kind`,
    [id],
  );
  expect(rows).toEqual([
    { kind: 'OriginalFile', isArchived: true },
    { kind: 'ProductionFile', isArchived: false },
  ]);
  await lab.sql.query(`delete from files where id = 'fil_made'`);
  await lab.sql.query(`delete from blobs where sha256 = repeat('ab', 32)`);
});

test('a policy tries a session again a day after it failed, and the overview tells of it until then', async () => {
  const id = await finished();
  await alone(id);
  await archiveDue(lab.deps);
  const right = s3.endpoint;
  s3.endpoint = 'http://127.0.0.1:9';
  await lab.sql.query(`update effects set created_at = now() - interval '25 h' where state = 'Pending'`);
  await deliver();
  s3.endpoint = right;
  expect(await stateOf(id)).toBe('Unarchived');
  const overview = () => lab.deps.database.withSubscriber(context(), (tx) => readArchiveOverview(tx, lab.subscriberId));
  expect((await overview()).failed.map(({ sessionId }) => sessionId)).toContain(id);
  expect(await archiveDue(lab.deps)).toBe(0);
  await lab.sql.query(`update sessions set archive_not_before = now() where id = $1`, [id]);
  expect(await archiveDue(lab.deps)).toBe(1);
  expect((await overview()).failed.map(({ sessionId }) => sessionId)).not.toContain(id);
  await deliver();
});

test('without the feature, or with archiving switched off, no policy acts', async () => {
  const id = await finished();
  await alone(id);
  await lab.sql.query(`delete from features`);
  expect(await archiveDue(lab.deps)).toBe(0);
  await lab.sql.query(`insert into features (subscriber_id, feature_key) values ($1, 'Archiving')`, [lab.subscriberId]);
  const turn = (isOn: boolean) =>
    lab.sql.query(
      `update system_settings set archiving_settings = jsonb_set(archiving_settings, '{enabled}', to_jsonb($1::boolean))`,
      [isOn],
    );
  await turn(false);
  expect(await archiveDue(lab.deps)).toBe(0);
  await turn(true);
  expect(await archiveDue(lab.deps)).toBe(1);
  await deliver();
});

test.each([
  ['archive', 'archive/'],
  ['/a//b/', 'a/b/'],
  ['{year}/{month}/{workflow}', '2026/03/Pruefung-ss/'],
])('the prefix %s becomes %s', (prefix, filled) => {
  const now = new Date('2026-03-31T23:59:59Z');
  expect(filledPrefix(prefix, { workflow: ' Pruefung ß? ss', now })).toBe(filled);
});

const config = (values: object) =>
  lab.sql.query(
    `update system_settings set archiving_settings = jsonb_set(archiving_settings, '{config}', archiving_settings -> 'config' || $1::jsonb)`,
    [JSON.stringify(values)],
  );
const noPolicies = () =>
  lab.sql.query(`delete from profile_versions where profile_id in (select id from profiles where kind = 'archiving')`);
/** The buckets in which a copy of the session's bytes lies. */
const bucketsOf = async (id: string) => {
  const { sha256 } = await blobOf(id);
  return objects()
    .filter((name) => name.includes(sha256))
    .map((name) => name.split(path.sep)[0]);
};
const hashHere = async (id: string) =>
  hashOf(await lab.storage.open({ ...context(), sha256: (await blobOf(id)).sha256 }), new AbortController().signal);
async function archiveAndLeave(id: string): Promise<void> {
  await archiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await deliver();
  expect(await stateOf(id)).toBe('Archived');
  await aDayLater(id);
  await collectGarbage(lab.deps);
  expect(await sizeHere(id)).toBeUndefined();
}
async function deleteWhole(id: string): Promise<void> {
  await deleteSession(lab.deps, context(), { sessionId: id, by: tester });
  await lab.sql.query(`update sessions set deleted_at = now() - interval '1 h' where id = $1`, [id]);
  await aDayLater(id);
  await collectGarbage(lab.deps);
  await deliver();
}
const before = { bucketName: 'archive', region: 'us-east-1' };

test.each([
  ['of the policy', 'deep'],
  ['of the settings', ''],
])('what lies in the bucket %s is found and removed there when the settings name another', async (_, bucketName) => {
  await noPolicies();
  await policy({ bucketName, daysBack: 0 });
  const id = await finished();
  const bytes = await hashHere(id);
  await archiveAndLeave(id);
  expect(await bucketsOf(id)).toEqual([bucketName || 'archive']);

  await config({ bucketName: 'elsewhere', region: 'eu-west-1' });
  await unarchiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await deliver();
  expect(await stateOf(id)).toBe('Unarchived');
  expect(await hashHere(id)).toBe(bytes);

  await archiveAndLeave(id);
  expect(await bucketsOf(id), 'one copy is enough, where it is').toEqual([bucketName || 'archive']);
  await deleteWhole(id);
  expect(await bucketsOf(id)).toEqual([]);
  await config(before);
});

test('a copy made before its bucket was kept is looked for in the bucket of the settings', async () => {
  await noPolicies();
  const id = await finished();
  const bytes = await hashHere(id);
  await archiveAndLeave(id);
  await lab.sql.query(`update blobs set archive_bucket = '', archive_region = '' where sha256 = $1`, [
    (await blobOf(id)).sha256,
  ]);
  await config({ bucketName: '' });
  const back = () => unarchiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await expect(back()).rejects.toThrow('archiving.notSetUp');
  await config(before);
  await back();
  await deliver();
  expect(await hashHere(id)).toBe(bytes);
  await deleteWhole(id);
  expect(await bucketsOf(id)).toEqual([]);
});

test('the settings need a bucket only where a policy names none, the keys are always needed', async () => {
  await noPolicies();
  const id = await finished();
  const archive = () => archiveSession(lab.deps, context(), { sessionId: id, by: tester });
  const isSetUp = async () =>
    (await lab.deps.database.withSubscriber(context(), (tx) => readArchiveOverview(tx, lab.subscriberId))).isSetUp;
  await config({ bucketName: '' });
  expect(await isSetUp()).toBe(false);
  await expect(archive()).rejects.toThrow('archiving.notSetUp');
  await policy({ bucketName: 'deep' });
  expect(await isSetUp()).toBe(true);
  await policy({ workflowIds: ['wfl_other'] }, ['bucketName', 'region']);
  expect(await isSetUp(), 'not for one that was saved before policies had a bucket').toBe(false);
  await config({ accessKey: '' });
  await expect(archive()).rejects.toThrow('archiving.notSetUp');
  expect(await stateOf(id)).toBe('Unarchived');
  await config({ accessKey: 'S3RVER' });
  await archive();
  await deliver();
  expect(await bucketsOf(id)).toEqual(['deep']);
  await config(before);
  await noPolicies();
});

test('a policy with keys of its own needs none of the settings, and its copies open with the keys they were made with', async () => {
  await noPolicies();
  const ownKeys = (accessKey: string, id?: string) =>
    lab.deps.database.withSubscriber(context(), (tx) =>
      keepSecret(tx, keys, {
        ...context(),
        purpose: archivingKeysPurpose,
        text: JSON.stringify({ accessKey, secretKey: 'S3RVER' }),
        id,
      }),
    );
  const secretId = await ownKeys('S3RVER');
  await policy({ bucketName: 'deep', accessKey: 'S3RVER', secretId, daysBack: 0 });
  await config({ accessKey: '', bucketName: '' });
  const id = await finished();
  const bytes = await hashHere(id);
  await archiveAndLeave(id);
  expect(await bucketsOf(id)).toEqual(['deep']);

  await noPolicies();
  await policy({ bucketName: 'elsewhere', accessKey: 'S3RVER', secretId: await ownKeys('of another bucket') });
  const back = () => unarchiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await back();
  await deliver();
  expect(await hashHere(id), 'the policy names another bucket with other keys').toBe(bytes);

  await noPolicies();
  await policy({ bucketName: 'deep', accessKey: 'S3RVER', secretId, daysBack: 0 });
  await archiveAndLeave(id);
  await ownKeys('not valid any more', secretId);
  await back();
  await deliver();
  expect(await stateOf(id), 'the keys that replaced them are used').toBe('Unarchiving');
  await ownKeys('S3RVER', secretId);
  await deliver();
  expect(await hashHere(id)).toBe(bytes);
  await archiveAndLeave(id);
  await deleteWhole(id);
  expect(await bucketsOf(id), 'its copy is removed with the same keys').toEqual([]);
  await config({ ...before, accessKey: 'S3RVER' });
  await noPolicies();
});

test('deleting an archived session removes its copy from the archive', async () => {
  const id = await finished();
  await archiveSession(lab.deps, context(), { sessionId: id, by: tester });
  await deliver();
  await deleteSession(lab.deps, context(), { sessionId: id, by: tester });
  await lab.sql.query(`update sessions set deleted_at = now() - interval '1 h' where id = $1`, [id]);
  await aDayLater(id);
  await collectGarbage(lab.deps);
  expect((await blobOf(id)).removed_at).not.toBeNull();
  await deliver();
  const { rows } = await lab.sql.query(
    `select state from effects where kind = 'archiveRemove' and payload->>'sha256' = $1`,
    [(await blobOf(id)).sha256],
  );
  expect(rows).toEqual([{ state: 'Done' }]);
});

test('a step has a session archived as soon as it has ended, or by hand only; what is on legal hold never goes', async () => {
  const [soon, byHand, held] = [await finished(), await finished(), await finished()];
  await lab.sql.query(
    `update sessions set archive_not_before = now() + interval '1 year' where id <> all ($1::text[])`,
    [[soon, byHand, held]],
  );
  await lab.sql.query(`update profiles set deleted_at = now() where kind = 'archiving'`);
  await lab.sql.query(
    `insert into features (subscriber_id, feature_key) values ($1, 'Archiving') on conflict do nothing`,
    [lab.subscriberId],
  );
  const decide = (id: string, decided: object) => {
    const retention = { ...retentionProfileSchema.parse({ daysSource: 0, daysFinal: 0, ...decided }), policy: null };
    return lab.sql.query(`update sessions set decisions = $2 where id = $1`, [id, { retention }]);
  };
  await decide(byHand, { archives: 'never' });
  await decide(held, { archives: 'atEnd', isLegalHold: true });
  expect(await archiveDue(lab.deps)).toBe(0);
  await decide(soon, { archives: 'atEnd' });
  expect(await archiveDue(lab.deps)).toBe(1);
  await deliver();
  expect(await stateOf(soon)).toBe('Archived');

  await policy({ afterDays: 0 });
  expect(await archiveDue(lab.deps), 'whatever the policy of the workflow says').toBe(0);
  await expect(archiveSession(lab.deps, context(), { sessionId: held, by: tester })).rejects.toThrow(
    'session.legalHold',
  );
  await archiveSession(lab.deps, context(), { sessionId: byHand, by: tester });
  await lab.sql.query(`update profiles set deleted_at = now() where kind = 'archiving'`);
  await unarchiveSession(lab.deps, context(), { sessionId: soon, by: tester });
  await deliver();
  expect([await stateOf(soon), await stateOf(byHand)]).toEqual(['Unarchived', 'Archived']);
  expect(await archiveDue(lab.deps), 'while it is back').toBe(0);
  await lab.sql.query(`update sessions set archive_not_before = now() where id = $1`, [soon]);
  expect(await archiveDue(lab.deps)).toBe(1);
  await deliver();
});

test('a step chooses among the policies of archiving; one that is off counts as none', async () => {
  const id = await finished();
  await alone(id);
  await noPolicies();
  await lab.sql.query(
    `insert into features (subscriber_id, feature_key) values ($1, 'Archiving') on conflict do nothing`,
    [lab.subscriberId],
  );
  await policy({ afterDays: 1, prefix: 'soon' });
  const chosen = await policy({ afterDays: 20, prefix: 'late', workflowIds: ['wfl_of_others'] });
  const decide = (archivingPolicyId: string) =>
    lab.sql.query(`update sessions set decisions = $2 where id = $1`, [
      id,
      { retention: { ...retentionProfileSchema.parse({ archivingPolicyId }), policy: null } },
    ]);
  await decide(chosen);
  await endedAgo(id, 19);
  expect(await archiveDue(lab.deps), 'the chosen one waits longer').toBe(0);
  await endedAgo(id, 20);
  expect(await archiveDue(lab.deps)).toBe(1);
  await deliver();
  const { sha256 } = await blobOf(id);
  expect(objects().find((name) => name.includes(sha256))).toContain('late/');

  const other = await finished();
  await alone(other);
  await lab.sql.query(`update profiles set is_enabled = false where id = $1`, [chosen]);
  await lab.sql.query(`update sessions set decisions = (select decisions from sessions where id = $2) where id = $1`, [
    other,
    id,
  ]);
  await endedAgo(other, 1);
  expect(await archiveDue(lab.deps), 'as its workflow has it').toBe(1);
  await deliver();
});
