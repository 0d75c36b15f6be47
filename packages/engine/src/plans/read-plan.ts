import { type SubscriberPlan, subscriberPlanSchema, type Usage } from '@pdf2press/contract';
import { Prisma, type Transaction } from '@pdf2press/prisma';

/** Bytes that count as kept: not removed, and not moved to the archive. */
export const isKept = Prisma.sql`removed_at is null and offloaded_at is null`;

/** How many bytes a subscriber keeps. */
export const keptBytesOf = (owner: Prisma.Sql) =>
  Prisma.sql`(select coalesce(sum(size), 0) from blobs where subscriber_id = ${owner} and ${isKept})`;

/** Files that a subscriber has handed in since the month began. */
export const sessionsOfMonth = (owner: Prisma.Sql) => Prisma.sql`
  counted_sessions(${owner}, date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC')`;

/** The plan of the transaction's subscriber. */
export async function readOwnPlan(tx: Transaction): Promise<SubscriberPlan> {
  const [row] = await tx.$queryRaw<{ plan: unknown }[]>`select plan from subscribers where id = current_subscriber()`;
  return subscriberPlanSchema.parse(row?.plan ?? {});
}

/** What each of some subscribers uses, by id. Of others than its own, a transaction of the host reads it. */
export async function readUsage(tx: Transaction, ids: readonly string[]): Promise<Map<string, Usage>> {
  const owner = Prisma.sql`owner.id`;
  const rows = await tx.$queryRaw<(Usage & { id: string })[]>`
    select owner.id, ${sessionsOfMonth(owner)}::float8 as "sessionsPerMonth",
           ${keptBytesOf(owner)}::float8 as "storageBytes",
           (select count(*)::int from users
             where subscriber_id = owner.id and is_active and deleted_at is null) as users
      from unnest(${[...ids]}::text[]) as owner (id)`;
  return new Map(rows.map(({ id, ...usage }) => [id, usage]));
}

/**
 * The quotas of the transaction's subscriber that stop files, and are used up. As many users as the plan allows are no
 * trouble.
 */
export async function reachedQuotas(
  tx: Transaction,
): Promise<{ key: 'sessionsPerMonth' | 'storageBytes'; limit: number }[]> {
  const { quotas } = await readOwnPlan(tx);
  const limited = (['sessionsPerMonth', 'storageBytes'] as const).flatMap((key) => {
    const limit = quotas[key];
    return limit === null ? [] : [{ key, limit }];
  });
  if (limited.length === 0) return [];
  const { id } = await tx.subscriber.findFirstOrThrow({ select: { id: true } });
  const usage = (await readUsage(tx, [id])).get(id);
  return limited.filter(({ key, limit }) => usage !== undefined && usage[key] >= limit);
}
