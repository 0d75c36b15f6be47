import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteSession, restartSession } from '../commands/session-commands.ts';
import { collectGarbage } from '../files/collect-garbage.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { startProcess } from '../testing/processes.ts';
import { countDueFiles, type DueQuery, readDueFiles } from './due-files.ts';
import { keepLonger, removeDueFiles, removeFilesNow, setLegalHold } from './remove-files.ts';
import { warnOfDeletion } from './warn-of-deletion.ts';

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

const policy = {
  daysSource: 10,
  daysFinal: 20,
  start: 'completed',
  noticeDays: 7,
  isLegalHold: false,
  keepsThumbnails: true,
  keepsRecord: true,
};

/** Sessions that have ended so many days ago, each with a file that was made and pictures of the original. */
async function ended(
  count: number,
  { days = 15, ...retention }: Partial<typeof policy> & { days?: number } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let no = 0; no < count; no += 1) ids.push(await lab.hand());
  await lab.sql.query(`update step_runs set status = 'Succeeded', ended_at = now() where session_id = any ($1)`, [ids]);
  await lab.sql.query(
    `insert into blobs (subscriber_id, sha256, size) select $1, md5(id) || md5(id), 7 from unnest($2::text[]) id on conflict do nothing`,
    [lab.subscriberId, ids],
  );
  await lab.sql.query(
    `insert into files (id, subscriber_id, session_id, sha256, run_no, kind, name, media_type, size, meta)
     select 'fil_' || kind || role || id, $1, id, md5(id) || md5(id), 1, kind::file_kind, 'x', 'application/pdf', 7, jsonb_build_object('role', role)
       from unnest($2::text[]) id cross join (values
         ('ProductionFile', ''), ('OriginalFileThumbnails', 'thumbnail'), ('OriginalFileThumbnails', 'tiles'),
         ('Others', 'proofCertificate 1')) made (kind, role)`,
    [lab.subscriberId, ids],
  );
  await lab.sql.query(
    `update sessions set status = 'Completed', finished_at = now() - make_interval(days => $2), created_at = now() - interval '40 days',
            decisions = $3 where id = any ($1)`,
    [ids, days, { retention: { ...policy, ...retention, policy: null } }],
  );
  return ids;
}

const listAll = (query: Partial<DueQuery> = {}) =>
  lab.deps.database.withSubscriber(lab, (tx) => readDueFiles(tx, { held: false, ...query }, { skip: 0, take: 5000 }));
const left = async (id: string): Promise<string[]> =>
  (
    await lab.sql.query(
      `select kind || ' ' || coalesce(meta ->> 'role', '') as what from files where session_id = $1 and removed_at is null order by 1`,
      [id],
    )
  ).rows.map(({ what }) => what.trim());
const all = [
  'OriginalFile',
  'OriginalFileThumbnails thumbnail',
  'OriginalFileThumbnails tiles',
  'Others proofCertificate 1',
  'ProductionFile',
];
const withoutSource = ['OriginalFileThumbnails thumbnail', 'Others proofCertificate 1', 'ProductionFile'];
const evidence = ['OriginalFileThumbnails thumbnail', 'Others proofCertificate 1'];

async function onDisk(): Promise<number> {
  const root = path.join(lab.folder, 'blobs', lab.subscriberId);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map((file) => utimes(path.join(file.parentPath, file.name), 1, 1)));
  return files.length;
}

/** Of whom the first and the second one who removes files die after a part. */
const many = isNight ? 1_000 : 20;

test(`of ${many} sessions exactly the listed files go, whoever is killed meanwhile; one on legal hold stays`, async () => {
  const due = await ended(many);
  const [held = '', moving = '', running = '', later = ''] = await ended(4);
  await setLegalHold(lab.deps, lab, { sessionId: held, isHeld: true, by: tester });
  await lab.sql.query(`update sessions set archive_state = 'Archiving' where id = $1`, [moving]);
  await restartSession(lab.deps, lab, { sessionId: running, by: tester });
  await keepLonger(lab.deps, lab, { sessionId: later, days: 5, by: tester });

  const listed = await listAll();
  const past = listed.filter(({ dueAt }) => Date.parse(dueAt) < Date.now());
  expect(new Set(past.map(({ sessionId, part }) => `${sessionId} ${part}`))).toEqual(
    new Set(due.map((id) => `${id} source`)),
  );
  const days = await lab.deps.database.withSubscriber(lab, (tx) => countDueFiles(tx, { held: false }));
  expect(days.reduce((sum, { files }) => sum + files, 0)).toBe(listed.length);
  expect((await listAll({ held: true })).map(({ sessionId }) => sessionId)).toEqual([held, held]);

  const kill = async (failpoints: string) =>
    expect(await startProcess(lab, { retain: true, failpoints }).ended).toBe('SIGKILL');
  await kill(`insideCommit:kill:${0.3 * many}`);
  await kill(`afterCommit:kill:${0.2 * many}`);
  const rest = await removeDueFiles(lab.deps);
  expect(rest).toBeLessThan(0.6 * many);
  expect(rest).toBeGreaterThan(0.4 * many);
  for (const id of [0, 0.3 * many - 1, 0.5 * many, many - 1].map((at) => due[at] ?? ''))
    expect(await left(id)).toEqual(withoutSource);
  const { rows } = await lab.sql.query(
    `select session_id, count(*)::int as n from session_events where kind = 'FilesRemoved' group by 1`,
  );
  expect([rows.length, rows.every(({ n }) => n === 1)]).toEqual([many, true]);
  expect(rows.map(({ session_id }) => session_id).sort()).toEqual([...due].sort());
  for (const id of [held, moving, running, later]) expect(await left(id), id).toEqual(all);

  // The bytes leave the disk: nobody has touched them for a day.
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  expect(await onDisk()).toBe(many + 4);
  await collectGarbage(lab.deps);
  expect(await onDisk()).toBe(4);
  expect(await removeDueFiles(lab.deps)).toBe(0);
}, 240_000);

