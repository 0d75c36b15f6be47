import type { RouteResult, routes } from '@pdf2press/contract';
import { runDueBackup } from '@pdf2press/engine/backup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Backups = RouteResult<typeof routes.backups.get>;
let lab: Lab;
let host: SignedIn;
let ana: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  host = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('The house'), 'host@example.com'));
  await lab.deps.db.asHost((tx) => tx.hostFact.create({ data: { key: 'host.administrators', value: [host.id] } }));
  lab.deps.callers.forget();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
});
afterAll(() => lab.stop());

const get = async () => (await lab.call<Backups>('GET', '/host/backups', { as: host })).result;
const usual = { isOn: false, time: '02:00', folder: '', keep: 14, areFilesIncluded: true };

test('only administrators of the installation see and change them', async () => {
  const calls = [
    ['GET', '/host/backups'],
    ['POST', '/host/backups'],
    ['PUT', '/host/backups/schedule'],
  ] as const;
  for (const [method, url] of calls) {
    const answer = await lab.call(method, url, { as: ana, ...(method === 'PUT' && { body: usual }) });
    expect(answer.statusCode, url).toBe(403);
  }
});

test('the schedule is off until somebody sets it, is checked, and who changed it is written down', async () => {
  expect(await get()).toMatchObject({ schedule: usual, run: null, kept: [], isAsked: false });
  const set = (change: object) =>
    lab.call<Backups>('PUT', '/host/backups/schedule', { as: host, body: { ...usual, ...change } });
  for (const wrong of [{ time: '24:00' }, { keep: 0 }, { folder: 'relative/path' }])
    expect((await set(wrong)).statusCode, JSON.stringify(wrong)).toBe(400);
  const saved = await set({ isOn: true, time: '03:30', keep: 3 });
  expect(saved.result.schedule).toEqual({ ...usual, isOn: true, time: '03:30', keep: 3 });
  const { result } = await lab.call<{ items: { act: string; after: object }[] }>('GET', '/audit', { as: host });
  expect(result.items[0]).toMatchObject({ act: 'backup.schedule', after: { time: '03:30' } });
});

test('one is asked for, made by a worker, and listed; another is refused meanwhile; a failure says why', async () => {
  const ask = () => lab.call<Backups>('POST', '/host/backups', { as: host });
  expect((await ask()).result).toMatchObject({ isAsked: true });
  await lab.deps.db.asHost((tx) =>
    tx.hostFact.create({
      data: {
        key: 'backup.run',
        value: { slot: '2020-01-01T00:00:00.000Z', startedAt: new Date().toISOString(), endedAt: null, fault: null },
      },
    }),
  );
  const refused = await ask();
  expect([refused.statusCode, refused.envelope.errors[0]?.code]).toEqual([409, 'backup.running']);
  const source = { url: lab.deps.env.databaseUrl, env: lab.deps.env };
  expect(await runDueBackup(lab.deps.engine, source)).toBe(true);
  const made = await get();
  expect(made).toMatchObject({ isAsked: false, run: { message: null }, kept: [{ areFilesIncluded: true }] });
  await lab.call('PUT', '/host/backups/schedule', { as: host, body: { ...usual, folder: '/dev/null/backups' } });
  await ask();
  await runDueBackup(lab.deps.engine, source);
  expect((await get()).run?.message).toMatch(/^The folder \/dev\/null\/backups cannot be used/);
});
