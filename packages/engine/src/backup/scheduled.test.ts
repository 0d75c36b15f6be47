import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { backupScheduleSchema } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openInstanceKeys } from '../secrets/secrets.ts';
import { type Lab, openLab } from '../testing/lab.ts';
import { readBackup } from './manifest.ts';
import { askForBackup, claimRun, dueSlot, isAsked, noteAlive, readBackupState, writeSchedule } from './schedule.ts';
import { runDueBackup } from './scheduled.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
let folder: string;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  lab = await openLab(server);
  folder = path.join(lab.folder, 'kept');
  await openInstanceKeys({ dataDir: lab.folder });
});
afterEach(() => lab.close());

const source = () => ({ url: lab.url, env: { dataDir: lab.folder, secretKey: undefined, s3: undefined } });
const state = () => lab.deps.database.asHost(readBackupState);
const setSchedule = (given: object) =>
  lab.deps.database.asHost((tx) => writeSchedule(tx, backupScheduleSchema.parse({ folder, ...given })));
const ask = () => lab.deps.database.asHost(askForBackup);
const run = (now?: Date) => runDueBackup(lab.deps, source(), now);
/** A moment by the clock of this machine: an hour of the day so many days from now. */
const at = (hours: number, days = 0): Date => {
  const moment = new Date();
  moment.setDate(moment.getDate() + days);
  moment.setHours(hours, 0, 0, 0);
  return moment;
};
const noted = async () =>
  (await lab.sql.query(`select value from host_facts where key = 'backup'`)).rows[0]?.value as { isGood: boolean };

test('none is made while the schedule is off and nobody asks', async () => {
  expect(await run(at(23, 5))).toBe(false);
  await setSchedule({ isOn: false });
  expect(await run(at(23, 5))).toBe(false);
});

test('one a day at its time, not again, and not for a time that was over when it was switched on', async () => {
  // The last full hour, so that the time of today is over whenever the test runs.
  const hour = new Date().getHours();
  await setSchedule({ isOn: true, time: `${String(hour).padStart(2, '0')}:00` });
  const on = (now: Date) => state().then((known) => dueSlot(known, now));
  expect(await on(new Date())).toBeNull();
  expect(await on(at(hour - 1, 1))).toBeNull();
  expect(await on(at(hour + 1, 1))).toBe(at(hour, 1).toISOString());
  expect(await on(at(hour - 1, 2)), 'what was missed over night is made up for').toBe(at(hour, 1).toISOString());
  await lab.hand();
  expect(await run(at(hour + 1, 1))).toBe(true);
  expect(await run(at(hour + 2, 1))).toBe(false);
  expect(await on(at(hour + 1, 2))).toBe(at(hour, 2).toISOString());
});

test('it is whole, was read back, is listed, and of two workers one makes it', async () => {
  await lab.hand();
  await setSchedule({});
  await ask();
  expect(isAsked(await state())).toBe(true);
  expect((await Promise.all([run(), run(), run()])).filter(Boolean)).toHaveLength(1);
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const manifest = await readBackup(path.join(folder, name));
  expect(manifest.files.count).toBeGreaterThan(0);
  const { kept, run: last, ...rest } = await state();
  expect(isAsked({ kept, run: last, ...rest })).toBe(false);
  expect(kept).toEqual([
    {
      name,
      takenAt: manifest.takenAt,
      checkedAt: expect.any(String),
      size: expect.any(Number),
      fileCount: manifest.files.count,
      areFilesIncluded: true,
    },
  ]);
  const bytes = readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('manifest.'))
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  expect(kept[0]?.size, 'as much as it takes on the disk').toBe(bytes);
  expect(last).toMatchObject({ endedAt: expect.any(String), fault: null });
  expect(await noted()).toMatchObject({ isGood: true });
});

test('one whose worker was killed is made again for the same day, once it was not heard of for five minutes', async () => {
  await setSchedule({ isOn: true, time: '02:00' });
  const slot = dueSlot(await state(), at(3, 1)) ?? '';
  expect(await lab.deps.database.asHost((tx) => claimRun(tx, slot))).toBe(true);
  mkdirSync(path.join(folder, 'pdf2press-2020-01-01T000000Z'), { recursive: true });
  const quietFor = (minutes: number) =>
    lab.sql.query(
      `update host_facts set updated_at = clock_timestamp() - make_interval(mins => $1) where key = 'backup.run'`,
      [minutes],
    );
  // A run that goes on is left alone, however late it is.
  await quietFor(4);
  expect(await run(at(3, 1))).toBe(false);
  await quietFor(6);
  await lab.deps.database.asHost((tx) => noteAlive(tx, slot));
  expect(await run(at(3, 1))).toBe(false);

  await quietFor(6);
  expect((await Promise.all([run(at(3, 1)), run(at(3, 1))])).filter(Boolean)).toHaveLength(1);
  expect((await state()).run).toMatchObject({ slot, endedAt: expect.any(String), fault: null });
  expect((await state()).kept).toHaveLength(1);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await run(at(4, 1))).toBe(false);
});

test('the oldest beyond those to keep go, with what was broken off, and nothing else', async () => {
  mkdirSync(path.join(folder, 'pdf2press-2020-01-01T000000Z/database'), { recursive: true });
  mkdirSync(path.join(folder, 'mine'));
  writeFileSync(path.join(folder, 'pdf2press-notes.txt'), 'kept');
  await setSchedule({ keep: 2, areFilesIncluded: false });
  for (let day = 1; day <= 3; day += 1) {
    await ask();
    expect(await run(at(2, day))).toBe(true);
  }
  const name = (day: number) => `pdf2press-${at(2, day).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  expect(readdirSync(folder).sort()).toEqual(['mine', name(2), name(3), 'pdf2press-notes.txt'].sort());
  expect((await state()).kept.map((one) => one.name)).toEqual([name(3), name(2)]);
});

test('one that fails says why, removes no older one, and the next good one ends it', async () => {
  await setSchedule({ keep: 1 });
  await ask();
  await run(at(2, 1));
  const [good = ''] = readdirSync(folder);
  const blocked = path.join(lab.folder, 'file');
  writeFileSync(blocked, '');
  await setSchedule({ keep: 1, folder: path.join(blocked, 'below') });
  await ask();
  expect(await run(at(2, 2))).toBe(true);
  expect((await state()).run?.fault).toMatchObject({ code: 'backup.folderUnusable' });
  expect(await noted()).toMatchObject({ isGood: false });
  expect(readdirSync(folder)).toEqual([good]);
  await setSchedule({ keep: 1 });
  await ask();
  await run(at(2, 3));
  expect((await state()).run?.fault).toBeNull();
  expect(await noted()).toMatchObject({ isGood: true });
  expect(readdirSync(folder)).not.toContain(good);
});

test('files that the store has lost are told, and the backup is kept all the same', async () => {
  await lab.hand();
  const blobs = path.join(lab.folder, 'blobs');
  const file = (readdirSync(blobs, { recursive: true }) as string[]).find((each) => /[0-9a-f]{64}$/.test(each)) ?? '';
  chmodSync(path.join(blobs, file), 0o600);
  writeFileSync(path.join(blobs, file), 'changed');
  await setSchedule({});
  await ask();
  await run();
  expect((await state()).run?.fault).toEqual({ code: 'backup.filesLost', params: { count: 1 } });
  expect((await state()).kept).toHaveLength(1);
  expect(await noted()).toMatchObject({ isGood: false });
});