test('the days of each part count from where the policy says, and 0 keeps without a limit', async () => {
  const day = 86_400_000;
  const away = async (retention: Parameters<typeof ended>[1]) => {
    const [sessionId = ''] = await ended(1, { days: 5, ...retention });
    return Object.fromEntries(
      (await listAll({ sessionId })).map(({ part, dueAt }) => [
        part,
        Math.round((Date.parse(dueAt) - Date.now()) / day),
      ]),
    );
  };
  expect(await away({})).toEqual({ source: 5, final: 15 });
  expect(await away({ daysSource: 0 })).toEqual({ final: 15 });
  expect(await away({ start: 'created', daysSource: 45 })).toEqual({ source: 5, final: -20 });
  expect(await away({ start: 'lastTouched', daysFinal: 40 })).toEqual({ source: 10 });
});

test('both parts go at their time; without a record to keep, the session is deleted, evidence stays', async () => {
  const [kept = '', gone = ''] = [
    ...(await ended(1, { days: 25 })),
    ...(await ended(1, { days: 25, keepsRecord: false, keepsThumbnails: false })),
  ];
  expect(await removeDueFiles(lab.deps)).toBe(2);
  expect(await left(kept)).toEqual(evidence);
  expect(await left(gone)).toEqual(['Others proofCertificate 1']);
  const { rows } = await lab.sql.query(
    `select id, deleted_at is not null as is_deleted from sessions order by is_deleted`,
  );
  expect(rows).toEqual([
    { id: kept, is_deleted: false },
    { id: gone, is_deleted: true },
  ]);
  expect(await listAll()).toEqual([]);
  await expect(restartSession(lab.deps, lab, { sessionId: kept, by: tester })).rejects.toMatchObject({
    problems: [{ code: 'session.filesGone' }],
  });
});

test('before files go it is announced once for each date, as early as the policy says, and never of what is held', async () => {
  const [soon = '', late = '', none = '', held = ''] = [
    ...(await ended(1, { days: 5 })),
    ...(await ended(1, { days: 1, daysFinal: 9 })),
    ...(await ended(1, { days: 5, noticeDays: 0 })),
    ...(await ended(1, { days: 5, isLegalHold: true })),
  ];
  const told = async (id: string) =>
    (
      await lab.sql.query(
        `select data -> 'deletion' as deletion from session_events where session_id = $1 and kind = 'RetentionWarned' order by seq`,
        [id],
      )
    ).rows.map(({ deletion: { parts, days } }) => [parts, days]);
  expect(await warnOfDeletion(lab.deps)).toBe(1);
  expect(await warnOfDeletion(lab.deps)).toBe(0);
  expect(await told(soon)).toEqual([[['source'], 5]]);
  for (const id of [late, none, held]) expect(await told(id), id).toEqual([]);

  // Both at once is one notice; a date that was put off is a new one.
  await lab.sql.query(
    `update sessions set finished_at = finished_at - interval '3 days',
    decisions = jsonb_set(decisions, '{retention,daysFinal}', '10') where id = $1`,
    [late],
  );
  await keepLonger(lab.deps, lab, { sessionId: soon, days: 1, by: tester });
  expect(await warnOfDeletion(lab.deps)).toBe(2);
  expect(await told(late)).toEqual([[['source', 'final'], 6]]);
  expect(await told(soon)).toEqual([
    [['source'], 5],
    [['source'], 6],
  ]);
  // What is past its time goes, without a notice.
  await lab.sql.query(`update sessions set finished_at = finished_at - interval '30 days' where id = $1`, [none]);
  expect(await warnOfDeletion(lab.deps)).toBe(0);
});

test('a legal hold keeps everything from everybody until it is released, also one of the policy', async () => {
  const [sessionId = ''] = await ended(1, { days: 100, isLegalHold: true });
  expect(await removeDueFiles(lab.deps)).toBe(0);
  for (const refused of [deleteSession, removeFilesNow])
    await expect(refused(lab.deps, lab, { sessionId, by: tester })).rejects.toMatchObject({
      problems: [{ code: 'session.legalHold' }],
    });
  await setLegalHold(lab.deps, lab, { sessionId, isHeld: false, by: tester });
  expect(await removeDueFiles(lab.deps)).toBe(1);
  expect(await left(sessionId)).toEqual(evidence);
});

test('kept longer, files go later; at once, they go now, but not of what runs', async () => {
  const [sessionId = '', other = ''] = await ended(2);
  await keepLonger(lab.deps, lab, { sessionId, days: 3, by: tester });
  expect(await removeDueFiles(lab.deps)).toBe(1);
  expect(await left(sessionId)).toEqual(all);
  await lab.sql.query(`update sessions set kept_until = now() - interval '1 minute' where id = $1`, [sessionId]);
  expect(await removeDueFiles(lab.deps)).toBe(1);
  await removeFilesNow(lab.deps, lab, { sessionId: other, by: tester });
  expect(await left(other)).toEqual(evidence);
  const runs = await lab.hand();
  await expect(removeFilesNow(lab.deps, lab, { sessionId: runs, by: tester })).rejects.toMatchObject({
    problems: [{ code: 'session.actionNotAllowed' }],
  });
  const stranger = await lab.addSubscriber();
  await expect(removeFilesNow(lab.deps, stranger, { sessionId: runs, by: tester })).rejects.toMatchObject({
    problems: [{ code: 'resource.notFound' }],
  });
});
