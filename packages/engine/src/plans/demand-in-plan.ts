import { problem } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { keptBytesOf, readOwnPlan, sessionsOfMonth } from './read-plan.ts';

const own = Prisma.sql`current_subscriber()`;

/** One at a time: two that came at the same moment would both find the last place free. */
const inTurn = (tx: Transaction) =>
  tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('quota ' || current_subscriber(), 0))::text`;

/**
 * Whether the plan has room for a file that comes: asked before its first byte, and again when its session is made.
 * @param size its bytes; 0 = unknown
 * @throws ProblemError `file.tooLarge`, `quota.sessions`, `quota.storage`
 */
export async function demandInPlan(tx: Transaction, size = 0): Promise<void> {
  const { sessionsPerMonth, storageBytes, uploadBytes } = (await readOwnPlan(tx)).quotas;
  if (uploadBytes !== null && size > uploadBytes) throw problem('file.tooLarge', { limit: uploadBytes });
  if (sessionsPerMonth === null && storageBytes === null) return;
  await inTurn(tx);
  const [used] = await tx.$queryRaw<{ sessions: number; bytes: number }[]>`
    select case when ${sessionsPerMonth !== null} then ${sessionsOfMonth(own)} end::float8 as sessions,
           case when ${storageBytes !== null} then ${keptBytesOf(own)} end::float8 as bytes`;
  if (!used) throw new Error('a query without a table gives a row');
  if (sessionsPerMonth !== null && used.sessions >= sessionsPerMonth)
    throw problem('quota.sessions', { limit: sessionsPerMonth });
  if (storageBytes !== null && (used.bytes >= storageBytes || used.bytes + size > storageBytes))
    throw problem('quota.storage', { limit: storageBytes });
}

/** Of two limits for one file, the smaller: the installation's, and the plan's. */
export async function largestFile(tx: Transaction, maxUploadBytes: number): Promise<number> {
  const { uploadBytes } = (await readOwnPlan(tx)).quotas;
  return Math.min(maxUploadBytes, uploadBytes ?? maxUploadBytes);
}

/**
 * Whether the plan allows as many active users as there are now: asked at the end of a transaction that adds some.
 * @throws ProblemError `quota.users`
 */
export async function demandUsersInPlan(tx: Transaction): Promise<void> {
  const { users: limit } = (await readOwnPlan(tx)).quotas;
  if (limit === null) return;
  await inTurn(tx);
  if ((await tx.user.count({ where: { isActive: true, deletedAt: null } })) > limit)
    throw problem('quota.users', { limit });
}
