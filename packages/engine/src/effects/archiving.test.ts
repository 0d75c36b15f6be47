import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemSettingsSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { startTestS3, type TestS3 } from '@pdf2press/storage/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveSession, unarchiveSession } from '../commands/archive-commands.ts';
import { deleteSession, restartSession } from '../commands/session-commands.ts';
import { collectGarbage } from '../files/collect-garbage.ts';
import { keepSecret, openInstanceKeys } from '../secrets/secrets.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { moveToArchive } from './archive/run.ts';
import { removeFromArchive } from './archive-remove/run.ts';
import { deliverDue } from './deliver.ts';
import { moveFromArchive } from './unarchive/run.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-archive-'));
let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let s3: TestS3;
let deliver: () => Promise<number>;
const context = () => ({ subscriberId: lab.subscriberId });

beforeAll(async () => {
  postgres = await startTestPostgres();
  lab = await openLab(postgres);
  s3 = await startTestS3(folder, 'archive');
  const keys = await openInstanceKeys({ dataDir: lab.folder });
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
    const {
      id: _id,
      subscriberId: _owner,
      isGlobal: _global,
      timeZone,
      houseSettings,
      ...settings
    } = systemSettingsSchema.parse({
      id: '',
      ...context(),
      archivingSettings: {
        config: { accessKey: 'S3RVER', bucketName: 'archive', region: 'us-east-1', secretKey },
        enabled: true,
        enableNotification: true,
        emailRecipient: 'archive@example.com',
      },
    });
    await tx.systemSetting.create({
      data: { id: newId('systemSetting'), extra: { timeZone, houseSettings }, ...settings },
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
async function finished(): Promise<string> {
  const id = await lab.hand();
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
  const { rows } = await lab.sql.query(`select state from effects where kind = 'archiveRemove'`);
  expect(rows).toEqual([{ state: 'Done' }]);
});
