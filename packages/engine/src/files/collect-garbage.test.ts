import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteSession } from '../commands/session-commands.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { collectGarbage } from './collect-garbage.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
});
afterEach(() => lab.close());

/** More than two batches, by day more than one. */
const many = isNight ? 250 : 110;

const handAndDelete = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let no = 0; no < count; no += 1) {
    const sessionId = await lab.hand();
    await deleteSession(lab.deps, lab, { sessionId, by: tester });
    ids.push(sessionId);
  }
  return ids;
};

const count = async (from: string, where = 'true'): Promise<number> =>
  (await lab.sql.query(`select count(*)::int as n from ${from} where ${where}`)).rows[0].n;

/** Of stored bytes, all old enough to be removed. */
async function storedFiles(): Promise<string[]> {
  const root = path.join(lab.folder, 'blobs', lab.subscriberId);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(files.map((file) => utimes(file, 1, 1)));
  return files;
}

test('bytes of all deleted sessions go, however many were deleted before and however many bytes must stay @night', async () => {
  await handAndDelete(many);
  const kept = await lab.hand();
  await lab.sql.query(`update sessions set deleted_at = deleted_at - interval '1 hour'`);
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  const before = await storedFiles();
  expect(before).toHaveLength(many + 1);
  // Bytes that the store put again since stay for now, more than a batch of them.
  const putAgain = before.slice(0, 120);
  await Promise.all(putAgain.map((file) => utimes(file, new Date(), new Date())));
  const removed = await collectGarbage(lab.deps);
  expect(removed).toBeGreaterThanOrEqual(many - putAgain.length);
  expect(await count('files', 'removed_at is null')).toBe(1);
  await storedFiles();
  await collectGarbage(lab.deps);
  expect(await storedFiles()).toHaveLength(1);
  expect(await lab.broken()).toEqual([]);
  await deleteSession(lab.deps, lab, { sessionId: kept, by: tester });
});

test('bytes of trials go an hour after they were stored, those of other sessions a day after', async () => {
  const [trial, session] = await handAndDelete(2);
  await lab.sql.query('update sessions set is_trial = true where id = $1', [trial]);
  await lab.sql.query(`update sessions set deleted_at = deleted_at - interval '1 hour'`);
  await collectGarbage(lab.deps);
  expect(await count('blobs', 'removed_at is null')).toBe(2);
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 hours'`);
  const files = await storedFiles();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await Promise.all(files.map((file) => utimes(file, hoursAgo(2), hoursAgo(2))));
  expect(await collectGarbage(lab.deps)).toBe(1);
  const { rows } = await lab.sql.query(
    'select session_id from files join blobs using (subscriber_id, sha256) where blobs.removed_at is null',
  );
  expect(rows.map(({ session_id }) => session_id)).toEqual([session]);
});

test('of a session that was deleted long ago, its delivery, its decisions and their certificates are left', async () => {
  const gone = await handAndDelete(many);
  const shown = await lab.hand({ key: 'deleted today' });
  await deleteSession(lab.deps, lab, { sessionId: shown, by: tester });
  const [decided = ''] = gone;
  const { rows } = await lab.sql.query('select id, sha256, subscriber_id from files where session_id = $1', [decided]);
  const [file] = rows;
  const { rows: steps } = await lab.sql.query('select id from step_runs where session_id = $1', [decided]);
  await lab.sql.query(
    `insert into proofs (id, subscriber_id, session_id, step_run_id, node_id, run_no, version, file_id, original_file_id,
                         policy, level, is_checked, profile_name, settings)
     values ('prf_x', $1, $2, $3, 'n', 1, 1, $4, $4, 'One', 'x', false, '', '{}')`,
    [file.subscriber_id, decided, steps[0].id, file.id],
  );
  await lab.sql.query(
    `insert into proof_decisions (id, subscriber_id, session_id, proof_id, decision, request_key, record)
     values ('prd_x', $1, $2, 'prf_x', 'Approved', 'k', '{}')`,
    [file.subscriber_id, decided],
  );
  await lab.sql.query(
    `insert into files (id, subscriber_id, session_id, sha256, run_no, kind, name, media_type, size, meta)
     values ('fil_x', $1, $2, $3, 1, 'Others', 'c.pdf', 'application/pdf', 64, '{"role": "proofCertificate 1"}')`,
    [file.subscriber_id, decided, file.sha256],
  );
  await lab.sql.query(`update sessions set deleted_at = deleted_at - interval '31 days' where id = any ($1)`, [gone]);
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  await lab.sql.query(`update sessions set variables = '{"customer": "Anna"}'`);
  await storedFiles();

  await collectGarbage(lab.deps);
  expect(await count('sessions', 'emptied_at is not null')).toBe(many);
  expect(
    await count('sessions', `emptied_at is not null and (file_name <> '' or variables <> '{}' or created_by <> '{}')`),
  ).toBe(0);
  expect(await count('step_runs')).toBe(2);
  expect(await count('session_events', `session_id <> '${shown}'`)).toBe(0);
  expect(await count('session_events')).toBeGreaterThan(0);
  // What was delivered is known for ever.
  expect(await count('ingest_items', `state = 'Accepted' and session_id is not null`)).toBe(many + 1);
  const left = await lab.sql.query(`select id from files where session_id <> $1`, [shown]);
  expect(left.rows).toEqual([{ id: 'fil_x' }]);
  expect([await count('proofs'), await count('proof_decisions')]).toEqual([1, 1]);
  // The certificate's bytes, and those of the session that was deleted a moment ago.
  expect(await count('blobs')).toBe(2);
  expect(await storedFiles()).toHaveLength(2);
  expect(await lab.broken()).toEqual([]);
  expect(await collectGarbage(lab.deps)).toBe(0);
});

test('bytes of a font of the library stay as long as it is there', async () => {
  const [id] = await handAndDelete(1);
  await lab.sql.query(`update sessions set deleted_at = deleted_at - interval '1 hour'`);
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  const {
    rows: [file],
  } = await lab.sql.query('select sha256, size, subscriber_id from files where session_id = $1', [id]);
  await lab.sql.query(
    `insert into fonts (id, subscriber_id, sha256, file_name, size, post_script_name, family, style, full_name, facts, created_by)
     values ('fnt_x', $1, $2, 'a.ttf', $3, 'A', 'A', 'Bold', 'A Bold', '{}', 'Ann')`,
    [file.subscriber_id, file.sha256, file.size],
  );
  await storedFiles();
  expect(await collectGarbage(lab.deps)).toBe(0);
  expect(await storedFiles()).toHaveLength(1);
  await lab.sql.query('delete from fonts');
  expect(await collectGarbage(lab.deps)).toBe(1);
  expect(await storedFiles()).toHaveLength(0);
});

test('the history of a session that people have is kept from everybody', async () => {
  await lab.hand();
  await expect(lab.deps.database.asHost((tx) => tx.$executeRaw`delete from session_events`)).rejects.toThrow(/is kept/);
});
