import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ProblemError, type SubscriberPlan, subscriberPlanSchema } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { keepAlarms } from '../alarms/keep-alarms.ts';
import { showNotice } from '../alarms/notice.ts';
import { keepFigures } from '../figures/sum-days.ts';
import { receiveFile } from '../sessions/receive-file.ts';
import { startSession } from '../sessions/start-session.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { demandUsersInPlan } from './demand-in-plan.ts';
import { readOverage } from './overage.ts';
import { readOwnPlan, readUsage } from './read-plan.ts';

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

const context = () => ({ subscriberId: lab.subscriberId });
const setPlan = (plan: z.input<typeof subscriberPlanSchema>) =>
  lab.sql.query('update subscribers set plan = $1 where id = $2', [
    JSON.stringify(subscriberPlanSchema.parse(plan)),
    lab.subscriberId,
  ]);
const quotas = (given: Partial<SubscriberPlan['quotas']>) => setPlan({ quotas: given });

/** Hands in so many bytes; resolves to `taken` or to the code of why not. */
async function hand(size: number, more: { isRestricted?: boolean } = {}): Promise<string> {
  async function* bytes() {
    yield Buffer.from(`${newId('file')}`.padEnd(size, ' ').slice(0, size));
  }
  try {
    await receiveFile(lab.deps, {
      context: { ...context(), ...(more.isRestricted && { organizationIds: ['org_none'] }) },
      workflowId: lab.workflowId,
      source: 'ManualInjected',
      fileName: 'a.pdf',
      bytes: bytes(),
      ingest: { kind: 'test' },
      createdBy: tester,
    });
    return 'taken';
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]?.code ?? '';
    throw error;
  }
}

test('without quotas everything is taken, and what is used is counted', async () => {
  expect([await hand(100), await hand(200)]).toEqual(['taken', 'taken']);
  const usage = await lab.deps.database.withSubscriber(context(), (tx) => readUsage(tx, [lab.subscriberId]));
  expect(usage.get(lab.subscriberId)).toEqual({ sessionsPerMonth: 2, storageBytes: 300, users: 0 });
});

test('no more files of a month are taken than the plan says, however many come at the same moment', async () => {
  await quotas({ sessionsPerMonth: 3 });
  const ended = await Promise.all(Array.from({ length: 6 }, () => hand(10)));
  expect(ended.sort()).toEqual([...Array(3).fill('quota.sessions'), ...Array(3).fill('taken')]);
  await lab.sql.query(`update sessions set created_at = created_at - interval '40 days'`);
  expect(await hand(10), 'a new month').toBe('taken');
});

test('parts, what is sent on and trials are not counted and not refused', async () => {
  await quotas({ sessionsPerMonth: 1 });
  expect(await hand(10)).toBe('taken');
  const { rows } = await lab.sql.query(`select session_id as id, sha256 from files`);
  const start = (more: object) =>
    lab.deps.database.withSubscriber(context(), (tx) =>
      startSession(tx, {
        workflowId: lab.workflowId,
        source: 'InjectedFromPreviousWorkflow',
        ingest: { kind: 'test', key: newId('upload') },
        file: { sha256: rows[0].sha256, size: 10, name: 'a.pdf' },
        createdBy: tester,
        ...more,
      }),
    );
  await start({ parentSessionId: rows[0].id });
  await start({ isTrial: true });
  await expect(start({})).rejects.toMatchObject({ problems: [{ code: 'quota.sessions' }] });
});

test('who sees some organizations only is refused by the number of all files', async () => {
  await quotas({ sessionsPerMonth: 1 });
  expect(await hand(10)).toBe('taken');
  expect(await hand(10, { isRestricted: true })).toBe('quota.sessions');
});

test('a full store takes no file, and takes one when there is room', async () => {
  await quotas({ storageBytes: 1000 });
  expect([await hand(600), await hand(600), await hand(400), await hand(1)]).toEqual([
    'taken',
    'quota.storage',
    'taken',
    'quota.storage',
  ]);
  await lab.sql.query('update blobs set offloaded_at = now() where size = 600');
  expect(await hand(500)).toBe('taken');
});

test('a file larger than the plan allows is refused while its bytes come', async () => {
  await quotas({ uploadBytes: 50 });
  expect([await hand(50), await hand(51)]).toEqual(['taken', 'file.tooLarge']);
});

test('a subscriber cannot change its plan', async () => {
  await quotas({ users: 1 });
  await expect(
    lab.deps.database.withSubscriber(context(), (tx) => tx.subscriber.updateMany({ data: { plan: {} } })),
  ).rejects.toThrow(/permission denied/);
  await expect(
    lab.deps.database.withSubscriber(context(), (tx) => tx.$executeRaw`update subscribers set is_active = false`),
  ).rejects.toThrow(/permission denied/);
  expect((await lab.deps.database.withSubscriber(context(), readOwnPlan)).quotas.users).toBe(1);
});

