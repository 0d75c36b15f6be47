import {
  type FeatureKey,
  featureKeys,
  type HostSubscriber,
  type HostSubscriberDetails,
  subscriberPlanSchema,
} from '@pdf2press/contract';
import { readOverage, readUsage } from '@pdf2press/engine';
import type { Prisma, Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';
import { found, pageWindow } from '../frame/rows.ts';

const nothing = { sessionsPerMonth: 0, storageBytes: 0, users: 0 };

const featuresOf = (rows: readonly { featureKey: string }[]): FeatureKey[] =>
  featureKeys.filter((key) => rows.some(({ featureKey }) => featureKey === key));

async function readMatching(
  tx: Transaction,
  caller: Caller,
  find: Pick<Prisma.SubscriberFindManyArgs, 'where' | 'skip' | 'take'>,
): Promise<HostSubscriber[]> {
  const rows = await tx.subscriber.findMany({
    ...find,
    include: { features: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const usage = await readUsage(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, isActive, createdAt, features, plan }) => ({
    id,
    name,
    isActive,
    isOwn: id === caller.subscriberId,
    createdAt: createdAt.toISOString(),
    features: featuresOf(features),
    plan: subscriberPlanSchema.parse(plan),
    usage: usage.get(id) ?? nothing,
  }));
}

/** A page of all subscribers by name. The transaction is the host's, as for all of this file. */
export async function listSubscribers(
  tx: Transaction,
  caller: Caller,
  query: { page: number; pageSize: number; search?: string | undefined },
): Promise<{ items: HostSubscriber[]; total: number }> {
  const where: Prisma.SubscriberWhereInput = query.search
    ? { name: { contains: query.search, mode: 'insensitive' } }
    : {};
  return {
    items: await readMatching(tx, caller, { where, ...pageWindow(query) }),
    total: await tx.subscriber.count({ where }),
  };
}

/** One subscriber. @throws ProblemError `resource.notFound` */
export async function readSubscriber(tx: Transaction, caller: Caller, id: string): Promise<HostSubscriberDetails> {
  const [subscriber] = await readMatching(tx, caller, { where: { id } });
  return { ...found(subscriber), overage: await readOverage(tx, id) };
}
