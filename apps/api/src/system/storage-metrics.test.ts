import { readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { PlanState, RouteResult, routes } from '@pdf2press/contract';
import { collectGarbage, keepFigures } from '@pdf2press/engine';
import { houseFont } from '@pdf2press/fix/testing';
import type { Transaction } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { form } from '../testing/form.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Metrics = RouteResult<typeof routes.system.storageMetrics>;

/* What the settings say is stored is what lies on the disk. */

let lab: Lab;
let ana: SignedIn;
let ben: SignedIn;
let workflowId: string;
beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  ben = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Other'), 'ben@example.com'));
  const { result } = await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana });
  workflowId = result.items[0]?.id ?? '';
});
afterAll(() => lab.stop());

const asOwner = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`reset role`;
    return work(tx);
  });

/** The files of a subscriber in the store. */
async function filesOf({ subscriberId }: SignedIn): Promise<{ path: string; size: number }[]> {
  const folder = path.join(lab.deps.env.dataDir, 'blobs', subscriberId);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => ({ path: file, size: (await stat(file)).size })));
}
const onDisk = async (as: SignedIn) => (await filesOf(as)).reduce((sum, { size }) => sum + size, 0);
const metrics = async (as = ana) => (await lab.call<Metrics>('GET', '/SystemSettings/storage-metrics', { as })).result;
const planned = async () => (await lab.call<PlanState>('GET', '/SystemSettings/plan', { as: ana })).result;

async function hand(text: string): Promise<string> {
  const file = { name: 'card.pdf', bytes: Buffer.from(`%PDF-1.4 ${text}`) };
  return (await lab.call<{ id: string }>('POST', '/sessions', { as: ana, ...form({ workflowId }, file) })).result.id;
}

/** Two days later: the collector's time of grace is over. */
async function timePasses(): Promise<void> {
  await asOwner(async (tx) => {
    await tx.$executeRaw`update blobs set created_at = created_at - interval '2 days'`;
    await tx.$executeRaw`update sessions set deleted_at = deleted_at - interval '2 days' where deleted_at is not null`;
  });
  for (const file of await filesOf(ana)) await utimes(file.path, 1, 1);
}

/** All that tells of it says the same. */
async function agrees(): Promise<number> {
  const bytes = await onDisk(ana);
  const { totalBytes, byKind, fileCount } = await metrics();
  expect(totalBytes).toBe(bytes);
  expect(fileCount).toBe(byKind.reduce((sum, { files }) => sum + files, 0));
  expect((await planned()).usage.storageBytes).toBe(bytes);
  // It is measured once an hour.
  await asOwner((tx) => tx.$executeRaw`delete from storage_days`);
  await keepFigures(lab.deps.engine);
  expect((await planned()).overage.bytes).toBe(bytes);
  return bytes;
}

test('what the settings, the plan and the charges say is stored is what lies on the disk', async () => {
  const before = await agrees();
  expect(before).toBeGreaterThan(1_000);
  const one = await hand('a'.repeat(5_000));
  const two = await hand('b'.repeat(70_000));
  expect(await agrees()).toBe(before + 5_000 + 70_000 + 2 * '%PDF-1.4 '.length);

  // The same bytes are stored once: a second session with them costs nothing.
  const twin = await hand('a'.repeat(5_000));
  expect(await agrees()).toBe(before + 75_000 + 2 * '%PDF-1.4 '.length);
  expect((await metrics()).fileCount).toBeGreaterThanOrEqual(3);

  // Fonts are stored, too.
  const bytes = Buffer.from(houseFont({ family: 'House', style: 'Bold', postScriptName: 'House-Bold', fsType: 8 }));
  const font = await lab.call('POST', '/fonts', { as: ana, ...form({}, { name: 'house.ttf', bytes }) });
  expect(font.statusCode).toBe(201);
  const all = await agrees();
  expect(all).toBe(before + 75_000 + 2 * '%PDF-1.4 '.length + bytes.length);

  // A session that is deleted goes with the collector, and not before; what another one uses stays.
  for (const id of [one, two]) expect((await lab.call('DELETE', `/sessions/${id}`, { as: ana })).statusCode).toBe(200);
  expect(await agrees()).toBe(all);
  await timePasses();
  expect(await collectGarbage(lab.deps.engine)).toBe(1);
  expect(await agrees()).toBe(all - 70_000 - '%PDF-1.4 '.length);
  expect((await lab.call('GET', `/sessions/${twin}`, { as: ana })).statusCode).toBe(200);

  // Nothing of it is another company's.
  expect(await onDisk(ben)).toBe(0);
  expect(await metrics(ben)).toMatchObject({ totalBytes: 0, fileCount: 0, byKind: [] });
});