test('as many active users as the plan allows', async () => {
  await quotas({ users: 1 });
  const add = (isActive: boolean) =>
    lab.deps.database.withSubscriber(context(), async (tx) => {
      const id = newId('user');
      await tx.user.create({ data: { id, userName: id, email: id, isActive } });
      await demandUsersInPlan(tx);
    });
  await add(true);
  await expect(add(true)).rejects.toMatchObject({ problems: [{ code: 'quota.users', params: { limit: 1 } }] });
  await add(false);
});

test('a quota that is reached is told to administrators, and ends with a larger plan', async () => {
  const admin = newId('user');
  await lab.deps.database.withSubscriber(context(), async (tx) => {
    await tx.user.create({ data: { id: admin, userName: admin, email: admin } });
    const roleId = newId('role');
    await tx.role.create({ data: { id: roleId, name: 'all', permissions: ['settings.general.manage'] } });
    await tx.userRole.create({ data: { userId: admin, roleId } });
  });
  const open = async () => {
    await keepAlarms(lab.deps);
    const { rows } = await lab.sql.query(
      `select user_id, cause, kind, data from notifications where kind = 'quota' and ended_at is null order by cause`,
    );
    return rows;
  };
  await quotas({ sessionsPerMonth: 1, storageBytes: 10, users: 1 });
  expect(await open()).toEqual([]);
  await hand(10);
  const told = await open();
  expect(told.map((row) => [row.user_id, row.cause])).toEqual([
    [admin, 'sessionsPerMonth'],
    [admin, 'storageBytes'],
  ]);
  expect(showNotice('en', told[1].kind, told[1].data)).toMatchObject({
    message:
      'A limit of your plan is reached. The plan keeps 10 Bytes of files, and the store is full. New files are taken when there is room, or with a larger plan.',
    link: '/settings?tab=storage',
  });
  await quotas({ sessionsPerMonth: 2, storageBytes: 11 });
  expect(await open()).toEqual([]);
});

/** Writes a day of the past with the terms that it had. */
const day = (date: string, bytes: number, terms: { included: number | null; price?: number; currency?: string }) =>
  lab.sql.query(
    `insert into storage_days (subscriber_id, day, bytes, included_bytes, price_per_gb, currency) values ($1, $2, $3, $4, $5, $6)`,
    [lab.subscriberId, date, bytes, terms.included, terms.price ?? 0, terms.currency ?? 'USD'],
  );
const gb = 1024 ** 3;
const overage = () => lab.deps.database.withSubscriber(context(), (tx) => readOverage(tx, lab.subscriberId));

test('a month costs the sum of its days beyond what is included, each by the terms of its day', async () => {
  expect(await overage()).toEqual({ measuredAt: null, bytes: 0, months: [], expectedCost: 0 });
  await day('2026-02-01', 3 * gb, { included: 1 * gb, price: 14 });
  await day('2026-02-02', 1 * gb, { included: 1 * gb, price: 14 });
  await day('2026-02-03', 5 * gb, { included: null, price: 14 });
  await day('2026-03-01', 2 * gb, { included: 0, price: 31 });
  await day('2026-03-02', 1 * gb, { included: 0, price: 62, currency: 'EUR' });
  const { months, expectedCost, bytes } = await overage();
  expect(months).toEqual([
    { month: '2026-03', currency: 'EUR', peakBytes: gb, overBytes: gb, cost: 2 },
    { month: '2026-03', currency: 'USD', peakBytes: 2 * gb, overBytes: 2 * gb, cost: 2 },
    { month: '2026-02', currency: 'USD', peakBytes: 5 * gb, overBytes: (2 * gb) / 3, cost: 1 },
  ]);
  // Two euros for the day that was measured, and for each of the 29 days that follow.
  expect(expectedCost).toBeCloseTo(60);
  expect(bytes).toBe(gb);
});

test('what is measured is what lies on the disk, with the terms of the plan', async () => {
  await setPlan({ storage: { includedBytes: 100, pricePerGb: 2.5, currency: 'EUR' } });
  for (const size of [70, 80, 90]) await hand(size);
  await keepFigures(lab.deps);
  const sizes = readdirSync(path.join(lab.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
  const { rows } = await lab.sql.query(
    `select bytes::int, included_bytes::int, price_per_gb, currency from storage_days where subscriber_id = $1`,
    [lab.subscriberId],
  );
  expect(rows).toEqual([
    { bytes: sizes.reduce((sum, size) => sum + size, 0), included_bytes: 100, price_per_gb: 2.5, currency: 'EUR' },
  ]);
  expect((await overage()).months[0]).toMatchObject({ peakBytes: 240, overBytes: 140 });
});
